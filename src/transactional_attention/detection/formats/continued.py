"""A bare value that goes on below: plain scalars of YAML, options of INI files and headers of mail
go on in lines that stand deeper than the line of their label.

Such a line holds one chunk, or words that were drawn by chance; what holds a label of its own, or a
sentence, goes on with nothing. Lines in the column of the value, behind more than one space, are a
list.
"""

from __future__ import annotations

import re

from ..detector import MAX_VALUE
from ..opacity import opacity
from .block_ends import UNDECIDED, BlockExtent
from .block_rest import Rest
from .block_worth import OPAQUE, is_phrase

_IN_CHUNK = r"\w+/.~!$%^&*@\-"
_CHUNK = rf"[{_IN_CHUNK}]{{2,512}}+={{0,2}}"
_WORDS = r"[a-z]{3,12}+(?: [a-z]{3,12}+){1,5}+"
_LAST = rf"[{_IN_CHUNK}=]"  # character of a line that may go on
CONTINUED = re.compile(
    rf"\n(?:(?<={_LAST}\n)|(?<={_LAST}\r\n))"
    rf"(?=[ \t]{{1,64}}+(?:{_CHUNK}|{_WORDS})[ \t]*+\r?(?:\n|\Z)|[ \t]*+\Z)"
)
"""What stands between a value and the line that may go on with it, or the end of what is read."""
CONTINUED_SIGN = re.compile(
    rf"\r?(?:={{0,2}}[{_IN_CHUNK}]{{3,512}}+|(?:[a-z]{{3,12}} ){{1,5}}[a-z]{{3,12}})"
    r"[ \t]{0,8}[:=]"
)
"""The value on the line of its label, and the sign before it, read backwards."""
_LINE = re.compile(
    rf"(?P<indent>[ \t]{{1,64}}+)(?:{_CHUNK}|{_WORDS})(?P<after>[ \t]*+\r?)(?:\n|\Z)"
)
_PLURAL = re.compile(r"[a-z]{2}(?<!s)s\Z", re.IGNORECASE)
_INDENT = re.compile(r"[ \t]*")
_LONGEST = 640  # characters of a line that may go on


def continued_end(
    text: str, label: tuple[int, int, float], sign: int, at: int, indent: int, final: bool
) -> BlockExtent | None:
    """The value behind the sign, with the lines from ``at`` on that go on with it, which stand
    deeper than ``indent``; None where none does.

    ``label``: its begin, end and strength. Under one that names no secret a plain word is not
    waited with.
    """
    begin, end, strength = label
    start = sign + 1 + len(_spaces(text, sign + 1))
    if _PLURAL.search(text, begin, end):
        return None
    if strength < 1.0 and opacity(text[start : at - 1].rstrip("\r")) < OPAQUE:
        return None
    column = start - text.rfind("\n", 0, start) - 1 if start > sign + 2 else -1
    end = begin = at
    while at - start < MAX_VALUE:
        depth = len(_spaces(text, at))
        if at + depth == len(text) and not final:
            return UNDECIDED
        if depth <= indent or text[at + depth : at + depth + 1] in ("", "\r", "\n"):
            return (
                BlockExtent(start, end, at) if at > begin and _is_drawn(text[start:end]) else None
            )
        line = _LINE.match(text, at)
        if not final and len(text) < at + _LONGEST and text.find("\n", at) < 0:
            return UNDECIDED
        if line is None or depth == column:
            return None
        end, at = line.start("after"), line.end()
    return BlockExtent(start, at, at, Rest(indent))


def _is_drawn(value: str) -> bool:
    """Whether no one could guess one of the lines, or all of their words together."""
    return any(opacity(line) >= OPAQUE for line in value.split("\n")) or is_phrase(value.split())


def _spaces(text: str, at: int) -> str:
    spaces = _INDENT.match(text, at)
    return spaces.group() if spaces else ""
