"""A value without quotes that continues below: plain scalars of YAML, options of INI files and
headers of mail continue on lines that are indented deeper than the line of their label.

Such a line has one chunk, or randomly drawn words. A line with a label of its own, or a sentence,
continues nothing. Lines that start in the column of the value, after more than one space, are a
list.
"""

from __future__ import annotations

import re

from ..detector import MAX_VALUE
from ..opacity import opacity
from .block_ends import UNDECIDED, BlockExtent
from .block_rest import BlockRest
from .block_worth import OPAQUE, is_phrase

_IN_CHUNK = r"\w+/.~!$%^&*@\-"
_CHUNK = rf"[{_IN_CHUNK}]{{2,512}}+={{0,2}}"
_WORDS = r"[a-z]{3,12}+(?: [a-z]{3,12}+){1,5}+"
_LAST = rf"[{_IN_CHUNK}=]"  # character of a line that may go on
CONTINUED = re.compile(
    rf"\n(?:(?<={_LAST}\n)|(?<={_LAST}\r\n))"
    rf"(?=[ \t]{{1,64}}+(?:{_CHUNK}|{_WORDS})[ \t]*+\r?(?:\n|\Z)|[ \t]*+\Z)"
)
"""What separates a value from the line that may continue it, or the end of the text so far."""
CONTINUED_SIGN = re.compile(
    rf"\r?(?:={{0,2}}[{_IN_CHUNK}]{{3,512}}+|(?:[a-z]{{3,12}} ){{1,5}}[a-z]{{3,12}})"
    r"[ \t]{0,8}[:=]"
)
"""The value on the line of its label and the sign before it, read backwards."""
_LINE = re.compile(
    rf"(?P<indent>[ \t]{{1,64}}+)(?:{_CHUNK}|{_WORDS})(?P<after>[ \t]*+\r?)(?:\n|\Z)"
)
_PLURAL = re.compile(r"[a-z]{2}(?<!s)s\Z", re.IGNORECASE)
_INDENT = re.compile(r"[ \t]*")
_LONGEST = 640  # characters of a line that may go on


def continued_end(
    text: str, label: tuple[int, int, float], sign: int, at: int, indent: int, final: bool
) -> BlockExtent | None:
    """The value after the sign with the lines from ``at`` that continue it, which are indented
    deeper than ``indent``; None if no line does.

    ``label``: its begin, end and strength. Under a label that names no secret, a plain word does
    not wait for more lines.
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
    return BlockExtent(start, at, at, BlockRest(indent))


def _is_drawn(value: str) -> bool:
    """Whether one of the lines, or all of their words together, could not be guessed."""
    return any(opacity(line) >= OPAQUE for line in value.split("\n")) or is_phrase(value.split())


def _spaces(text: str, at: int) -> str:
    spaces = _INDENT.match(text, at)
    return spaces.group() if spaces else ""
