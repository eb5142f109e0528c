"""Texts of which a part is not known: a stream that forgot it, or a file that did not hold it.

They answer as ``TokenText`` does for tokens that they know; positions and characters are counted
on.
"""

import bisect
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..types import Ints, Span
from .pieces import Offsets
from .token_text import TokenText, hidden

GONE = "the text of a long stream is not kept: only what the cache holds can be shown"


class StreamedText(TokenText):
    """A text that forgets: its end, and of what came before only what is still asked for.

    ``starts`` and ``ends`` are those of the known tokens, see ``numbers``.

    Known are some old tokens, each with its characters, and all tokens of the text's end.
    """

    def __init__(self, text: TokenText) -> None:
        self.__dict__.update(text.copy().__dict__)
        self._numbers: Ints = np.zeros(0, np.int64)  # of the old tokens: the first columns
        self._dropped = 0
        self._old: list[tuple[int, str]] = []  # their characters: where they begin, and the text
        self.first = 0  # the text's end

    def __len__(self) -> int:
        return self._len + self._dropped

    @property
    def whole(self) -> bool:
        """Whether nothing is forgotten."""
        return not self._dropped

    @property
    def text(self) -> str:
        """All of it, as long as it is whole; InputError when it is not."""
        if not self.whole:
            raise InputError(GONE)
        return super().text

    @property
    def numbers(self) -> Ints:
        """Which tokens are known, and the number of all: [known + 1]."""
        end = np.arange(len(self._numbers), self._len + 1) + self._dropped
        return np.concatenate([self._numbers, end])

    def forget(self, before: int, kept: Ints) -> None:
        """Forget what ends at or before a character, but not the tokens ``kept`` [token]."""
        starts, ends, numbers = self.starts, self.ends, self.numbers
        border = min(int(np.searchsorted(ends, before, "right")), self._len - self._open)
        end = min(before, int(starts[border])) if border < self._len else before
        old = np.flatnonzero(np.isin(numbers[:border], kept))
        runs = [(a, b, self._raw(a, b)) for a, b in _runs(starts[old], ends[old])]
        tail = "".join(self._pieces)[end - self.first :]
        columns = np.concatenate([old, np.arange(border, self._len)])
        self._special = [
            (a, b) for a, b in self._special if b > end or any(a < y and x < b for x, y, _ in runs)
        ]
        self._old = [(a, text) for a, _, text in runs]
        self._pieces, self.first = [tail], end
        self._numbers, total = numbers[old], len(self)
        self._spans = self._spans[:, columns]
        self._len = len(columns)
        self._dropped = total - self._len

    def tokens_for_each(self, spans: Sequence[Span]) -> list[Span]:
        """Of every span the known tokens that overlap it, from the first to the last."""
        numbers, found = self.numbers, []
        for known in super().tokens_for_each(spans):
            begin = int(numbers[known.start])
            found.append(Span(begin, int(numbers[known.end - 1]) + 1 if len(known) else begin))
        return found

    def said(self, tokens: Span) -> str:
        """The text of known tokens; InputError for others."""
        characters = self.chars_for(tokens)
        return self._raw(characters.start, characters.end)

    def chars_for(self, tokens: Span) -> Span:
        """The characters of known tokens; InputError for others."""
        first = int(self.numbers.searchsorted(tokens.start))
        last = first + len(tokens) - 1
        if last >= self._len or int(self.numbers[last]) != tokens.end - 1:
            raise InputError(GONE)
        return Span(int(self.starts[first]), int(self.ends[last]))

    def texts(self, spans: Sequence[Span]) -> list[str]:
        """The text of each character span; empty where it is not known whole."""
        places = [(0, ""), *self._old, (self.first, "".join(self._pieces))]
        begins, found = [begin for begin, _ in places], []
        for span in spans:
            begin, text = places[bisect.bisect_right(begins, span.start) - 1]
            part = text[span.start - begin : span.end - begin]
            found.append(part if len(part) == len(span) else "")
        return found

    def scan_text(self, start: int = 0) -> str:
        """``text[start:]`` as ``TokenText`` has it; of an old place, as far as it is known."""
        if start >= self.first:
            return super().scan_text(start)
        for begin, text in self._old:
            if begin <= start < begin + len(text):
                return hidden(text, begin, start, self._special)
        return ""

    def _raw(self, start: int, end: int) -> str:
        """The characters from one to another, all of them known."""
        places = [*self._old, (self.first, "".join(self._pieces))]
        parts = [text[max(start - a, 0) : max(end - a, 0)] for a, text in places]
        found = "".join(parts)
        if len(found) != end - start:
            raise InputError(GONE)
        return found


def _runs(starts: Offsets, ends: Offsets) -> list[tuple[int, int]]:
    """Characters that tokens cover, without gaps: begin and end of each stretch."""
    if not len(starts):
        return []
    reached = np.maximum.accumulate(ends)
    breaks = np.flatnonzero(starts[1:] > reached[:-1]) + 1
    borders = [0, *breaks.tolist(), len(starts)]
    return [(int(starts[a]), int(reached[b - 1])) for a, b in pairwise(borders)]


class Mark(NamedTuple):
    """A character, the number of tokens that end at or before it, and that begin before it."""

    char: int
    ended: int
    begun: int


def marks_of(text: TokenText, chars: Iterable[int]) -> list[Mark]:
    """What has to be known of the tokens so that ranges with these ends are found again."""
    inside = sorted({char for char in chars if char < text.num_chars})
    ended = text.numbers[np.searchsorted(text.ends, inside, "right")].tolist()
    begun = text.numbers[np.searchsorted(text.starts, inside, "left")].tolist()
    return [Mark(*mark) for mark in zip(inside, ended, begun, strict=True)]


def digest(text: TokenText, salt: bytes) -> str:
    """A salted hash of a text with its offsets, by which it is known when it is given again."""
    found = blake2b(text.text.encode("utf-8", "surrogatepass"), digest_size=16, key=salt)
    found.update(text.starts.astype("<i8").tobytes())
    found.update(text.ends.astype("<i8").tobytes())
    return found.hexdigest()


class BlankText(TokenText):
    """``tokens`` tokens and ``chars`` characters that are not known, and text after them.

    What follows gets the offsets that it would have had. Newlines stand for what is unknown, so
    that no label and no value is found there. Token spans in the unknown part are coarse: right at
    the ``marks``, and in order.
    """

    def __init__(self, tokenizer, tokens: int, chars: int, marks: Sequence[Mark]) -> None:
        super().__init__(tokenizer)
        self.first = chars
        self._emit("\n" * chars)
        starts, ends = np.zeros(tokens, np.int64), np.full(tokens, chars, np.int64)
        for char, _, begun in marks:
            starts[begun:] = char
        for char, ended, _ in reversed(marks):
            ends[:ended] = char
        self._push(starts, ends)
