"""The token ids that a sequence has read, and how often each of them stood in prompts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..selection.utility import frequency
from ..types import Floats, Ints, Span

UNKNOWN = -1  # the first ids of a saved cache that was loaded without its text
Ids = Sequence[int] | Ints


class ReadIds:
    """The ids of one sequence, to tell whether another prompt continues them; ``UNKNOWN`` where
    they are not known. Four bytes per token, as long as the sequence lives. They spell its text, so
    no error, report or saved cache shows them.

    ``counts`` [id]: how often each id stood in prompts; ``counted``: the token ranges of these.
    ``most``: how often the most frequent one did in what a saved cache had read, where nothing else
    is known of that.
    """

    def __init__(self) -> None:
        self._blocks: list[NDArray[np.int32]] = []
        self._length = self.most = 0
        self.counts = np.zeros(0, np.int64)
        self.counted: list[Span] = []

    def __len__(self) -> int:
        """Number of tokens read."""
        return self._length

    def append(self, ids: Ids) -> None:
        """Add what was read, without counting it."""
        self._blocks.append(np.asarray(ids, np.int32))
        self._length += len(ids)

    def count(self, ids: Ids) -> None:
        """Add what was read in a prompt."""
        start, end = len(self), len(self) + len(ids)
        self.append(ids)
        if self.counted and self.counted[-1].end == start:
            start = self.counted.pop().start
        self.counted.append(Span(start, end))
        new = np.bincount(np.asarray(ids, dtype=np.int64), minlength=len(self.counts))
        new[: len(self.counts)] += self.counts
        self.counts = new

    def copy(self) -> ReadIds:
        """An independent copy."""
        other = ReadIds()
        other._blocks = list(self._blocks)  # no block is ever written to
        other._length, other.most = self._length, self.most
        other.counts, other.counted = self.counts, list(self.counted)  # counts are made anew
        return other

    @property
    def array(self) -> NDArray[np.int32]:
        """All ids, [token]; do not write to it."""
        if len(self._blocks) != 1:
            self._blocks = [np.concatenate([np.zeros(0, np.int32), *self._blocks])]
        return self._blocks[0]

    def common(self, ids: Ids, start: int = 0) -> int:
        """How many tokens ``ids`` have in common with what was read from ``start`` on."""
        read, given = self.array[start:], np.asarray(ids, np.int64)
        length = min(len(read), len(given))
        same = read[:length] == given[:length]
        return length if same.all() else int(same.argmin())

    @property
    def highest(self) -> int:
        """How often the most frequent id stood in prompts, as far as known."""
        return max(int(self.counts.max(initial=0)), self.most)

    def frequency(self, ids: Ints) -> Floats:
        """F of the ids (see ``utility.frequency``)."""
        frequencies = frequency(ids, self.counts)
        if self.most:
            frequencies *= min(1.0, int(self.counts.max(initial=0)) / self.most)
        return frequencies
