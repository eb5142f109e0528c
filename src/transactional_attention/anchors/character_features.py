"""Candidates to numbers: hashed n-grams of a value, of what stands left and right of it.

Everything is done for all candidates of a text at once. A feature is a row of the model's table;
digits count as ``0`` and capitals as small letters wherever words are read, and as themselves where
the form of the value is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

BUCKETS = 1 << 15
LEFT, FAR = 30, 10  # characters read to the left; from FAR on the exact distance is dropped
WORDS, MAX_WORD, MAX_REACH = 5, 48, 80  # words before a value: how many, how long, how far
HEAD, TAIL = 12, 6  # characters of a value that are read from its begin and its end
RIGHT = 5
EDGE = 64  # zeros around the text, so that nothing is read outside it
MAX_LENGTH = 48  # lengths from here on are alike
FARTHEST = 4000  # characters to the end of the line: less than a scanner sees beyond a value

Codes = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.int64]

_DIGIT, _LOWER, _UPPER, _OTHER, _SPACE = 1, 2, 3, 4, 5


def _tables() -> tuple[Codes, Codes]:
    """For ASCII: the character as words are read, and its class (symbols are their own)."""
    folded = np.arange(128, dtype=np.uint32)
    classes = np.arange(128, dtype=np.uint32) + 8
    for code in range(128):
        char = chr(code)
        if char.isdigit():
            folded[code], classes[code] = ord("0"), _DIGIT
        elif char.isalpha():
            folded[code], classes[code] = ord(char.lower()), _UPPER if char.isupper() else _LOWER
        elif char.isspace() and char != "\n":
            folded[code], classes[code] = ord(" "), _SPACE
    return folded, classes


_FOLDED, _CLASSES = _tables()
_VOWELS = np.isin(np.arange(128), np.frombuffer(b"aeiouy", np.uint8))
_PRIMES = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1], np.uint32)


# Counts of five classes, of changes and of vowels side by side, 16 bits each, in two numbers: so
# they are summed at once. A value is shorter than 2**16.
_FIELDS = np.arange(0, 64, 16, dtype=np.uint64)
_PACKED = np.zeros((_SPACE + 2, 2), np.uint64)
_PACKED[_DIGIT : _OTHER + 1, 0] = 1 << _FIELDS
_PACKED[_SPACE, 1] = 1


def _mixed(values: Codes) -> Codes:
    """Bits spread over the word, so that the low ones depend on all."""
    values = values ^ (values >> np.uint32(15))
    values = values * np.uint32(0x2C1B3C6D)
    return values ^ (values >> np.uint32(12))


def _grams(codes: Codes, size: int) -> Codes:
    """Hash of the ``size`` characters from every place on."""
    total = codes * _PRIMES[0]
    for i in range(1, size):
        total[:-i] += codes[i:] * _PRIMES[i]
    return total


class TextCodes:
    """A text as arrays: characters, classes, n-grams, words and lines."""

    def __init__(self, text: str) -> None:
        raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        codes = np.zeros(len(raw) + 2 * EDGE, np.uint32)
        codes[EDGE : EDGE + len(raw)] = raw
        low = np.minimum(codes, 127)
        ascii_ = codes < 128
        self.folded = np.where(ascii_, _FOLDED[low], codes)
        self.classes = np.where(ascii_, _CLASSES[low], np.uint32(_OTHER))
        self.grams = _grams(self.folded, 3)
        self.shapes = _grams(self.classes, 3)
        breaks = np.flatnonzero(codes == 10)
        self.breaks = np.append(breaks, len(codes) - EDGE)
        self._words()

    def _words(self) -> None:
        """Hash of every run of letters, digits and underscores, with its end."""
        inside = (self.classes <= _OTHER) | (self.folded == ord("_"))
        inside &= self.folded > 0
        edges = np.diff(inside.astype(np.int8), prepend=0, append=0)
        starts, self.word_ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
        if not len(starts):
            self.words = np.zeros(0, np.uint32)
            return
        letters = np.where(inside, self.folded, 0).astype(np.uint32)
        pairs = letters * _PRIMES[0]
        pairs[1:] += letters[:-1] * _PRIMES[1]
        hashed = np.where(inside, _mixed(pairs), 0).astype(np.uint32)
        sums = np.add.reduceat(hashed, starts)
        self.words = np.where(self.word_ends - starts > MAX_WORD, 0, sums).astype(np.uint32)


def features(text: str, spans: Sequence[tuple[int, int]]) -> tuple[Rows, npt.NDArray[np.float32]]:
    """Rows of the table [span, FEATURES], and plain numbers [span, NUMBERS], of spans of a text."""
    codes = TextCodes(text)
    bounds = np.asarray(spans, np.int64).reshape(-1, 2) + EDGE
    begin, end = bounds[:, 0], bounds[:, 1]
    line_end = codes.breaks[np.searchsorted(codes.breaks, end)]
    line_start = (
        np.concatenate([[EDGE - 1], codes.breaks])[np.searchsorted(codes.breaks, begin)] + 1
    )
    groups = [
        *_left(codes, begin),
        *_value(codes, begin, end),
        *_right(codes, begin, end, line_end),
        *_line(codes, begin, line_start),
    ]
    rows = _mixed(np.concatenate(groups, 1)) & np.uint32(BUCKETS - 1)
    return rows.astype(np.int64), _numbers(codes, begin, end, line_end)


def _salt(values: Codes, *kinds: int) -> Codes:
    """The values, told apart from those of other kinds once they are mixed."""
    mark = sum((kind + 1) * prime for kind, prime in zip(kinds, (0x3C6EF372, 0x510E527F)))
    return values + np.uint32(mark & 0xFFFFFFFF)


def _left(codes: TextCodes, begin: Rows) -> list[Codes]:
    near = [_salt(codes.folded[begin - 1 - j], 0, j)[:, None] for j in range(6)]
    at = begin[:, None] - 3 - np.arange(FAR)
    positional = codes.grams[at] + np.arange(FAR, dtype=np.uint32) // 2 * _PRIMES[4]
    far = codes.grams[begin[:, None] - 3 - np.arange(FAR // 2, LEFT)]
    last = np.searchsorted(codes.word_ends, begin, "right")
    words = np.concatenate([np.zeros(WORDS, np.uint32), codes.words])
    ends = np.concatenate([np.full(WORDS, -MAX_REACH), codes.word_ends])
    which = last[:, None] + WORDS - 1 - np.arange(WORDS)
    within = begin[:, None] - ends[which] < MAX_REACH
    back = np.where(within, words[which], 0).astype(np.uint32)
    placed = back + np.arange(WORDS, dtype=np.uint32) * _PRIMES[3]
    pairs = back[:, :-1] * _PRIMES[2] + back[:, 1:]
    return [
        *near,
        _salt(positional, 1),
        _salt(far, 2),
        _salt(placed, 3),
        _salt(back, 4),
        _salt(pairs[:, :2], 5),
    ]


def _value(codes: TextCodes, begin: Rows, end: Rows) -> list[Codes]:
    length = (end - begin)[:, None]
    ahead, behind = np.arange(HEAD), np.arange(TAIL)
    head, tail = begin[:, None] + ahead, end[:, None] - 3 - behind
    inside, late = ahead <= length - 3, behind <= length - 3
    shapes = np.where(inside, codes.shapes[head] + (ahead == 0) * _PRIMES[3], 0)
    grams = np.where(inside, codes.grams[head], 0)
    ends = np.where(late, codes.shapes[tail] + (behind == 0) * _PRIMES[3], 0)
    first = codes.folded[begin[:, None] + np.arange(3)] + np.arange(3, dtype=np.uint32) * 977
    size = np.minimum(length, MAX_LENGTH).astype(np.uint32)
    whole = codes.grams[begin] * _PRIMES[1] + codes.grams[np.maximum(end - 3, begin)]
    return [
        _salt(shapes.astype(np.uint32), 6),
        _salt(grams.astype(np.uint32), 7),
        _salt(ends.astype(np.uint32), 8),
        _salt(first, 9),
        _salt(size, 10),
        _salt(whole[:, None] + size, 11),
    ]


def _right(codes: TextCodes, begin: Rows, end: Rows, line_end: Rows) -> list[Codes]:
    at = end[:, None] + np.arange(RIGHT)
    after = np.where(at <= line_end[:, None], codes.folded[at], 0).astype(np.uint32)
    placed = after + np.arange(RIGHT, dtype=np.uint32) * _PRIMES[3]
    both = codes.folded[begin - 1] * _PRIMES[1] + after[:, 0]
    return [_salt(placed, 12), _salt(both[:, None], 13)]


def _line(codes: TextCodes, begin: Rows, line_start: Rows) -> list[Codes]:
    """How far into its line a value stands, and how the line begins."""
    distance = np.minimum(begin - line_start, 31)[:, None].astype(np.uint32)
    opening = np.where(begin - line_start >= 3, codes.shapes[line_start], 0).astype(np.uint32)
    return [_salt(distance, 14), _salt(opening[:, None], 15)]


def _numbers(codes: TextCodes, begin: Rows, end: Rows, line_end: Rows) -> npt.NDArray[np.float32]:
    """Shares of each class of characters, changes of class, and lengths."""
    length = (end - begin).astype(np.float32)
    columns = [np.log2(length), np.log2(1.0 + np.minimum(line_end - end, FARTHEST))]
    classes = codes.classes[at := _characters(begin, end)]
    packed = _PACKED[np.minimum(classes, len(_PACKED) - 1)]
    packed[:, 1] += (classes != codes.classes[at + 1]).astype(np.uint64) << np.uint64(16)
    packed[:, 1] += _VOWELS[np.minimum(codes.folded[at], 127)].astype(np.uint64) << np.uint64(32)
    total = np.add.reduceat(packed, np.cumsum(end - begin) - (end - begin))
    counts = total[:, :, None] >> _FIELDS & np.uint64(0xFFFF)
    for inside in counts.reshape(-1, 8).T[:7]:
        columns += [inside / length, np.log2(1.0 + inside)]
    return np.stack(columns, 1).astype(np.float32) / np.float32(2.0)


def _characters(begin: Rows, end: Rows) -> Rows:
    """The places of all characters of the values, one value after another."""
    length = end - begin
    before = np.cumsum(length) - length
    return np.repeat(begin - before, length) + np.arange(length.sum())
