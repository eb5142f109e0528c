"""Names in lists below a key, or in brackets behind one: ``tags:`` and ``- macos-runner-c7``,
``"labels": ["gpu-node-a4", "linux"]``.

A list names modes and kinds as well: its names are those with a number (see ``named``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..detector import LOOKBACK
from ..roles import UNKNOWN, label_role
from ..text_words import places
from .named import NAME, is_named

# The dash first, so that a search for it is fast.
_ITEM = re.compile(
    r"- (?<=[\n \t]- )(?P<open>[\"']?)(?P<value>[A-Za-z][\w\-]{4,64}+)(?P=open)[ \t]*+\r?(?=\n|\Z)"
)
_MOST_INDENT = 24
_BULLET = re.compile(r"[ \t]*- ")
_KEY = re.compile(r"[ \t]*(?:- )?[\"']?(?P<label>[A-Za-z][\w.\-]{1,40})[\"']?:[ \t]*\r?")
_BRACKET = re.compile(r"\[(?P<items>[ \t]*[\"']?[A-Za-z][\w\-]{3,64}[\"']?[^\[\]{}\n]{0,100}+)\]")
_BRACKETED = re.compile(r"(?<=[\"', \[])[A-Za-z][\w\-]{4,64}+(?=[\"', \]])")
_LABEL = re.compile(r"[\"']?([\w.\-]{2,40})")


def items(text: str, minimum: float) -> Iterator[Anchor]:
    """Names in lists that a key labels."""
    for match in _ITEM.finditer(text):
        value, at = match["value"], match.start()
        line = text.rfind("\n", max(0, at - _MOST_INDENT), at)
        if "-" not in value or line < 0 or text[line:at].strip():
            continue
        label = _key_above(text, line, match.start("value") - LOOKBACK)
        if label and _is_item(value, text[slice(*label)]):
            named, span = Span(*label), Span(*match.span("value"))
            yield Anchor(named, span, NAME, "structure:name", bool(match["open"]))
    for place in places(text, "["):
        sign = place - 2 if text[place - 1 : place] == " " else place - 1
        if text[sign : sign + 1] == ":":
            yield from _in_brackets(text, place, sign)


def _in_brackets(text: str, place: int, sign: int) -> Iterator[Anchor]:
    """Names in a list behind its label and a colon."""
    listed = _BRACKET.match(text, place)
    named = _LABEL.match(text[max(0, sign - 42) : sign][::-1]) if listed else None
    if listed is None or named is None:
        return
    begin, end = sign - named.end(1), sign - named.start(1)
    for match in _BRACKETED.finditer(text, *listed.span()):
        if _is_item(match.group(), text[begin:end]):
            yield Anchor(Span(begin, end), Span(*match.span()), NAME, "structure:name", True)


def _is_item(value: str, label: str) -> bool:
    """Whether one of a list is a name, not an identifier of code."""
    return "-" in value and is_named(value, label) and label_role(label) >= UNKNOWN


def _key_above(text: str, end: int, least: int) -> tuple[int, int] | None:
    """The label of the list whose items end at ``end``; it begins at ``least`` or after it."""
    while True:
        line = text.rfind("\n", max(0, least), end) + 1
        if not line and least > 0:
            return None
        if not _BULLET.match(text, line, end):
            key = _KEY.fullmatch(text, line, end)
            return key.span("label") if key else None
        if not line:
            return None
        end = line - 1
