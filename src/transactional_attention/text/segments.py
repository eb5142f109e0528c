"""A text in whole pieces as it is read: lines, sentences, parts of a record.

Where a piece ends depends on the text before that place alone, so that a text which comes in chunks
has the pieces of one that comes at once.
"""

from __future__ import annotations

import copy

from ..types import Span
from .token_text import TokenText

MOST, LEAST = 64, 16
"""Tokens of a segment, but for the last one."""
LINE, SENTENCE, PART, INSIDE = 3, 2, 1, 0  # what ends behind a token
_SENTENCE_END, _PART_END = ".!?;。！？；", ",;:)]}、，"


class Segmenter:
    """Finds the segments of one text.

    Args:
        most: tokens of a segment; of fewer than ``LEAST`` none is made where the text lets it.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most, self.least = most, min(LEAST, most)
        self.start = 0  # of the segment that is open
        self._ends: list[int] = []  # what ends behind each of its tokens

    @property
    def num_read(self) -> int:
        """Tokens of the text that it has looked at."""
        return self.start + len(self._ends)

    def resume(self, start: int, num_read: int, text: TokenText | None) -> None:
        """Stand where another stood; without the text nothing ends in what was read."""
        unknown = [INSIDE] * (num_read - start)
        self.start, self._ends = start, unknown if text is None else _ends_of(text, start, num_read)

    def copy(self) -> Segmenter:
        """An independent one that stands at the same place."""
        other = copy.copy(self)
        other._ends = list(self._ends)
        return other

    def read(self, text: TokenText) -> list[Span]:
        """The segments, in tokens, that end in what was read since it was last asked."""
        self._ends += _ends_of(text, self.num_read, text.num_settled)
        found: list[Span] = []
        while (size := self._size()) is not None:
            found.append(self._cut(size))
        return found

    def close(self) -> Span | None:
        """End the open segment where its text stands now; None where it has no token."""
        return self._cut(len(self._ends)) if self._ends else None

    def _cut(self, size: int) -> Span:
        span = Span(self.start, self.start + size)
        self.start, self._ends = span.end, self._ends[size:]
        return span

    def _size(self) -> int | None:
        """Tokens of the open segment, if it ends in what is known."""
        best = {SENTENCE: 0, PART: 0}
        for size, end in enumerate(self._ends, 1):
            if size >= self.least and (end == LINE or (end == SENTENCE and size >= self.most // 2)):
                return size
            if size >= self.least and end in best:
                best[end] = size
            if size == self.most:
                return best[SENTENCE] or best[PART] or size
        return None


def _ends_of(text: TokenText, first: int, last: int) -> list[int]:
    """What ends behind each of some tokens."""
    if first >= last:
        return []
    begins, ends = text.starts_of(first, last)
    said = text.scan_text(begins[0])
    return [_end(said[a - begins[0] : b - begins[0]]) for a, b in zip(begins, ends)]


def _end(said: str) -> int:
    """What ends behind a token of this text."""
    if "\n" in said:
        return LINE
    last = said.rstrip()[-1:]
    if not last:
        return INSIDE
    return SENTENCE if last in _SENTENCE_END else PART if last in _PART_END else INSIDE
