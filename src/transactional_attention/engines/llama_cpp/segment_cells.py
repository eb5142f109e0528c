"""Segments that left a sequence of llama.cpp: their cells, on the host, as the library wrote them,
and their addresses (``retention.addresses``).

They come back bit for bit, at their own places. Which segments leave and come back, the flow says
(``retention.swap``).
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...config import Memory
from ...errors import CacheStateError
from ...retention.addresses import Addresses, Keys, Look, addressed, shares
from ...retention.flow import RetentionFlow
from ...retention.saving.records import check
from ...retention.swap import TokenMove, memory_of
from ...types import Floats, Ints
from .cells import HEAD, Cells, joined, numbers, read_cells


class SegmentCells:
    """Cells by the first token of a segment."""

    def __init__(self, given: Memory) -> None:
        self.given = given
        self._held: dict[int, Cells] = {}
        self._addresses = Addresses()  # [layer, width]

    def copy(self) -> SegmentCells:
        """An independent one; cells are never written to."""
        other = copy.copy(self)
        other._held, other._addresses = dict(self._held), self._addresses.copy()
        return other

    @property
    def num_bytes(self) -> int:
        """Bytes of all keys and values."""
        return sum(map(_num_bytes, self._held.values()))

    def exported(self) -> Cells | None:
        """The cells of all segments, in order; None where there are none."""
        starts = sorted(self._held)
        return joined([self._held[start] for start in starts]) if starts else None

    def take(self, flow: RetentionFlow, cells: Cells, leaving: Sequence[TokenMove]) -> None:
        """Take in the segments of a sequence that leave; ``cells``: all that it holds."""
        state, order = memory_of(flow, 0), np.argsort(cells.places)
        places = cells.places[order]
        for item in leaving:
            own = cells.taken(order[places.searchsorted(item.positions)]).bare()
            self._add(int(item.positions[0]), own)
            state.num_bytes += _num_bytes(own)
        for number in state.over(self.given.limit):
            own = self._held.pop(start := state.segments[number].tokens.start)
            self._addresses.drop(start)
            state.lose(number, _num_bytes(own))

    def resume(self, flow: RetentionFlow, cells: Cells | None) -> None:
        """Take in the cells of all segments that wait, in their order. Raises ValueError where the
        flow knows others."""
        state = memory_of(flow, 0)
        spans = [state.segments[number].tokens for number in state.waiting()]
        every = [np.arange(span.start, span.end) for span in spans]
        wanted = np.concatenate([np.zeros(0, np.int64), *every])
        if cells is not None:
            cells = cells.taken(np.argsort(cells.places, kind="stable"))
        found = np.zeros(0, np.int64) if cells is None else cells.places
        check(np.array_equal(found, wanted), "memory")
        at = 0
        for span in spans:
            assert cells is not None
            self._add(span.start, cells.taken(np.arange(at, at := at + len(span))))
        state.num_bytes = self.num_bytes

    def _add(self, start: int, cells: Cells) -> None:
        self._held[start] = cells
        if (keys := keys_of(cells)) is not None:
            self._addresses.add(start, keys.mean(1))

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
        return shares(looks, np.array([len(self._held[start].places) for start in starts]))

    def at(self, positions: Ints) -> list[Cells]:
        """The cells of some tokens, in their order."""
        starts, found, at = sorted(self._held), list[Cells](), 0
        while at < len(positions):
            cells = self._held[starts[bisect_right(starts, int(positions[at])) - 1]]
            end = int(positions.searchsorted(cells.places[-1] + 1))
            found.append(cells.taken(cells.places.searchsorted(positions[at:end])))
            at = end
        return found


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


def _num_bytes(cells: Cells) -> int:
    return sum(part.rows.nbytes for part in cells.parts)
