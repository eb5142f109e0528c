"""The values that the default method finds in a text, in its order; guesses of the network, which
stand behind everything else, left out."""

from transactional_attention.detection.detector import is_guess
from transactional_attention.detection.scanner import Scanner
from transactional_attention.sponsorship.claims import claim_of
from transactional_attention.sponsorship.supersession import replacements
from transactional_attention.types import Anchor


def anchors_of(text: str) -> list[Anchor]:
    """The anchors of a text that is read at once."""
    return [a for a in Scanner(["values"]).feed(text, final=True) if not is_guess(a)]


def found(text: str) -> list[str]:
    """Those of a text that is read at once."""
    return shown(text, anchors_of(text))


def found_in_pieces(text: str, size: int) -> list[str]:
    """Those of a text that arrives ``size`` characters at a time."""
    scanner, anchors = Scanner(["values"]), []
    for at in range(0, len(text), size):
        anchors += scanner.feed(text[at : at + size])
    return shown(text, anchors + scanner.feed("", final=True))


def parted(statement: str) -> tuple[str, str]:
    """The text of a statement that marks its value (``at ⟦9:50⟧``), and the value."""
    before, rest = statement.split("⟦")
    value, after = rest.split("⟧")
    return before + value + after, value


def shown(text: str, anchors: list[Anchor]) -> list[str]:
    """The values of anchors that are no guesses."""
    return [text[a.value.start : a.value.end] for a in anchors if not is_guess(a)]


def claims_of(text):
    """The values of a text, and what they claim, each with its source."""
    anchors = anchors_of(text)
    said = [(claim_of(a, lambda i, j: text[i:j]), "unknown") for a in anchors]
    return [text[a.value.start : a.value.end] for a in anchors], said


def superseded(said):
    """Indices of claims that a later one replaces, and whether that one says so by its label."""
    found = {}
    for old, _, named in replacements(said):
        found[old] = found.get(old, False) or named
    return found
