"""What the character-level detector weighs: every span of a text that may be a value.

A linear pre-scan that favours recall: chunks with a digit, ``@`` or a slash, and their parts;
passphrases, what stands between quotes or right behind a separator, words whose letters no word
has, words in a row that join no others, numbers with their units, dates with their times, URLs.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from .candidates import candidates, is_common, phrases
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
_AUTHORITY = re.compile(rf"(?:[^{_OUT}@/?#]{{0,64}}@)?((?:\[[0-9a-f:]+\]|[\w.\-]+):\d{{2,5}})\b")
# What joins the parts of a chunk, as it is or in the notation of URLs; behind some of them all that
# follows may be a value, too.
_JOINT = re.compile(r"([=:/\\]++|%(?:3[AaDd]|2[Ff]))|[@&;?#,~|]++|%(?:2[0267Cc]|7[BbDd])")
_TELLING = re.compile(r"\d|\w[A-Z]")
MOST_PARTS = 40
# A password without a digit: signs between its letters.
_SIGNED = re.compile(r"[*~+!$^%#?]{1,3}+(?=[A-Za-z])|\.(?=[A-Z])")
_LETTERS_SIGNS = np.zeros((256, 256), bool)
_LETTERS_SIGNS[np.ix_(list(map(ord, string.ascii_letters)), list(map(ord, "*~+!$^%#?.")))] = True
_LETTER_SIGN = _LETTERS_SIGNS.ravel()
_CHUNK = re.compile(rf"[^{_OUT}]*+")
# Words of a phrase in the middle of a sentence: no word of it joins others.
_WORD = re.compile(r"(?P<open>[^\w@/]*)(?P<word>[a-z]{3,12})(?P<close>(?:[^\w@/'’].*)?)", re.DOTALL)
_PLAIN, _OTHER, _LAST, _FIRST, _ENDS_LINE = range(5)
_ROW = re.compile(rb"[\0\3]\0{1,11}[\0\2\6]")
FEWEST, MOST_BEFORE, MOST_BEHIND = 3, 2, 1


def spans(text: str) -> list[tuple[int, int]]:
    """Begin and end of everything that may be a value, each once, in the order of the begins."""
    found = set(chunks(text))
    found.update(phrases(text))
    for begin, end, _ in candidates(text):
        if text[begin].isdigit():
            found.update(_around(text, begin, end))
        if text[begin - 2 : begin] == " -":
            found.add((begin + 1, end))  # an option of one letter: -pSECRET
    for pattern in (_QUOTED, _NAMED):
        for match in pattern.finditer(text):
            begin, end = match.span("inner")
            found.add((begin, trim(text, begin, end, sentence=True)))
    for pattern in _INSIDE:
        found.update(_odd(text, pattern))
    found.update(_hosts(text))
    found.update(_addresses(text))
    last = 0
    for begin, end in sorted(found, key=_widest_first):
        if end > last:
            last = end
            found.update(_parts(text, begin, end))
    return sorted((begin, end) for begin, end in found if end - begin >= MIN_LENGTH)


def chunks(text: str) -> Iterator[tuple[int, int]]:
    """Those that rules for forms and formats leave, if they leave a value."""
    for begin, end, _ in candidates(text):
        stop = end - 1 if text[end - 1] in ".\\" else end
        if stop - begin >= MIN_LENGTH:
            yield begin, stop
    yield from _signed(text)
    yield from _rows(text)


def _widest_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


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
    """URLs, and their hosts with ports."""
    for match in _ADDRESS.finditer(text):
        host = _AUTHORITY.match(text, match.start() + 3)
        if host:
            yield host.span(1)
        scheme = _SCHEME.match(text[max(0, match.start() - 20) : match.start()][::-1])
        if scheme:
            begin = match.start() - scheme.end()
            yield begin, trim(text, begin, match.end(), sentence=True)


def _parts(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """What stands between the joints of a chunk, and what follows one to the chunk's end."""
    last, count = begin, 0
    for joint in _JOINT.finditer(text, begin, end):
        count += 1
        if count > MOST_PARTS:
            return
        if _TELLING.search(text, last, joint.start()):
            yield last, joint.start()
        last = joint.end()
        if joint[1] is not None:
            yield last, end
    if count and _TELLING.search(text, last, end):
        yield last, end


def _signed(text: str) -> Iterator[tuple[int, int]]:
    codes = np.frombuffer(text.encode("latin-1", "replace"), np.uint8).astype(np.uint16)
    last = 0
    for at in (np.flatnonzero(_LETTER_SIGN[codes[:-1] << 8 | codes[1:]]) + 1).tolist():
        if at < last or not _SIGNED.match(text, at):
            continue
        before = _CHUNK.match(text[max(last, at - MAX_WORD) : at][::-1])
        after = _CHUNK.match(text, at, at + MAX_VALUE)
        assert before is not None and after is not None  # both match nothing, too
        last = after.end()
        yield at - before.end(), trim(text, at, last, sentence=True)


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Three words or more that join no others, with or without those at their ends."""
    tokens = text.replace("\n", "\n ").split(" ")
    kinds = bytes(map(_kind, tokens))
    rows = list(_ROW.finditer(kinds))
    if not rows:
        return
    sizes = np.fromiter(map(len, tokens), np.int64, len(tokens)) + 1
    sizes -= np.frombuffer(kinds, np.uint8) >= _ENDS_LINE
    begins = np.cumsum(sizes) - sizes
    for row in rows:
        place = slice(*row.span())
        here = zip(begins[place].tolist(), tokens[place], strict=True)
        words = [(at, _WORD.fullmatch(token)) for at, token in here]
        bounds = [(at + m.start("word"), at + m.end("word")) for at, m in words if m is not None]
        for first in range(MOST_BEFORE + 1):
            for last in range(max(first + FEWEST, len(bounds) - MOST_BEHIND), len(bounds) + 1):
                yield bounds[first][0], bounds[last - 1][1]


@lru_cache(maxsize=1 << 14)
def _kind(token: str) -> int:
    """What a token is to a row of words: one of them, none, the last, the first; and whether its
    line ends there."""
    word = _WORD.fullmatch(token)
    line = _ENDS_LINE if token.endswith("\n") else 0
    if word is None or is_common(word["word"]):
        return _OTHER + line
    if word["close"]:
        return (_OTHER if word["open"] else _LAST) + line
    return _FIRST if word["open"] else _PLAIN
