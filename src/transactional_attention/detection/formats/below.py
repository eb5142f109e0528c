"""A value alone on its line, named by the line above it: ``Your code:`` and below it the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..candidates import Place, Proposal, proposed

MAX_ABOVE, MAX_WORDS = 80, 6
_ALONE = re.compile(
    r"\n[ \t>#*\"'`“«「(-]*"
    rf"(?=[^ \n:=]++(?: [^ \n:=]*+){{0,{MAX_WORDS - 1}}}+[ \t]*+\r?(?:\n|\Z))"  # quick to fail
    r"(?P<value>[^\s:=][^\n:=]{2,80}?)[\"'`”»」*)]{0,3}[ \t]*+\r?(?=\n|\Z)"
)
_MARKS = " \t>#*\"'`“«「(-"


def below(text: str) -> Iterator[Proposal]:
    """Values alone on their line, below a label that ends in a colon or has a few words."""
    for match in _ALONE.finditer(text):
        value = match.span("value")
        if text.count(" ", *value) >= MAX_WORDS:
            continue
        label = label_above(text, match.start())
        if label is not None:
            yield proposed(label, value, "below", delimited=True)


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
