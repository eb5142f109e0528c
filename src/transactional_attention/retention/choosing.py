"""Utility to selection for one slot table: what a cut keeps and holds, what gives way to a token.

Functions over a ``RetentionFlow``, which calls them; they know the flow's rows, registries and
scorer, and nothing of tensors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import BudgetError, NumericsError
from ..methods.scorers import TokenView
from ..selection.admission import Candidates
from ..selection.selection import Selected
from ..selection.slots import FORGOTTEN, PADDING, SlotTable
from ..selection.utility import comparable
from ..types import Floats, Ints

if TYPE_CHECKING:
    from .flow import RetentionFlow
    from .sequence import SequenceState


def hold(flow: RetentionFlow, table: SlotTable, scores: Floats) -> Ints:
    """Select in every lane by ``scores`` [lane, slot]: marks what must be held in the table, and
    returns the slots to keep, [lane, kept]."""
    limits, ranked = table.limits, _ranked(flow, scores)
    if limits is None:
        limits = np.full(len(ranked), table.capacity)
    chosen = [_select(flow, table, i, ranked[i], int(limits[i])) for i in range(len(ranked))]
    flow.selected[id(table)] = [selected for selected, _ in chosen]
    least = 1 if flow.method.newest else 0
    table.recent = np.array([max(selected.recent, least) for selected, _ in chosen])
    width = min(table.capacity, table.width)
    return np.stack([table.filled(i, slots, width) for i, (_, slots) in enumerate(chosen)])


def victims(flow: RetentionFlow, table: SlotTable) -> Ints:
    """The slot [lane] that gives way: padding where a lane has room, else the least useful."""
    scores = _ranked(flow, base_utility(flow, table))
    if table.padded:
        padding = table.positions == PADDING
        limits = table.width if table.limits is None else table.limits
        room = (~padding).sum(1) < limits
        scores = np.where(padding, np.where(room, -np.inf, np.inf)[:, None], scores)
    oldest = table.lanes_of(flow.lengths) - table.recent
    recent = table.positions >= oldest[:, None]
    return flow.selection.victim(scores, table.voucher, table.hold, recent)


def cut_scores(flow: RetentionFlow, table: SlotTable) -> Floats:
    """Base utility [lane, slot] at a cut; what is said of padding is not read.

    Notes anchor status and frequency in the table, as the registry and the texts know them now.
    """
    for lane, row in enumerate(table.rows):
        sequence, positions, ids = flow.sequences[row], table.positions[lane], table.ids[lane]
        if flow.reads_anchors:
            table.anchor[lane] = np.isin(positions, sequence.registry.anchor_positions())
        known = sequence.frequency(ids)
        table.frequency[lane] = np.where(ids == FORGOTTEN, table.frequency[lane], known)
    return base_utility(flow, table)


def base_utility(flow: RetentionFlow, table: SlotTable) -> Floats:
    """What the scorer says of the tokens as the table describes them, [lane, slot]."""
    lengths, rows = table.lanes_of(flow.lengths)[:, None], table.rows[:, None]
    view = TokenView(table.positions, lengths, table.anchor, table.frequency, rows, table.observed)
    base = flow.scorer.score(view)
    if table.observed is not None and not np.isfinite(base[table.positions != PADDING]).all():
        raise NumericsError(f"method {flow.method.name!r} measured scores that are not finite")
    return base


def candidates(
    flow: RetentionFlow, table: SlotTable, lane: int, live: Ints, scores: Floats
) -> Candidates:
    """The slots ``live`` of a lane, in order of position, with their scores [slot] and sponsors."""
    row = int(table.rows[lane])
    sequence, positions = flow.sequences[row], table.positions[lane, live]
    spans = [span for span, _ in sequence.explicit()]
    voucher = np.zeros(len(live))
    found = flow.sponsored(row)
    if found:
        spans += [s for s in found if table.holds(row, s.value)]
        if flow.retention.preset == "paper":
            seen = table.observed if flow.method.weighted else None
            shared = None if seen is None else seen[lane, live]
            voucher = sequence.registry.vouchers(positions, shared)
    return Candidates(positions, int(flow.lengths[row]), scores, voucher, spans)


def _ranked(flow: RetentionFlow, base: Floats) -> Floats:
    """What vouchers are added to (paper preset); allocations compare the scores themselves."""
    return comparable(base) if flow.method.twin and flow.retention.preset == "paper" else base


def _select(
    flow: RetentionFlow, table: SlotTable, lane: int, scores: Floats, budget: int
) -> tuple[Selected, Ints]:
    row = int(table.rows[lane])
    order = np.argsort(table.positions[lane], kind="stable")
    live = order[int((table.positions[lane] == PADDING).sum()) :]
    offered = candidates(flow, table, lane, live, scores[live])
    selected = flow.selection.select(offered, budget)
    _check_required(flow.sequences[row], selected, budget)
    table.voucher[lane, live] = offered.voucher
    table.hold[lane] = False
    table.hold[lane, live] = selected.hold
    return selected, live[selected.keep]


def _check_required(sequence: SequenceState, selected: Selected, budget: int) -> None:
    """Refuse a budget that cannot hold what the caller requires."""
    needed = [span for span, required in sequence.explicit() if required]
    if any(span in selected.refused for span in needed):
        tokens = len({t for s in needed for t in range(s.value.start, s.value.end)})
        raise BudgetError(
            f"budget {budget} is too small for the {tokens} protected tokens: "
            f"it needs at least {tokens + 2}"
        )
