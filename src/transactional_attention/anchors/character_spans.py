"""What the character-level detector weighs: every span of a text that may be a value.

A linear pre-scan that favours recall: chunks with a digit, ``@`` or a slash, and their parts;
passphrases, what stands between quotes or right behind a separator, words whose letters no word
has, numbers with their units, dates with their times, whole URLs and their parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .candidates import candidates, phrases
from .detector import MAX_VALUE
from .extent import trim

MIN_LENGTH = 3
MAX_WORD = 64

_OUT = r"\s\"'`<>,;|&(){}\[\]，。、（）「」“”"
_QUOTED = re.compile(
    r"[\"“”„«「'`‘](?=\S)(?P<inner>[^\"“”«»„「」'`‘’\n<>{}]{3,128})(?<=\S)[\"”“»」'`’]"
)
_NAMED = re.compile(
    rf"[:=|>：＝] ?(?!//)(?P<inner>[^{_OUT}=:@：＝][^{_OUT}=@]{{2,{MAX_VALUE}}}+={{0,2}})"
)
# Words that are spelled as no word is: in capitals, with a capital inside, joined by underscores;
# and names of hosts. Each is found by a rare character, and read from there in both directions.
_INSIDE = (
    re.compile(r"[A-Z](?:(?<=[a-z][A-Z])|[A-Z]{3})"),
    re.compile(r"_(?=[A-Za-z])"),
)
_LETTERS = re.compile(r"[A-Za-z_]*")
_DOT = re.compile(r"\.[a-z\-]{2,30}+(?![\w/@(.])")
_HOST = re.compile(r"[a-z\-]{2,30}+(?:\.[a-z\-]{2,30}+){0,3}(?![\w/@.\-])")
# What belongs to a number: a unit, a currency, the rest of a date.
_CLOCK = r"(?:,? (?:at )?\d\d?:\d\d(?: ?[ap]m)?)"
_ON = re.compile(
    rf"\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}{_CLOCK}(?!\w)"
    rf"|\d{{1,2}} [A-Z][a-z]{{2,8}} \d{{4}}{_CLOCK}?(?!\w)"
    r"|\d\d?:\d\d ?[ap]m(?!\w)|\d[\d.,]{0,15}(?<=\d) (?:[A-Z]{3}|[a-zA-Z%°]{1,8})(?![\w\-])"
)
_DAY = re.compile(rf"\d{{1,2}}, \d{{4}}{_CLOCK}?(?!\w)|\d\d?:\d\d(?: ?[ap]m)?(?!\w)")
_BEFORE_DAY = re.compile(r"[A-Z][a-z]{2,8},? (?:at )?\Z")
_BEFORE_SUM = re.compile(r"(?<![A-Za-z])[A-Z]{2,4} \Z")
_ADDRESS = re.compile(rf"://[^\s\"'`<>\\|{{}}“”，。、]{{3,{MAX_VALUE}}}+")
_SCHEME = re.compile(r"[a-z0-9+.\-]{2,20}(?<=[a-z])")
_SEGMENT = re.compile(r"(?<=/)[\w\-.~%+]{6,}")


def spans(text: str) -> list[tuple[int, int]]:
    """Begin and end of everything that may be a value, each once, in the order of the begins."""
    found = set(phrases(text))
    for begin, end, _ in candidates(text):
        found.add((begin, end - 1 if text[end - 1] == "." else end))
        if text[begin].isdigit():
            found.update(_around(text, begin, end))
        at = text.find("@", begin, end)
        if at > begin:
            found.add((begin, at))
    for pattern in (_QUOTED, _NAMED):
        for match in pattern.finditer(text):
            begin, end = match.span("inner")
            found.add((begin, trim(text, begin, end, sentence=True)))
    for pattern in _INSIDE:
        found.update(_odd(text, pattern))
    found.update(_hosts(text))
    found.update(_addresses(text))
    return sorted((begin, end) for begin, end in found if end - begin >= MIN_LENGTH)


def _around(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """A number with what belongs to it."""
    if text[begin - 1 : begin] == "#":
        yield begin - 1, end
    more = _ON.match(text, begin)
    if more:
        yield more.span()
    first = max(0, begin - 14)
    day = _DAY.match(text, begin)
    if day and (before := _BEFORE_DAY.search(text, first, begin)):
        yield before.start(), day.end()
    if before := _BEFORE_SUM.search(text, first, begin):
        yield before.start(), end


def _odd(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    last = 0
    for match in pattern.finditer(text):
        at = match.start()
        if at < last:
            continue
        before = _LETTERS.match(text[max(last, at - MAX_WORD) : at][::-1])
        after = _LETTERS.match(text, at)
        assert before is not None and after is not None  # both match nothing, too
        last = after.end()
        yield at - before.end(), last


def _hosts(text: str) -> Iterator[tuple[int, int]]:
    for match in _DOT.finditer(text):
        before = _HOST.match(text[max(0, match.start() - MAX_WORD) : match.start()][::-1])
        if before:
            yield match.start() - before.end(), match.end()


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """URLs, and the parts of their paths."""
    for match in _ADDRESS.finditer(text):
        scheme = _SCHEME.match(text[max(0, match.start() - 20) : match.start()][::-1])
        if scheme:
            begin = match.start() - scheme.end()
            yield begin, trim(text, begin, match.end(), sentence=True)
        for segment in _SEGMENT.finditer(text, match.start() + 3, match.end()):
            yield segment.start(), trim(text, *segment.span(), sentence=True)
