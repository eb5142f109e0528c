"""A text in whole pieces as it is read: lines, sentences, parts of a record.

Where a piece ends depends on the text, not on its chunks; only ``close`` ends one early.
"""

from __future__ import annotations

import copy

from ..types import Span
from .token_text import TokenText

MOST, LEAST = 64, 16
"""Most and least tokens of a segment; the last one may be shorter."""
LINE, SENTENCE, PART, INSIDE = 3, 2, 1, 0  # what ends after a token
_SENTENCE_END, _PART_END = ".!?。！？；", ",;)]}、，"


class Segmenter:
    """Finds the segments of one text.

    Args:
       most: tokens of a segment. Segments below ``LEAST`` are avoided if the text allows it.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most, self.least = most, min(LEAST, most // 2)
        self.start = 0  # of the segment that is open
        self._ends: list[int] = []  # what ends after each of its tokens

    @property
    def num_read(self) -> int:
        """Tokens of the text that were looked at."""
        return self.start + len(self._ends)

    def resume(self, start: int, num_read: int, text: TokenText | None) -> None:
        """Continue at the place of another one. Without the text, nothing ends in what was read."""
        unknown = [INSIDE] * (num_read - start)
        self.start, self._ends = start, unknown if text is None else _ends_of(text, start, num_read)

    def copy(self) -> Segmenter:
        """An independent copy at the same place."""
        other = copy.copy(self)
        other._ends = list(self._ends)
        return other

    def read(self, text: TokenText) -> list[Span]:
        """Segments, in tokens, that have ended since the last call. The last token is left, because
        only the next one tells whether a sentence ends there."""
        self._ends += _ends_of(text, self.num_read, text.num_settled - 1)
        segments: list[Span] = []
        while size := self._size():
            segments.append(self._cut(size))
        return segments

    def close(self, end: int | None = None) -> Span | None:
        """End the open segment at the end of the text, or at the token ``end``; None if it has no
        token."""
        size = len(self._ends)
        size = size if end is None else min(size, end - self.start)
        return self._cut(size) if size > 0 else None

    def _cut(self, size: int) -> Span:
        span = Span(self.start, self.start + size)
        self.start, self._ends = span.end, self._ends[size:]
        return span

    def _size(self) -> int:
        """Tokens of the open segment if its end is known, otherwise 0. It ends with a line that is
        not too long, otherwise with a sentence or a part of a record from half of the most
        on."""
        known = self._ends[: self.most]
        for size in range(self.least, len(known) + 1):
            if known[size - 1] == LINE:
                return size
        if len(known) < self.most:
            return 0
        for wanted in (SENTENCE, PART):
            for size in range(max(self.least, self.most // 2), self.most + 1):
                if known[size - 1] == wanted:
                    return size
        return self.most


def _ends_of(text: TokenText, first: int, last: int) -> list[int]:
    """What ends after each of some tokens."""
    if first >= last:
        return []
    begins, ends = text.starts_of(first, last)
    begin = begins[0]
    characters = text.scan_text(begin)
    return [
        _end(characters[a - begin : b - begin], characters[b - begin : b - begin + 1])
        for a, b in zip(begins, ends, strict=True)
    ]


def _end(content: str, after: str) -> int:
    """What ends after a token with this text; ``after`` is the next character."""
    if "\n" in content:
        return LINE
    bare = content.rstrip()
    last, spaced = bare[-1:], after.isspace() or bare != content
    if not last:
        return INSIDE
    if last in _SENTENCE_END and (spaced or not last.isascii()):
        return SENTENCE
    inside = last == "," and not spaced and after.isdigit()  # of a number
    return PART if last in _PART_END and not inside else INSIDE
