"""A text as arrays of characters, classes, n-grams, words and lines, each computed once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..types import Ints
from .detector import MAX_VALUE
from .disorder import PAIR_ODDS

EDGE = 64  # zeros around the text, so that nothing is read outside it
EDGES = bytes(EDGE)
MAX_WORD, MAX_REACH = 48, 80  # characters of a word that is read, and how far from a place
DIGIT, LOWER, UPPER, OTHER, SPACE = 1, 2, 3, 4, 5
"""Classes of characters. Every other ASCII sign is a class of its own."""

Codes = npt.NDArray[np.uint32]
PRIMES = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1], np.uint32)


BORDER, TELLING, QUOTE = 1, 2, 4
_SIGNS = {
    BORDER: " \t\n\r\v\f\"'`<>(){}[],;|“”«»„，。；、（）「」『』\u00a0\u3000",
    TELLING: "0123456789@/\\:",
    QUOTE: "\"'`“”„«»「」『』",
}
"""What stands around chunks, what one of them holds at least, and what is no part of a value."""


def _marks(char: str) -> int:
    return sum(mark for mark, signs in _SIGNS.items() if char in signs)


def _tables() -> tuple[bytes, bytes, bytes]:
    """For ASCII: the character as words are read, its class, and its marks."""
    folded, classes = bytearray(range(128)), bytearray(range(8, 136))
    for code in range(128):
        char = chr(code)
        if char.isdigit():
            folded[code], classes[code] = ord("0"), DIGIT
        elif char.isalpha():
            folded[code], classes[code] = ord(char.lower()), UPPER if char.isupper() else LOWER
        elif char.isspace() and char != "\n":
            folded[code], classes[code] = ord(" "), SPACE
    marks = bytes(_marks(chr(code)) for code in range(128))
    return bytes(folded).ljust(256), bytes(classes).ljust(256), marks.ljust(256)


_FOLDED, _CLASSES, _MARKS = _tables()


def mix(values: Codes) -> None:
    """Spread the bits of each number, so that its low bits depend on all."""
    values ^= values >> np.uint32(15)
    values *= np.uint32(0x2C1B3C6D)
    values ^= values >> np.uint32(12)


def _grams(codes: Codes, size: int) -> Codes:
    """Hash of the ``size`` characters from every place on."""
    total = codes * PRIMES[0]
    for i in range(1, size):
        total[:-i] += codes[i:] * PRIMES[i]
    return total


_BASE = np.uint32(0x2C1B3C6D)
_INVERSE = np.uint32(pow(int(_BASE), -1, 1 << 32))
_SIZES = 256 * np.array([0, 1, 2, 3, 4, 4, 6, 6, 8, 8, 8, 8, 12, 12, 12, 12, 16], np.uint32)
"""What the length of a run adds to its class: long runs are told apart less finely."""


def _powers(count: int, base: np.uint32 = _BASE) -> Codes:
    powers = np.full(count, base)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint32)


def _pairs() -> npt.NDArray[np.int64]:
    """How unlike words a pair of small letters is, by their codes, in twentieths of log odds."""
    table = np.zeros((128, 128), np.int64)
    for pair, weight in PAIR_ODDS.items():
        table[ord(pair[0]), ord(pair[1])] = round(20 * weight)
    return table.ravel()


_PAIRS = _pairs()


# Counts of five classes, of changes and of vowels side by side, 16 bits each, in two numbers: so
# they are summed at once.
_FIELDS = np.arange(0, 64, 16, dtype=np.uint64)
_PACKED = np.zeros((2, SPACE + 2), np.uint64)
_PACKED[0, DIGIT : OTHER + 1] = 1 << _FIELDS
_PACKED[1, SPACE] = 1
_CHANGE = 1 << _FIELDS[1]
_VOWELS = np.zeros(128, np.uint64)
_VOWELS[list(b"aeiouy")] = 1 << _FIELDS[2]


def column(count: int, dtype: npt.DTypeLike = np.int64) -> npt.NDArray[Any]:
    """The numbers below ``count`` as [count, 1]. What is computed for places is [feature, place],
    so that numpy works on long rows."""
    return np.arange(count, dtype=dtype)[:, None]


_UNSPACED = ((0x0E00, 0x0EFF), (0x3000, 0x9FFF), (0xAC00, 0xD7AF), (0xFF00, 0xFFEF))


@lru_cache(maxsize=1 << 12)
def _kind(code: int) -> tuple[bool, bool, bool, int]:
    """Of a character outside ASCII: whether it is part of a word, of a script without spaces, a
    space; and its marks."""
    char = chr(code)
    # or of one whose particles are written on to a value, as those of Korean are
    unspaced = any(first <= code <= last for first, last in _UNSPACED)
    # combining signs (of Indic and Semitic scripts) are no letters to isalnum
    return char.isalnum() or 0x0300 <= code < 0x2000, unspaced, char.isspace(), _marks(char)


class TextCodes:
    """Arrays of a text with ``EDGE`` extra places at both ends; all places include them."""

    def __init__(self, text: str) -> None:
        data = EDGES + text.encode("ascii", "replace") + EDGES
        self.folded = np.frombuffer(data.translate(_FOLDED), np.uint8).astype(np.uint32)
        self.classes = np.frombuffer(data.translate(_CLASSES), np.uint8).astype(np.uint32)
        self.marks = np.frombuffer(data.translate(_MARKS), np.uint8)
        self.letters = (self.classes <= OTHER) | (self.folded == ord("_"))
        self.solid = (self.classes != SPACE) & (self.folded != ord("\n")) & (self.folded > 0)
        self.unspaced = np.zeros(len(data), bool)
        if not text.isascii():
            raw = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
            wide = np.flatnonzero(raw > 127)
            self.folded[wide + EDGE], self.classes[wide + EDGE] = raw[wide], OTHER
            kinds, which = np.unique(raw[wide], return_inverse=True)
            facts = np.array([_kind(int(code)) for code in kinds])[which]
            self.letters[wide + EDGE], self.unspaced[wide + EDGE] = (
                facts[:, 0],
                facts[:, 1],
            )
            self.solid[wide + EDGE] = facts[:, 2] == 0
            self.marks = self.marks.copy()
            self.marks[wide + EDGE] = facts[:, 3]
        self.letter_count = np.append(0, np.cumsum(self.letters & (self.folded > 0)))
        self.grams = _grams(self.folded, 3)
        self.shapes = _grams(self.classes, 3)
        narrow = np.minimum(self.folded, 127)
        odd = _PAIRS[narrow[:-1] << np.uint32(7) | narrow[1:]]
        self.strange = np.append(0, np.cumsum(odd))
        self._runs()
        packed = np.take(_PACKED, np.minimum(self.classes, SPACE + 1), 1)
        packed[1, :-1] += _CHANGE * (self.classes[1:] != self.classes[:-1])
        packed[1] += _VOWELS[narrow]
        self.packed = np.cumsum(packed, 1, dtype=np.uint64)
        breaks = np.flatnonzero(self.folded == ord("\n"))
        self.breaks = np.append(breaks, len(data) - EDGE)
        self._words()

    def _runs(self) -> None:
        """Runs of one character class: the run of each place, and cumulative sums that give hashes
        of several runs in a row, without and with their lengths."""
        starts = np.flatnonzero(np.append(True, self.classes[1:] != self.classes[:-1]))
        lengths = np.diff(np.append(starts, len(self.classes)))
        self.run = np.cumsum(np.bincount(starts, minlength=len(self.classes))) - 1
        kinds = self.classes[starts] + np.uint32(1)
        sizes = _SIZES[np.minimum(lengths, len(_SIZES) - 1)]
        powers = _powers(len(starts))
        self.forms, self.sized = (
            np.append(np.uint32(0), np.cumsum(values * powers, dtype=np.uint32))
            for values in (kinds * PRIMES[1], (kinds + sizes) * PRIMES[2])
        )

    def counts(self, begin: Ints, end: Ints) -> npt.NDArray[np.uint64]:
        """Numbers of digits, small letters, capitals, other letters, spaces, changes of class and
        vowels [7, span] in ``[begin, end)``, for spans below 2**16 characters."""
        # what one sum carries over into the next field is taken off again
        inside = self.packed[:, end - 1] - self.packed[:, begin - 1]
        return (inside[:, None] >> _FIELDS[:, None] & np.uint64(0xFFFF)).reshape(8, -1)[:7]

    def form(self, begin: Ints, end: Ints) -> tuple[Codes, Codes]:
        """Hashes of the classes in ``[begin, end)``, run by run, without and with lengths."""
        first, last = self.run[begin], self.run[end - 1] + 1
        back = _powers(len(self.forms), _INVERSE)[first]
        plain = (self.forms[last] - self.forms[first]) * back
        return plain, (self.sized[last] - self.sized[first]) * back

    def _words(self) -> None:
        """Hash of every run of letters, digits and underscores, with its end."""
        inside = (self.classes <= OTHER) | (self.folded == ord("_"))
        inside &= self.folded > 0
        bounded = np.zeros(len(inside) + 2, bool)
        bounded[1:-1] = inside
        edges = np.flatnonzero(bounded[1:] != bounded[:-1])
        self.word_starts, self.word_ends = edges[::2], edges[1::2]
        if not len(edges):
            self.words = np.zeros(0, np.uint32)
            return
        letters = self.folded * inside
        pairs = letters * PRIMES[0]
        pairs[1:] += letters[:-1] * PRIMES[1]
        mix(pairs)
        sums = np.add.reduceat(pairs * inside, self.word_starts, dtype=np.uint32)
        self.words = sums * (self.word_ends - self.word_starts <= MAX_WORD)

    def line_end(self, at: Ints) -> Ints:
        """Where the lines of places end."""
        return self.breaks[np.searchsorted(self.breaks, at)]

    def line_start(self, at: Ints) -> Ints:
        """Where the lines of places begin."""
        return np.append(EDGE - 1, self.breaks)[np.searchsorted(self.breaks, at)] + 1

    def words_before(self, at: Ints, count: int) -> Codes:
        """Hashes [count, place] of the last words before places; 0 where none is near."""
        words = np.concatenate([np.zeros(count, np.uint32), self.words])
        ends = np.concatenate([np.full(count, -MAX_REACH), self.word_ends])
        last = np.searchsorted(self.word_ends, at, "right")
        which = last + count - 1 - column(count)
        return words[which] * (at - ends[which] < MAX_REACH)

    def words_inside(self, begin: Ints, end: Ints, count: int, last: int) -> tuple[Codes, Codes]:
        """Hashes [count, span] of a span's first words, and [last, span] of its last ones."""
        first = np.searchsorted(self.word_ends, begin, "right")
        stop = np.searchsorted(self.word_starts, end)
        words = np.append(self.words, np.uint32(0))
        ahead, back = first + column(count), stop - 1 - column(last)
        ahead = np.where(ahead < stop, ahead, len(self.words))
        back = np.where(back >= first, back, len(self.words))
        return words[ahead], words[back]

    def words_after(self, at: Ints, count: int) -> Codes:
        """Hashes [count, place] of the words that begin at or after places, on their lines."""
        first = np.searchsorted(self.word_starts, at)
        words = np.concatenate([self.words, np.zeros(count, np.uint32)])
        ends = np.concatenate([self.word_ends, np.full(count, len(self.folded))])
        which = first + column(count)
        near = (ends[which] <= self.line_end(at)) & (ends[which] - at < MAX_REACH)
        return words[which] * near


@lru_cache(maxsize=1)
def codes_of(text: str) -> TextCodes:
    """The arrays of a text; cached, so that everything that reads the text shares them."""
    return TextCodes(text)


@lru_cache(maxsize=1)
def chunks(text: str) -> list[tuple[int, int]]:
    """Begin and end of each chunk between white space, quotes, brackets and commas that has a
    digit, ``@``, a colon or a slash."""
    codes = codes_of(text)
    inside = (codes.marks & BORDER == 0) & (codes.folded > 0) & ~codes.unspaced
    edges = np.flatnonzero(np.diff(inside.astype(np.int8))) + 1
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return []
    telling = np.append(0, np.cumsum(codes.marks & TELLING > 0))
    keep = telling[ends] > telling[starts]
    ends = np.minimum(ends, starts + MAX_VALUE)
    return list(zip((starts[keep] - EDGE).tolist(), (ends[keep] - EDGE).tolist()))
