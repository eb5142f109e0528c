"""What the character-level detector weighs: every span of a text that may be a value.

A linear pre-scan that favours recall: chunks with a digit, ``@`` or a slash, and their parts;
passphrases, what stands right behind a separator, words in a row that join no others, passwords
without digits, URLs, and numbers with what may belong to them (``character_wholes``).
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections.abc import Iterator
from operator import add

import numpy as np

from .character_wholes import wholes
from .chunk_spans import candidates
from .detector import MAX_VALUE
from .drawn import phrases
from .extent import trim
from .joining import is_common

MIN_LENGTH = 2
MAX_WORD = 64

_OUT = r"\s\"'`<>,;|&(){}\[\]，。、（）「」“”"
_NAMED = re.compile(
    rf"[:=|>：＝] ?(?!//)(?P<inner>[^{_OUT}=:@：＝][^{_OUT}=@]{{2,{MAX_VALUE}}}+={{0,2}})"
)
_ADDRESS = re.compile(rf"://[^\s\"'`<>\\|{{}}“”，。、]{{3,{MAX_VALUE}}}+")
_SCHEME = re.compile(r"[a-z0-9+.\-]{2,20}(?<=[a-z])")
_AUTHORITY = re.compile(rf"(?:[^{_OUT}@/?#]{{0,64}}@)?((?:\[[0-9a-f:]+\]|[\w.\-]+):\d{{2,5}})\b")
# What joins the parts of a chunk, as it is or in the notation of URLs; behind some of them all that
# follows may be a value, too.
_JOINT = re.compile(r"([=:/\\]++|%(?:3[AaDd]|2[Ff]))|[@&;?#,~|]++|%(?:2[0267Cc]|7[BbDd])")
_TELLING = re.compile(r"\d|\w[A-Z]")
MOST_PARTS = 40
_CAPITAL = r"[A-ZÀ-ÖØ-ÞŁŚŻČŠŽА-Я]"
_NAME = re.compile(
    rf"{_CAPITAL}(?<=[\w,;:(\-–—*'’\"“] .)[\w'’&]++"
    r"(?:[ \-.](?:(?:of|the|de|del|la|van|von|der|al) )?"
    rf"{_CAPITAL}[\w'’&.]*+(?<!\.)){{0,3}}"
)
_QUOTED = re.compile(
    r"(?:[\"`]|(?<![^\W_])')(?P<words>[^\W_][^\"`\n]{1,78}?)(?:(?<=\w)'(?!\w)|[\"`])(?!\w)"
    r"|[“„«「『‘](?P<other>[^“”„«»「」\n]{2,80})[”“»」』’]"
)
# A password without a digit: signs between its letters.
_SIGNED = re.compile(r"[*~+!$^%#?]{1,3}+(?=[A-Za-z])|\.(?=[A-Z])")
_LETTERS_SIGNS = np.zeros((256, 256), bool)
_LETTERS_SIGNS[np.ix_(list(map(ord, string.ascii_letters)), list(map(ord, "*~+!$^%#?.")))] = True
_LETTER_SIGN = _LETTERS_SIGNS.ravel()
_CHUNK = re.compile(rf"[^{_OUT}]*+")
# Words of a phrase in the middle of a sentence: no word of it joins others.
_WORD = re.compile(r"[^\w@/]*(?P<word>[a-z]{3,12})(?:[^\w@/'’].*)?", re.DOTALL)
_PLAIN, _OTHER, _LAST, _FIRST = range(4)
_ROW = re.compile(rb"[\0\3]\0{1,11}[\0\2]")
_SPACE, _NEWLINE = map(ord, " \n")
FEWEST, MOST_BEFORE, MOST_BEHIND = 3, 2, 1
REMEMBERED = 1 << 14  # tokens


def spans(text: str) -> list[tuple[int, int]]:
    """Begin and end of everything that may be a value, each once, in the order of the begins."""
    found = set(chunks(text))
    found.update(phrases(text))
    found.update(_named(text))
    for begin, end, _ in candidates(text):
        if text[begin - 2 : begin] == " -":
            found.add((begin + 1, end))  # an option of one letter: -pSECRET
    for match in _NAMED.finditer(text):
        begin, end = match.span("inner")
        found.add((begin, trim(text, begin, end, sentence=True)))
    found.update(_addresses(text))
    last = 0
    for begin, end in sorted(found, key=_widest_first):
        if end > last:
            last = end
            found.update(_parts(text, begin, end))
    return sorted((begin, end) for begin, end in found if end - begin >= MIN_LENGTH)


def chunks(text: str, taken: bytes | bytearray = b"") -> Iterator[tuple[int, int]]:
    """Those that rules for forms and formats leave, if they leave a value; some of those that hold
    a ``taken`` place are left out."""
    for begin, end, _ in candidates(text):
        stop = end - 1 if text[end - 1] in ".\\" else end
        if stop - begin >= MIN_LENGTH:
            yield begin, stop
    yield from _numbered(text, taken)
    yield from _signed(text)
    yield from _rows(text)


def _named(text: str) -> Iterator[tuple[int, int]]:
    """Names in the middle of a sentence or behind a sign, and what stands in quotes."""
    for match in _NAME.finditer(text):
        yield match.span()
    for match in _QUOTED.finditer(text):
        yield match.span(match.lastgroup or 0)


def _numbered(text: str, taken: bytes | bytearray) -> Iterator[tuple[int, int]]:
    """Numbers with what belongs to them, but for parts of what a known form holds."""
    known = [(begin, end) for begin, end, composite in candidates(text) if composite]
    ends = [end for _, end in known]
    for begin, end in wholes(text, taken):
        at = bisect_right(ends, begin)
        inside = at < len(known) and known[at][0] < end
        if not inside or (begin <= known[at][0] and end >= known[at][1]):
            yield begin, end


def _widest_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


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
    rows = list(_ROW.finditer(bytes(map(_KINDS.__getitem__, tokens))))
    if not rows:
        return
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    begins = np.append(0, np.flatnonzero((codes == _SPACE) | (codes == _NEWLINE)) + 1)
    for row in rows:
        place = slice(*row.span())
        words, starts = tokens[place], begins[place].tolist()
        ends = list(map(add, starts, map(len, words)))
        opening, closing = _WORD.fullmatch(words[0]), _WORD.fullmatch(words[-1])
        assert opening is not None and closing is not None  # words between them stand alone
        ends[-1] = starts[-1] + closing.end("word")
        starts[0] += opening.start("word")
        for first in range(MOST_BEFORE + 1):
            for last in range(max(first + FEWEST, len(words) - MOST_BEHIND), len(words) + 1):
                yield starts[first], ends[last - 1]


def _kind(token: str) -> int:
    """What a token is to a row of words: one of them, none, the last, the first."""
    word = _WORD.fullmatch(token)
    if word is None:
        return _OTHER
    begin, end = word.span("word")
    closed = end < len(token)
    if (begin and closed) or is_common(token[begin:end]):
        return _OTHER
    return _LAST if closed else _FIRST if begin else _PLAIN


class _Remembered(dict[str, int]):
    """``_kind`` of the tokens seen of late; an ``lru_cache`` takes twice as long to ask."""

    def __missing__(self, token: str) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        kind = self[token] = _kind(token)
        return kind


_KINDS = _Remembered()
