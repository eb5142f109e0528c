"""The values that the default method finds in a text, in its order."""

from transactional_attention.anchors import Scanner
from transactional_attention.anchors.ensemble import ENSEMBLE


def found(text: str) -> list[str]:
    """Those of a text that is read at once."""
    anchors = Scanner(ENSEMBLE).feed(text, final=True)
    return [text[a.value.start : a.value.end] for a in anchors]


def found_in_pieces(text: str, size: int) -> list[str]:
    """Those of a text that arrives ``size`` characters at a time."""
    scanner, anchors = Scanner(ENSEMBLE), []
    for at in range(0, len(text), size):
        anchors += scanner.feed(text[at : at + size])
    anchors += scanner.feed("", final=True)
    return [text[a.value.start : a.value.end] for a in anchors]
