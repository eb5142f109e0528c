"""Segments that left a sequence of llama.cpp: their rows, on the host, and their addresses
(``retention.addresses``), which are those of the keys that come back.

They come back at their own places. Which segments leave and come back, the flow says
(``retention.swap``).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...config import Memory
from ...errors import CacheStateError
from ...retention.addresses import Addresses, Keys, Look, addressed, shares
from ...retention.flow import RetentionFlow
from ...retention.saving.records import check
from ...retention.swap import TokenMove, by_segment, memory_of
from ...types import Floats, Ints
from .cells import HEAD, Cells, Rows, numbers, read_cells
from .rows import RowFormat
from .shared_cells import shared


class SegmentCells:
    """Rows by the first token of a segment, [token, bytes]: they are never written to."""

    def __init__(self, given: Memory) -> None:
        self.given = given
        self.format: RowFormat | None = None  # of the first that came
        self._held: dict[int, Rows] = {}
        self._addresses = Addresses()  # [layer, width]

    def copy(self) -> SegmentCells:
        """An independent one."""
        other = copy.copy(self)
        other._held, other._addresses = dict(self._held), self._addresses.copy()
        return other

    @property
    def num_bytes(self) -> int:
        """Bytes of all keys and values."""
        return sum(rows.nbytes for rows in self._held.values())

    @property
    def places(self) -> Ints:
        """Of all tokens that wait, in order."""
        spans = (np.arange(start, start + len(self._held[start])) for start in sorted(self._held))
        return np.concatenate([np.zeros(0, np.int64), *spans])

    def exported(self) -> Rows | None:
        """The rows of all of them, in order; None where there are none."""
        held = [self._held[start] for start in sorted(self._held)]
        return np.concatenate(held) if held else None

    def take(self, flow: RetentionFlow, cells: Cells, leaving: Sequence[TokenMove]) -> None:
        """Take in the segments of a sequence that leave; ``cells``: all that it holds."""
        state, order = memory_of(flow, 0), np.argsort(cells.places)
        places = cells.places[order]
        self.format = self.format or RowFormat(self.given.storage, cells)
        for item in leaving:
            own = self.format.held(cells.taken(order[places.searchsorted(item.positions)]))
            self._add(int(item.positions[0]), own)
            state.num_bytes += own.nbytes
        state.keep_within(self.given.limit, self._drop)

    def resume(self, flow: RetentionFlow, form: Cells, rows: Rows) -> None:
        """Take in the ``rows`` [token, bytes] of all segments that wait, in their order, of cells
        in a ``form``. Raises ValueError where the flow knows others."""
        state = memory_of(flow, 0)
        spans = [state.segments[number].tokens for number in state.waiting()]
        check(len(rows) == sum(map(len, spans)), "memory")
        if not spans:
            return
        self.format = RowFormat(self.given.storage, form)
        check(rows.shape[1] == self.format.num_bytes, "memory")
        at = 0
        for span in spans:
            self._add(span.start, rows[at : (at := at + len(span))])
        state.num_bytes = self.num_bytes

    def _add(self, start: int, rows: Rows) -> None:
        self._held[start] = shared(rows)
        if (keys := keys_of(self._cells(start))) is not None:
            self._addresses.add(start, keys.mean(1))

    def _drop(self, start: int) -> int:
        self._addresses.drop(start)
        return self._held.pop(start).nbytes

    def _cells(self, start: int) -> Cells:
        """Of a segment, as they come back."""
        assert self.format is not None
        rows = self._held[start]
        return self.format.read(np.arange(start, start + len(rows)), rows)

    def scores(self, cells: Cells, queries: Sequence[Keys], kv_heads: int) -> Floats | None:
        """What the newest token looks at, of segments that wait, in order, as ``shares``;
        ``queries`` [layer][head, dim], ``cells``: what is held. None where keys cannot be read."""
        keys, starts = keys_of(cells), self._addresses.starts
        if keys is None or not queries or len(starts) < len(self._held):
            return None
        if not starts:
            return np.zeros(0)
        looks = []
        for place, query in enumerate(queries):
            held = keys[place].reshape(len(cells.places), kv_heads, -1).swapaxes(0, 1)
            means = self._addresses.means[:, place].reshape(len(starts), kv_heads, -1)
            looks.append(Look(query / np.float32(np.sqrt(query.shape[-1])), held, means))
        return shares(looks, np.array([len(self._held[start]) for start in starts]))

    def at(self, positions: Ints) -> list[Cells]:
        """The cells of some tokens that wait, in their order."""
        found = by_segment(self._held, positions)
        return [self._cells(start).taken(own - start) for start, own in found]


def keys_of(cells: Cells) -> Keys | None:
    """The keys [layer, cell, width] that are addresses; None for a type that is not read, and for
    keys that are rotated: queries are not."""
    if cells.rotated:
        return None
    chosen = [numbers(cells.parts[n]) for n in addressed(cells.layers)]
    return None if any(own is None for own in chosen) else np.stack(chosen)  # type: ignore[arg-type]


def exported(cells: NDArray[np.uint8]) -> Cells:
    """Of the bytes that the library exports."""
    return read_cells(cells, HEAD)


def rebuilt(
    whole: NDArray[np.uint8], kept: Ints, returning: Sequence[Cells]
) -> tuple[NDArray[np.uint8], Ints]:
    """Bytes of a sequence that holds of a ``whole`` one the places ``kept``, and other cells; and
    where its cells are, in order. Raises CacheStateError where a place would be there twice."""
    cells = exported(whole)
    which = np.flatnonzero(np.isin(cells.places, kept))
    every = np.concatenate([cells.places[which], *(own.places for own in returning)])
    places = np.sort(every)
    if (np.diff(places) < 1).any():
        raise CacheStateError("a token of this sequence would be held twice")
    return np.concatenate([whole[:HEAD], cells.spliced(which, returning)]), places
