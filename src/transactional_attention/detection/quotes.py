"""Where a quoted string ends: at the mate of its first quote, which is neither escaped nor doubled.

Strings that touch are one value, as a shell, SQL and CSV read them: ``"a \\"b\\" c"``,
``'O''Brien'``, ``"a ""b"" c"``, ``'it'\\''s'``, ``'a b'"c d"``.
"""

from __future__ import annotations

import re

from .detector import MAX_VALUE

QUOTES = ('"', "'")
_MATES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“”", "「": "」", "『": "』", "«": "»"}
_MATES |= {"‘": "’"}
# What stands between two quotes, a character at a time, for patterns; and two quotes with it.
IN_DOUBLE, IN_SINGLE = r"(?:[^\"\\\n]|\\[^\n]|\"\")", r"(?:[^'\\\n]|\\[^\n]|'')"
DOUBLE, SINGLE = rf"\"{IN_DOUBLE}{{0,{MAX_VALUE}}}+\"", rf"'{IN_SINGLE}{{0,{MAX_VALUE}}}+'"
# Every character by one branch, and possessive: linear, whatever the text.
_STRINGS = re.compile(
    r"(?:\"(?:[^\"\\\n]|\\[^\n])*+\"|'(?:[^'\\\n]|\\[^\n]|(?<=\w)'(?=\w))*+'|(?<=['\"])\\['\"]"
    r"(?=['\"]))++"
)
_BACKSLASHES = re.compile(r"(?:\"[^\"\n]*+\"|'[^'\n]*+')++")  # where a backslash escapes nothing
# Strings inside a string: their quotes have one backslash, those inside them have three.
_ESCAPED = re.compile(
    r"\\[\"'](?:[^\"'\\\n]|\\\\(?:\\[\"'\\]|[^\"'\\\n])|\\[^\"'\\\n]|(?<=\w)'(?=\w))*+(?=\\[\"'])"
)


def mate(text: str, at: int) -> int:
    """Where the string that the quote at ``at`` opens ends, before its last quote; -1 where its
    line or the longest value ends first, and for quotes that several lines may stand between."""
    mark, limit = text[at], at + MAX_VALUE
    if mark == "\\":
        escaped = _ESCAPED.match(text, at, limit)
        return escaped.end() if escaped else -1
    if mark not in QUOTES:
        return _closing(text, at, limit)
    if text.startswith(mark * 3, at):
        return -1
    strings = _STRINGS.match(text, at, limit) or _BACKSLASHES.match(text, at, limit)
    return strings.end() - 1 if strings else -1


def goes_on(text: str, mark: str, stop: int) -> bool:
    """Whether a string that ``mark`` opened does not end at ``stop``, though its line goes on."""
    after = text[stop : stop + 1]
    if after in ("", "\n"):
        return False
    if mark.startswith("\\"):
        return not text.startswith(mark, stop)
    if mark not in QUOTES:
        return after not in _MATES.get(mark, after)
    return after != mark or text[stop + 1 : stop + 2] in ('"', "'", "\\")


def _closing(text: str, at: int, limit: int) -> int:
    """As ``mate``, for quotes that nothing escapes."""
    line = text.find("\n", at, limit)
    limit = line if line >= 0 else limit
    places = [
        place for closing in _MATES[text[at]] if (place := text.find(closing, at + 1, limit)) > 0
    ]
    return min(places, default=-1)
