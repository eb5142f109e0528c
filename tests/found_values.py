"""The values that the default method finds in a text, in its order; guesses of the network, which
stand after everything else, left out."""

from collections.abc import Iterable

from transactional_attention.detection.detector import is_guess
from transactional_attention.detection.scanner import Scanner
from transactional_attention.sponsorship.claims import claim_of
from transactional_attention.sponsorship.supersession import replacements
from transactional_attention.types import Anchor


def read(chunks: Iterable[str], detectors=("values",)) -> list[Anchor]:
    """All anchors of a text that arrives in chunks."""
    scanner, anchors = Scanner(detectors), []
    for chunk in chunks:
        anchors += scanner.feed(chunk)
    return anchors + scanner.feed("", final=True)


def sized(text: str, size: int) -> list[str]:
    """A text in pieces of ``size`` characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def anchors_of(text: str, size: int = 0) -> list[Anchor]:
    """The anchors of a text that is read at once, or ``size`` characters at a time."""
    return [a for a in read(sized(text, size) if size else [text]) if not is_guess(a)]


def found(text: str, size: int = 0) -> list[str]:
    """Their values."""
    return [text[a.value.start : a.value.end] for a in anchors_of(text, size)]


def parted(statement: str) -> tuple[str, str]:
    """The text of a statement that marks its value (``at ⟦9:50⟧``), and the value."""
    before, rest = statement.split("⟦")
    value, after = rest.split("⟧")
    return before + value + after, value


def claims_of(text):
    """The values of a text, and what they claim, each with its source."""
    anchors = anchors_of(text)
    claims = [(claim_of(a, lambda i, j: text[i:j]), "unknown") for a in anchors]
    return [text[a.value.start : a.value.end] for a in anchors], claims


def superseded(claims):
    """Indices of claims that a later one replaces, and whether that one says so by its label."""
    flags = {}
    for old, _, named in replacements(claims):
        flags[old] = flags.get(old, False) or named
    return flags
