"""What each cut decides by, recorded while someone watches; otherwise nothing is recorded.

Only positions and rules: it contains no text of a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..selection.slot_table import PADDING, SlotTable
from ..types import Bools, Floats, Ints, SponsoredSpan

LIMIT = 256  # cuts that one watcher takes: a run that cuts after every token would fill the memory


@dataclass(frozen=True)
class Cut:
    """One cut of the tokens that a layer holds, or that all layers hold alike (``layer`` None).

    ``positions``, ``utility``, ``voucher``, ``held`` [lane, slot]: before the cut; position -1 is
    padding. ``utility`` is without the voucher. ``held``: stays until the next cut, such as a value
    that was admitted whole. ``kept`` [lane, token]: positions after the cut, -1 at the end of
    shorter lanes. ``rows`` [lane]: row of the batch; its kv heads follow one another. ``spans``:
    row, value, and whether every lane of the row admitted it.
    """

    layer: int | None
    budget: int
    rows: Ints
    positions: Ints
    utility: Floats
    voucher: Floats
    held: Bools
    kept: Ints
    spans: tuple[tuple[int, SponsoredSpan, bool], ...]


@dataclass
class WatchedCuts:
    """What ``watching`` has seen: the first ``LIMIT`` cuts, and the number of cuts after these."""

    cuts: list[Cut] = field(default_factory=list)
    left_out: int = 0


_watcher: ContextVar[WatchedCuts | None] = ContextVar("watcher", default=None)


@contextmanager
def watching() -> Iterator[WatchedCuts]:
    """Record the first ``LIMIT`` cuts inside the ``with`` block, of all flows, in order."""
    watched = WatchedCuts()
    token = _watcher.set(watched)
    try:
        yield watched
    finally:
        _watcher.reset(token)


def note(
    tables: Mapping[Any, SlotTable], table: SlotTable, scores: Floats, keep: Ints | None
) -> None:
    """Record a cut of one of a flow's ``tables``, after its selection and before the table loses
    what is not in ``keep``."""
    watched = _watcher.get()
    if watched is None:
        return
    if len(watched.cuts) >= LIMIT:
        watched.left_out += 1
        return
    assert table.budget is not None
    key = next(key for key, known in tables.items() if known is table)
    taken = table.positions if keep is None else np.take_along_axis(table.positions, keep, 1)
    cut = Cut(
        layer=key[1] if isinstance(key, tuple) else None,
        budget=table.budget,
        rows=table.rows.copy(),
        positions=table.positions.copy(),
        utility=np.broadcast_to(scores, table.positions.shape).astype(float),
        voucher=table.voucher.copy(),
        held=table.held.copy(),
        kept=_kept(taken, table.limits),
        spans=_spans(table),
    )
    watched.cuts.append(cut)


def _kept(taken: Ints, limits: Ints | None) -> Ints:
    """Positions of every lane in order. A lane with a smaller budget holds only its last ones."""
    width = taken.shape[1]
    sizes = [width] * len(taken) if limits is None else np.minimum(limits, width).tolist()
    lanes = [np.sort(lane[width - size :]) for lane, size in zip(taken, sizes, strict=True)]
    lanes = [lane[lane != PADDING] for lane in lanes]
    longest = max(map(len, lanes))
    ends = [np.full(longest - len(lane), PADDING) for lane in lanes]
    return np.stack([np.concatenate(pair) for pair in zip(lanes, ends, strict=True)])


def _spans(table: SlotTable) -> tuple[tuple[int, SponsoredSpan, bool], ...]:
    """Every value that was offered, and whether all lanes of its row admitted it."""
    judged: dict[tuple[int, SponsoredSpan], bool] = {}
    for row, selected in zip(table.rows.tolist(), table.selected, strict=True):
        for span in (*selected.admitted, *selected.refused):
            judged[row, span] = judged.get((row, span), True) and span in selected.admitted
    return tuple((row, span, admitted) for (row, span), admitted in judged.items())
