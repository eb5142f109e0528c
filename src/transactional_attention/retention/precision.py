"""Which of the kept pairs stay in full precision; the others are stored in low precision.

A pair (the key and the value of one token in one kv head) is full, then low, then evicted, and
never goes back. The budget counts pairs of both kinds. Nothing is lowered before something is
evicted.
"""

from collections.abc import Sequence

import numpy as np

from ..methods.method import Precision
from ..selection.selection import GUARD, guarded
from ..selection.slot_table import PADDING, SlotTable
from ..types import Bools, Floats, Ints
from .flow import RetentionFlow, Step


def lower(
    flow: RetentionFlow, rule: Precision, steps: Sequence[Step], weights: Floats | None
) -> list[Bools | None]:
    """After a forward, mark the least useful pairs beyond each table's share of full precision as
    low. Returns the low slots [lane, slot] of each table; None where nothing was lowered.

    ``weights`` [layer, row]: what the rule splits the shares by; given with a prompt. A held token
    that is also recent is counted twice, because when the window moves on, both must stay in full
    precision.
    """
    tables = list(flow.tables.values())
    if any(table.budget is None for table in tables):
        return [None] * len(tables)
    shares = rule.shares(np.array([table.budget for table in tables]), weights)
    lowered: list[Bools | None] = []
    for table, step, share in zip(tables, steps, shares, strict=True):
        if weights is not None or step.keep is not None or table.sharp is None:
            table.sharp = np.broadcast_to(share, flow.lengths.shape)[table.rows]
        if step.slots is None:  # a prompt that evicts nothing may have brought more to hold
            needed = (table.held & ~table.quantised).sum(1) + table.recent
            table.sharp = np.maximum(table.sharp, needed)
        evicted = step.keep is not None or step.slots is not None
        lowered.append(_lower(flow, table) if evicted else None)
    return lowered


def _lower(flow: RetentionFlow, table: SlotTable) -> Bools | None:
    """Lower the least useful pairs of every lane beyond its share."""
    assert table.sharp is not None
    full = (~table.quantised).sum(1)
    table.sharp = np.clip(table.sharp, 1, full)  # a decode step changes a full one for the new
    extra = full - table.sharp
    if not extra.any():
        return None
    order = _order(flow, table)
    for lane, count in enumerate(extra.tolist()):
        table.quantised[lane, np.argsort(order[lane], kind="stable")[:count]] = True
    return table.quantised.copy()


def demote(flow: RetentionFlow, table: SlotTable, slots: Ints) -> Ints:
    """In a decode step: the slot [lane] that becomes low, because the new token is full.

    It is ``slots``, the new token's own, if none does: then the evicted token was full too. For
    tables that had low slots before the step.
    """
    assert table.sharp is not None
    lanes, order = np.arange(len(slots)), _order(flow, table)
    order[lanes, slots] = np.inf
    over = (~table.quantised).sum(1) > table.sharp
    demoted = np.where(over, order.argmin(1), slots)
    table.quantised[lanes, demoted] = over
    return demoted


def _order(flow: RetentionFlow, table: SlotTable) -> Floats:
    """Who becomes low first, [lane, slot]: padding, low utility, recent, held; never a slot that is
    low."""
    padding = table.positions == PADDING
    utility = np.where(padding, -np.inf, flow.base_utility(table))
    recent = table.is_recent(flow.lengths)
    order = np.minimum(guarded(utility, table.held, recent), 2 * GUARD)
    return np.where(table.quantised, np.inf, order)
