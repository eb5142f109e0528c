"""Strings that a language joins to one value, on one line or several: ``("abc" "def")``, ``"abc" +
"def"``, ``'abc' . 'def'``."""

from __future__ import annotations

import re

from ..detector import MAX_VALUE
from .block_ends import TAIL, UNDECIDED, BlockExtent

_OPERATOR = r"(?:\+|\.\.?|&|\|\||~|<>)"
# Between two strings: a sign, or white space; one line may end there.
_NEW_LINE = r"[\\_]?\r?\n[ \t]*+"
_GAP = (
    rf"(?:[ \t]*+{_OPERATOR}[ \t]*+(?:{_NEW_LINE})?|[ \t]*+{_NEW_LINE}(?:{_OPERATOR}[ \t]*+)?"
    r"|[ \t]++)"
)
_PREFIX = "[rRbBfFuU]{0,2}"
CLOSED = tuple(re.compile(rf"{mark}(?P<gap>{_GAP})(?={_PREFIX}[\"']|\Z)") for mark in ('"', "'"))
"""The end of a string that another one follows, or the end of the text so far."""
CLOSED_SIGN = re.compile(
    r"[^\"'\n]{1,512}+[\"'](?:[rRbBfFuU]{1,2}(?=[ \t:=(]))?[ \t]{0,8}(?:\([ \t]{0,8})?(?:=:|>?=|:)"
)
"""The first string and the sign before it, read backwards."""
OPENED = re.compile(
    r"\((?:(?<=[=:]\()|(?<=[=:] \())[ \t]*\r?\n(?=[ \t]*+(?:[rRbBfFuU]{0,2}[\"']|\Z))"
)
"""A bracket at the end of a line, with strings below it."""
OPENED_SIGN = re.compile(r"[ \t]{0,8}[:=]")
_BEGIN = re.compile(r"[>=]?[ \t]*(?P<bracket>\(\s*)?")
_STRING = re.compile(rf"{_PREFIX}(?:\"((?:[^\"\\\n]|\\[^\n])++)\"|'((?:[^'\\\n]|\\[^\n])++)')")
_NEXT = re.compile(_GAP)
_WAITS = re.compile(
    rf"[ \t]*+{_OPERATOR}?+[ \t]*+[\\_]?\r?"
    rf"(?:\n[ \t]*+(?:{_OPERATOR}?+[ \t]*+(?:{_PREFIX}[\"'][^\n]*+)?)?)?\Z"
)
_ENDS = re.compile(r"\s*[),;}\]]|[ \t]*\r?(?:\n|\Z)")
JOINT = re.compile(rf"[\"']{_GAP}{_PREFIX}[\"']")
"""What stands between the characters of two such strings."""


def strings_end(text: str, sign: int, final: bool) -> BlockExtent | None:
    """The strings after a sign, from the first character to the last; None if there is only one.

    With only white space between them they are words of a command, unless a bracket, a comma or
    spaces around the sign show that they are not.
    """
    opened = _BEGIN.match(text, sign + 1)
    at = opened.end() if opened else sign + 1
    string = _STRING.match(text, at, at + MAX_VALUE)
    if string is None:
        unread = len(text) < at + MAX_VALUE and text.find("\n", at) < 0
        return UNDECIDED if unread and not final else None
    first = string.start(string.lastindex or 0)
    code = bool(opened and opened["bracket"]) or text[sign - 1 : sign] in (" ", "\t")
    count, signed = 1, False
    while True:
        end, at = string.end(string.lastindex or 0), string.end()
        if not final and _is_open(text, at):
            return UNDECIDED
        gap = _NEXT.match(text, at)
        after = _STRING.match(text, gap.end(), first + MAX_VALUE) if gap else None
        if gap is None or after is None:
            break
        signed = signed or bool(gap.group().strip())
        string, count = after, count + 1
    code = code or signed or text[at : at + 1] in (",", ")")
    if count == 1 or not code or not _ENDS.match(text, at):
        return None
    newline = text.find("\n", at, at + TAIL)
    if newline < 0 and not final and len(text) < at + TAIL:
        return UNDECIDED
    return BlockExtent(first, end, newline + 1 if newline >= 0 else min(len(text), at + TAIL))


def _is_open(text: str, at: int) -> bool:
    """Whether another string may follow the one that ends at ``at`` and is not read to its end."""
    return len(text) < at + MAX_VALUE and _WAITS.match(text, at) is not None
