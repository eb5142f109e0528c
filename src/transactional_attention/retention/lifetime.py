"""What ends while tokens are held: values that lost a token, and values that are released."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..config import Unit
from ..selection.selection import PartitionSelection, SpanSelection
from ..selection.slots import PADDING, SlotTable
from ..types import Bools, Ints, Span, SponsoredSpan

if TYPE_CHECKING:
    from .flow import RetentionFlow

Selection = SpanSelection | PartitionSelection


def forget_evicted(flow: RetentionFlow) -> None:
    """Values that lost a token are sponsored no longer, so that registries stay bounded by K."""
    if flow.retention.preset == "default" and flow.lengths.any():
        for row, sequence in enumerate(flow.sequences):
            sequence.registry.keep_only(partial(whole_in, flow.tables.values(), row))


def step(flow: RetentionFlow) -> None:
    """One generated token went by: B <- 0.9 B (paper, algorithm 1, line 10), or the optional decay
    of the default preset."""
    numbers = flow.retention.sponsorship
    if flow.retention.preset == "paper":
        for sequence in flow.sequences:
            sequence.registry.decay()
        for table in flow.tables.values():
            table.voucher *= numbers.step_decay
    elif numbers.fade_per == "step":
        for row, sequence in enumerate(flow.sequences):
            _end(flow, row, sequence.registry.fade())


def release(flow: RetentionFlow, row: int, span: Span, unit: Unit) -> int:
    """End the protection of what overlaps a range of a row; how many values and ranges it was."""
    released = flow.sequences[row].release(span, unit)
    _end(flow, row, released)
    return len(released)


def _end(flow: RetentionFlow, row: int, released: Sequence[SponsoredSpan]) -> None:
    if released:
        others = [span for span, _ in flow.sequences[row].explicit()] + flow.sponsored(row)
        let_go(flow.tables.values(), row, released, others, flow.selection)


def whole_in(tables: Iterable[SlotTable], row: int, spans: Sequence[SponsoredSpan]) -> list[bool]:
    """Whether some layer and kv head still holds each value of a row whole."""
    starts = np.array([span.value.start for span in spans], np.int64)
    ends = np.array([span.value.end for span in spans], np.int64)
    whole = np.zeros(len(spans), bool)
    for table in tables:
        for positions in np.sort(table.positions[table.rows == row], 1):
            held = np.searchsorted(positions, ends) - np.searchsorted(positions, starts)
            whole |= held == ends - starts
    return whole.tolist()


def let_go(
    tables: Iterable[SlotTable],
    row: int,
    released: Sequence[SponsoredSpan],
    others: Sequence[SponsoredSpan],
    selection: Selection,
) -> None:
    """Released values are held no longer: their tokens may give way at the next step.

    Tokens that ``others`` hold as well stay held, and the sinks.
    """
    mine = _covered(released, selection)
    kept = _covered(others, selection)
    for table in tables:
        of_row = table.rows == row
        positions = table.positions[of_row]
        free = _inside(positions, mine) & ~_inside(positions, kept)
        table.hold[of_row] &= ~(free & (positions >= selection.sinks) & (positions != PADDING))


def _covered(spans: Sequence[SponsoredSpan], selection: Selection) -> list[Span]:
    return [part for s in spans for part in (selection.extent(s), *selection.before(s))]


def _inside(positions: Ints, spans: Sequence[Span]) -> Bools:
    inside = np.zeros(positions.shape, bool)
    for span in spans:
        inside |= (positions >= span.start) & (positions < span.end)
    return inside
