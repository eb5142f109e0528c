"""The token ids that a sequence has read, to tell whether another prompt goes on with them.

Four bytes a token, for as long as the sequence lives. They spell its text: no error, report or
saved cache shows them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..types import Ints

UNKNOWN = -1  # the first ids of a saved cache that was loaded without its text


class ReadIds:
    """Ids in the order of reading; ``UNKNOWN`` where they are not at hand."""

    def __init__(self) -> None:
        self._blocks: list[NDArray[np.int32]] = []

    def append(self, ids: Sequence[int] | Ints) -> None:
        """Add what was read."""
        self._blocks.append(np.asarray(ids, np.int32))

    def copy(self) -> ReadIds:
        """Independent ids with the same beginning."""
        other = ReadIds()
        other._blocks = list(self._blocks)  # no block is ever written to
        return other

    @property
    def array(self) -> NDArray[np.int32]:
        """All ids, [token]; not to be written to."""
        if len(self._blocks) != 1:
            self._blocks = [np.concatenate([np.zeros(0, np.int32), *self._blocks])]
        return self._blocks[0]

    def common(self, ids: Sequence[int] | Ints, start: int = 0) -> int:
        """Tokens that ``ids`` begin with in common with what was read from ``start`` on."""
        read, given = self.array[start:], np.asarray(ids, np.int64)
        length = min(len(read), len(given))
        same = read[:length] == given[:length]
        return length if same.all() else int(same.argmin())
