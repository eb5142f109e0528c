"""A label that fills the line above its value: ``Your code:`` and below it the code."""

from __future__ import annotations

from ..candidates import Place

MAX_ABOVE, MAX_WORDS = 80, 6
_MARKS = " \t>#*\"'`“«「(-"


def label_above(text: str, end: int) -> Place | None:
    """A label that fills the line that ends at ``end``, or the line above if that one is empty."""
    while end and text[end - 1] in " \t\r\n" and text.count("\n", end - 1, end + 1) < 3:
        end -= 1
    start = text.rfind("\n", max(0, end - MAX_ABOVE), end) + 1
    if not start and end > MAX_ABOVE:
        return None
    words = text[start:end].strip(_MARKS)
    name = words.rstrip(":：")
    if not name or "=" in name or ": " in name or name.count(" ") >= MAX_WORDS:
        return None
    if words == name and name[-1] in ".!?,;":
        return None
    start = text.find(words, start, end)
    return start, start + len(words)
