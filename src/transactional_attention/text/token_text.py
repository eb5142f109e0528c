"""Token ids to text with character offsets, incrementally; one object per sequence.

In: the token ids of one sequence as they arrive. Out: the text that the tokenizer's own decode
gives, and the characters that every token covers. It knows no anchors, roles or caches.

Spans of tokens. A token covers every character to which it contributes a byte, so the tokens of a
split UTF-8 sequence all cover its character and their spans overlap. Starts and ends never
decrease, spans are half-open, and a token that adds nothing is empty. A UTF-8 sequence that is
incomplete at the end is not in ``text`` yet. Its tokens have empty spans at the end, and get the
character when it is complete, or U+FFFD if the tokenizer's decode gives that.

A text may forget: it keeps its end, and of the rest what is still needed. Positions and offsets
stay the same.
"""

from __future__ import annotations

import bisect
import copy
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..errors import InputError
from ..types import Ints, Span
from .decoding import Decoded, decoder_of
from .pieces import Offsets

GONE = "the text of a long stream is not kept: only what the cache holds can be shown"


class TokenText:
    """The text of one sequence and the character span of each of its tokens.

    ``first``: all characters from this one on are kept.
    """

    def __init__(self, tokenizer) -> None:
        self._decoder = decoder_of(tokenizer)
        self._open = 0  # the last tokens, which wait for more bytes; their ends are empty
        self._pieces: list[str] = []
        self._special: list[tuple[int, int]] = []
        self._spans: Offsets = np.zeros((2, 64), np.int64)
        self._len = 0
        self.num_chars = self.first = 0
        # What ``forget`` left of the beginning: its tokens are the first columns of `_spans`.
        self._numbers: Ints = np.zeros(0, np.int64)
        self._old: list[tuple[int, str]] = []  # their characters: where they begin, and the text
        self._dropped = 0
        self.settled: list[int] = []  # tokens so far, whenever ``settle`` had something to take

    def __len__(self) -> int:
        """Number of tokens appended, including incomplete and forgotten ones."""
        return self._len + self._dropped

    @property
    def whole(self) -> bool:
        """Whether nothing is forgotten."""
        return not self._dropped

    @property
    def text(self) -> str:
        """Everything that is settled. Raises InputError if part of it is forgotten."""
        if not self.whole:
            raise InputError(GONE)
        return self._end()[1]

    @property
    def starts(self) -> Offsets:
        """First character of every known token (``numbers``); a view, valid until the next
        append."""
        return self._spans[0, : self._len]

    @property
    def ends(self) -> Offsets:
        """One past the last character of every known token; a view."""
        return self._spans[1, : self._len]

    @property
    def numbers(self) -> Ints:
        """Which tokens are known, and the number of all: [known + 1]."""
        end = np.arange(len(self._numbers), self._len + 1) + self._dropped
        return np.concatenate([self._numbers, end])

    @property
    def num_settled(self) -> int:
        """Tokens of which all characters are known."""
        return len(self) - self._open

    def starts_of(self, first: int, last: int) -> tuple[list[int], list[int]]:
        """Begins and ends of some tokens in characters. Raises InputError if one of them is
        forgotten."""
        begin, end = self._column(first), self._column(last)
        if end - begin != last - first:
            raise InputError(GONE)
        return self.starts[begin:end].tolist(), self.ends[begin:end].tolist()

    def copy(self) -> TokenText:
        """An independent text with the same history."""
        other = copy.copy(self)
        other._decoder, other._spans = self._decoder.copy(), self._spans.copy()
        other._pieces, other._special = list(self._pieces), list(self._special)
        other.settled = list(self.settled)
        return other

    def append(self, ids: Sequence[int] | Offsets) -> None:
        """Add tokens at the end; InputError for a negative id."""
        array = np.asarray(ids, dtype=np.int64).reshape(-1)
        if array.size == 0:
            return
        if int(array.min()) < 0:
            raise InputError(f"token ids must be >= 0, got {int(array.min())}")
        self._add(self._decoder.feed(array))

    def settle(self) -> None:
        """At the end of a text: decode an incomplete character as the tokenizer does."""
        if self._open:
            self.settled.append(len(self))
            self._add(self._decoder.settle())

    def _add(self, decoded: Decoded) -> None:
        """Add characters and tokens; those that waited are placed anew."""
        self._len -= self._open
        total = self._len + len(decoded.starts)
        if total > self._spans.shape[1]:
            grown = np.zeros((2, max(total, 2 * self._spans.shape[1])), np.int64)
            grown[:, : self._len] = self._spans[:, : self._len]
            self._spans = grown
        self._spans[:, self._len : total] = decoded.starts, decoded.ends
        self._len, self._open = total, decoded.num_open
        self._special += decoded.special
        self._pieces.append(decoded.text)
        self.num_chars += len(decoded.text)

    def forget(self, before: int, kept: Ints) -> None:
        """Forget what ends at or before a character, except the tokens ``kept`` [token]."""
        starts, ends, numbers = self.starts, self.ends, self.numbers
        border = min(int(np.searchsorted(ends, before, "right")), self._len - self._open)
        end = min(before, int(starts[border])) if border < self._len else before
        old = np.flatnonzero(np.isin(numbers[:border], kept))
        runs = _runs(starts[old], ends[old])
        begin = runs.pop()[0] if runs and runs[-1][1] >= end else end  # what reaches the end is it
        columns = np.concatenate([old, np.arange(border, self._len)])
        self._special = [
            (a, b) for a, b in self._special if b > begin or any(a < y and x < b for x, y in runs)
        ]
        self._old = [(a, self._characters(a, b)) for a, b in runs]
        self._pieces, self.first = [self.shown_text(begin)], end
        self._numbers, total = numbers[old], len(self)
        self._spans = self._spans[:, columns]
        self._len = len(columns)
        self._dropped = total - self._len

    def text_of(self, tokens: Span) -> str:
        """The text of some tokens, at least one. Raises InputError if they are not known."""
        characters = self.chars_for(tokens)
        return self._characters(characters.start, characters.end)

    def chars_for(self, tokens: Span) -> Span:
        """The characters that some tokens cover, at least one token. Raises InputError if they are
        not known."""
        first, stop = self._column(tokens.start), self._column(tokens.end)
        if stop - first != len(tokens) or stop > self._len:
            raise InputError(GONE)
        return Span(int(self.starts[first]), int(self.ends[stop - 1]))

    def texts(self, spans: Sequence[Span]) -> list[str]:
        """The text of each character span; empty if not all of it is known."""
        places = [(0, ""), *self._old, self._end()]
        begins, texts = [begin for begin, _ in places], []
        for span in spans:
            begin, text = places[bisect.bisect_right(begins, span.start) - 1]
            part = text[span.start - begin : span.end - begin]
            texts.append(part if len(part) == len(span) else "")
        return texts

    def tokens_for(self, span: Span) -> Span:
        """The tokens whose characters overlap a character span, as a token span."""
        return self.tokens_for_each([span])[0]

    def tokens_for_each(self, spans: Sequence[Span]) -> list[Span]:
        """``tokens_for`` of many spans, looked up at once; of known tokens, from the first of them
        to the last."""
        stops = [min(span.end, self.num_chars) for span in spans]
        firsts = self.ends.searchsorted([span.start for span in spans], "right").tolist()
        lasts = self.starts.searchsorted(stops, "left").tolist()
        tokens = [
            Span(first, last if span.start < stop else first)
            for span, stop, first, last in zip(spans, stops, firsts, lasts, strict=True)
        ]
        if self.whole:
            return tokens
        numbers, of_all = self.numbers, []
        for known in tokens:
            begin = int(numbers[known.start])
            of_all.append(Span(begin, int(numbers[known.end - 1]) + 1 if known else begin))
        return of_all

    def scan_text(self, start: int = 0) -> str:
        """``text[start:]`` with the characters of special tokens as newlines, one for one; of what
        ``forget`` left before ``first``, as far as it goes without a gap."""
        begin, text = self._tail(start)
        if begin > start:
            stretches = ((a, old) for a, old in self._old if a <= start < a + len(old))
            begin, text = next(stretches, (start, ""))
        return hidden(text, begin, start, self._special)

    def shown_text(self, start: int) -> str:
        """``text[start:]`` as it stands, of what is not forgotten."""
        begin, tail = self._tail(start)
        return tail[start - begin :]

    def _tail(self, start: int) -> tuple[int, str]:
        """The pieces that reach beyond a character, and where they begin."""
        tail, begin = [], self.num_chars
        for piece in reversed(self._pieces):
            if begin <= start:
                break
            begin -= len(piece)
            tail.append(piece)
        return begin, "".join(reversed(tail))

    def _end(self) -> tuple[int, str]:
        """All that was never forgotten: where it begins, and the text; joined on demand, so that
        appending stays O(new text)."""
        self._pieces = ["".join(self._pieces)]
        return self.num_chars - len(self._pieces[0]), self._pieces[0]

    def _column(self, token: int) -> int:
        """Where a token stands among those that are known, or the next one does."""
        if token - self._dropped >= len(self._numbers):
            return token - self._dropped
        return int(self._numbers.searchsorted(token))

    def _characters(self, start: int, end: int) -> str:
        """The characters from one to another; InputError when not all of them are known."""
        places = [*self._old, self._end()]
        characters = "".join(text[max(start - a, 0) : max(end - a, 0)] for a, text in places)
        if len(characters) != end - start:
            raise InputError(GONE)
        return characters


def hidden(text: str, begin: int, start: int, special: Sequence[tuple[int, int]]) -> str:
    """The text from character ``start`` on, with newlines in place of special tokens.

    ``text`` is the part that begins at ``begin``; ``special``: begin and end of each special token,
    in order. No value crosses a newline, so none crosses a special token.
    """
    end, parts, done = begin + len(text), list[str](), start
    first = bisect.bisect_right(special, start, key=lambda span: span[1])
    for opened, closed in special[first:]:
        if opened >= end:
            break
        opened, closed = max(opened, done), min(closed, end)
        parts += [text[done - begin : opened - begin], "\n" * (closed - opened)]
        done = closed
    return "".join([*parts, text[done - begin :]])


def _runs(starts: Offsets, ends: Offsets) -> list[tuple[int, int]]:
    """Characters that tokens cover without gaps: begin and end of each stretch."""
    if not len(starts):
        return []
    reached = np.maximum.accumulate(ends)
    breaks = np.flatnonzero(starts[1:] > reached[:-1]) + 1
    borders = [0, *breaks.tolist(), len(starts)]
    return [(int(starts[a]), int(reached[b - 1])) for a, b in pairwise(borders)]
