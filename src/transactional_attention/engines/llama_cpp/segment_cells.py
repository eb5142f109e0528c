"""Segments that left a sequence of llama.cpp: their rows, on the host, and their addresses
(``retention.addresses``), which are those of the keys that come back.

Their keys stay at the places where they left. Which segments leave and come back, the flow says
(``retention.swap``).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...config import Memory
from ...errors import CacheStateError
from ...retention.addresses import Addresses, Keys, LayerQuery, addressed, shares
from ...retention.flow import RetentionFlow
from ...retention.saving.records import check
from ...retention.swap import TokenMove, by_segment, memory_of
from ...selection.places import Placed
from ...types import Floats, Ints
from .cells import HEAD, Cells, Rows, encoded, numbers, read_cells
from .context import Context
from .rows import RowFormat
from .shared_cells import shared
from .shifting import shifted


class SegmentCells:
    """Rows by the first token of a segment, [token, bytes]: they are never written to.
    ``kv_heads``: of a layer; 0 where layers differ, which never ask."""

    def __init__(self, given: Memory, kv_heads: int) -> None:
        self.given, self._kv_heads = given, max(1, kv_heads)
        self.format: RowFormat | None = None  # of the first that came
        self._held: dict[int, Rows] = {}
        self._key_places: dict[int, int] = {}  # of a segment's first key
        self._addresses = Addresses()
        self._address_places: dict[int, int] = {}  # places of the addresses

    def copy(self) -> SegmentCells:
        """An independent one."""
        other = copy.copy(self)
        other._held, other._key_places = dict(self._held), dict(self._key_places)
        other._addresses, other._address_places = self._addresses.copy(), dict(self._address_places)
        return other

    @property
    def num_bytes(self) -> int:
        """Bytes of all keys and values."""
        return sum(rows.nbytes for rows in self._held.values())

    @property
    def positions(self) -> Ints:
        """Of all tokens that wait, in order."""
        spans = (np.arange(start, start + len(self._held[start])) for start in sorted(self._held))
        return np.concatenate([np.zeros(0, np.int64), *spans])

    @property
    def places(self) -> Ints:
        """Where the first key of each segment that waits is, in order."""
        return np.array([self._key_places[start] for start in sorted(self._held)], np.int64)

    def exported(self) -> Rows | None:
        """The rows of all waiting segments, in order; None where there are none."""
        held = [self._held[start] for start in sorted(self._held)]
        return np.concatenate(held) if held else None

    def take(
        self, flow: RetentionFlow, cells: Cells, held: Placed, leaving: Sequence[TokenMove]
    ) -> None:
        """Take in the segments of a sequence that leave; ``cells``: all that it holds."""
        state, order = memory_of(flow.sequences[0]), np.argsort(cells.places)
        ascending = cells.places[order]
        self.format = self.format or RowFormat(self.given.storage, cells)
        for item in leaving:
            places = held.places[held.positions.searchsorted(item.positions)]
            rows = self.format.held(cells.taken(order[ascending.searchsorted(places)]))
            self._add(int(item.positions[0]), int(places[0]), rows)
            state.num_bytes += rows.nbytes
        state.keep_within(self.given.limit, self._drop)

    def resume(self, flow: RetentionFlow, form: Cells, rows: Rows, places: Ints | None) -> None:
        """Take in the ``rows`` [token, bytes] of all segments that wait, in their order, of cells
        in a ``form``; ``places``: None where they are the segments' own positions. Raises
        ValueError where the flow knows others."""
        state = memory_of(flow.sequences[0])
        spans = [state.segments[number].tokens for number in state.waiting()]
        if places is None:
            places = np.array([span.start for span in spans], np.int64)
        check(len(rows) == sum(map(len, spans)), "memory")
        check(len(places) == len(spans) and (places >= 0).all(), "memory places")
        if not spans:
            return
        self.format = RowFormat(self.given.storage, form)
        check(rows.shape[1] == self.format.num_bytes, "memory")
        at = 0
        for span, place in zip(spans, places.tolist(), strict=True):
            self._add(span.start, place, rows[at : (at := at + len(span))])
        state.num_bytes = self.num_bytes

    def _add(self, start: int, place: int, rows: Rows) -> None:
        self._held[start], self._key_places[start] = shared(rows), place
        if (keys := keys_of(self._cells(start))) is not None:
            self._addresses.add(start, self._by_head(keys.mean(1)))
            self._address_places.setdefault(start, place)

    def _by_head(self, keys: Keys) -> Keys:
        """Keys [..., width] as [..., kv_head, dim]."""
        return keys.reshape(*keys.shape[:-1], self._kv_heads, -1)

    def _drop(self, start: int) -> int:
        self._addresses.drop(start)
        self._address_places.pop(start, None)
        del self._key_places[start]
        return self._held.pop(start).nbytes

    def _cells(self, start: int) -> Cells:
        """Of a segment, with their keys as they wait."""
        assert self.format is not None
        rows, place = self._held[start], self._key_places[start]
        return self.format.read(np.arange(place, place + len(rows)), rows)

    def follow(self, context: Context, by: int, least: int) -> None:
        """Turn addresses to where their segments come back while tokens stand lower ``by`` so much,
        after ``least`` others."""
        starts = self._addresses.starts
        if not starts:
            return
        assert self.format is not None
        at = np.array([self._address_places[start] for start in starts])
        to = np.maximum(np.array(starts) - by, least)
        if not len(which := np.flatnonzero(at != to)):
            return
        form, means = self.format.form, self._addresses.means[which]
        rows = [np.zeros((len(which), *part.rows.shape[1:]), np.uint8) for part in form.parts]
        for place, layer in enumerate(addressed(form.layers)):
            rows[layer] = encoded(form.parts[layer], means[:, place].reshape(len(which), -1))
        keys = keys_of(shifted(context, form.filled(at[which], rows), to[which]))
        assert keys is not None
        self._addresses.change(which, self._by_head(keys.swapaxes(0, 1)))
        moved = np.array(starts)[which]
        self._address_places.update(zip(moved.tolist(), to[which].tolist(), strict=True))

    def scores(self, cells: Cells, queries: Sequence[Keys]) -> Floats | None:
        """What the newest token looks at, of segments that wait, in order, as ``shares``;
        ``queries`` [layer][head, dim], ``cells``: what is held. None where keys cannot be read."""
        keys, starts = keys_of(cells), self._addresses.starts
        if keys is None or not queries or len(starts) < len(self._held):
            return None
        if not starts:
            return np.zeros(0)
        looks = []
        for place, query in enumerate(queries):
            held, means = self._by_head(keys[place]).swapaxes(0, 1), self._addresses.of_layer(place)
            looks.append(LayerQuery(query / np.float32(np.sqrt(query.shape[-1])), held, means))
        return shares(looks, np.array([len(self._held[start]) for start in starts]))

    def at(self, positions: Ints) -> list[Cells]:
        """The cells of some tokens that wait, in their order."""
        segments = by_segment(self._held, positions)
        return [
            self._cells(start).taken(segment_positions - start)
            for start, segment_positions in segments
        ]


def keys_of(cells: Cells) -> Keys | None:
    """The keys [layer, cell, width] that are addresses; None for a type that is not read, and for
    keys that are rotated: queries are not."""
    if cells.rotated:
        return None
    chosen = [numbers(cells.parts[n]) for n in addressed(cells.layers)]
    return None if any(keys is None for keys in chosen) else np.stack(chosen)  # type: ignore[arg-type]


def exported(cells: NDArray[np.uint8]) -> Cells:
    """Of the bytes that the library exports."""
    return read_cells(cells, HEAD)


def rebuilt(
    context: Context, whole: NDArray[np.uint8], now: Ints, returning: Sequence[Cells], places: Ints
) -> NDArray[np.uint8]:
    """Bytes of a sequence that holds of a ``whole`` one the cells at ``now`` [token], and others,
    at new ``places`` [token]: first of those that stay, then of those that return. Raises
    CacheStateError where a place would be there twice."""
    if len(np.unique(places)) < len(places):
        raise CacheStateError("a token of this sequence would be held twice")
    cells = exported(whole)
    order = np.argsort(cells.places)
    index = order[cells.places[order].searchsorted(now)]
    to, still = places[: len(now)], now == places[: len(now)]
    laid = [shifted(context, cells.taken(index[~still]), to[~still])]
    at = len(now)
    for segment_cells in returning:
        laid.append(
            shifted(context, segment_cells, places[at : (at := at + len(segment_cells.places))])
        )
    return cells.spliced(whole[:HEAD], np.sort(index[still]), laid)
