"""Values of several words without quotes: the rest of a line, of a field between braces, or of a
string that holds label and value (``-var="password=blue whale"``)."""

from __future__ import annotations

import re

from ..detector import MAX_VALUE
from ..joining import JOINING
from ..opacity import opacity

MAX_LINE_WORDS, MAX_LINE_VALUE = 6, 64
_REST = re.compile(r"(?! (?:&&|-{1,2}\w|\.{0,2}/))[^\n\"'`=:{}<>|]*+(?=\n|\Z)")
_COMMAND = re.compile(
    r" (?:\S+ )*?(?:-{1,2}\w|\.{0,2}/)"
    r"| (?:psql|mysql|pg_\w+|redis-cli|python3?|node|npm|npx|yarn|docker|make|curl|git|go|cargo"
    r"|bash|sh|java|ruby|terraform|kubectl|helm|aws|ssh|sudo|exec|pytest)(?= |\n|\Z)"
)
# Pieces of a password: the second and later ones hold digits, or stand between quotes.
_PIECES = re.compile(
    r"(?: (?:[\w!#$%&*+?@^~.\-]{1,16}|\"[^\"\n]{1,64}\"|'[^'\n]{1,64}')){1,5}+(?=[ \t]*(?:\n|\Z))"
)
_MIXED = re.compile(r"\"|'|(?<![^\s])(?=\S*[A-Za-z])(?=\S*\d)(?!v?\d+[.\d]*[a-z]*\b)")
_DAY = re.compile(r"\d{4}-\d\d|\d:\d")
_FIELD = re.compile(r"[^\n\"'`=:{}\[\],]*+(?=[,}])")
_STRING_REST = re.compile(r"[^\n\"'`=:&;|<>]*+(?=[\"'&;])")
_BEFORE_PAIR = ('"', "'", ";")  # what stands before a pair inside a string
_LIST_MARKS = " \t-*#+•>"


def line_value(text: str, label: int, start: int, stop: int, strength: float, sign: str) -> int:
    """End of a value of several words whose first one ends at ``stop``, which a space follows;
    ``stop`` where it is the only one, and ``start`` where that cannot be told."""
    if strength < 1.0:
        return stop
    before = text[max(0, label - 24) : label]
    line = before[before.rfind("\n") + 1 :]
    if sign == "=" and line[-1:] in _BEFORE_PAIR:
        inside = _STRING_REST.match(text, stop, stop + MAX_VALUE)
        return inside.end() if inside else stop
    if line[-1:] == "{" or (line.rstrip()[-1:] in ("{", ",") and "{" in _line(text, label)):
        field = _FIELD.match(text, stop, stop + MAX_LINE_VALUE)
        return start + len(text[start : field.end()].rstrip()) if field else stop
    if line.strip(_LIST_MARKS) not in ("", "export", "set"):
        return stop
    if opacity(text[start:stop]) >= 0.5:
        return _pieces(text, stop)
    rest = _REST.match(text, stop, stop + MAX_LINE_VALUE)
    if rest is None or (sign == "=" and _COMMAND.match(text, stop, rest.end())):
        return stop
    words = text[start : rest.end()].split(" #")[0].rstrip().rstrip(".,;")
    return start + len(words) if words.count(" ") < MAX_LINE_WORDS else stop


def _line(text: str, at: int) -> str:
    """What stands before ``at`` on its line."""
    return text[text.rfind("\n", max(0, at - 256), at) + 1 : at]


def _pieces(text: str, stop: int) -> int:
    """End of pieces that no sentence joins, behind a first one that nobody could guess."""
    rest = _PIECES.match(text, stop, stop + MAX_LINE_VALUE)
    if rest is None or not _MIXED.search(text, stop + 1, rest.end()):
        return stop
    words = rest.group().split()
    if _DAY.search(rest.group()) or any(word.lower() in JOINING for word in words):
        return stop
    return rest.end()
