"""One threshold over all layers and kv heads (KVzip, 2505.23416; code MIT)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transactional_attention.methods.allocation import Allocation
from transactional_attention.selection.slot_table import SlotTable
from transactional_attention.types import Floats, Ints

from .splitting import Ends, crowded_rows


@dataclass(frozen=True)
class Threshold(Allocation):
    """A kv head keeps its tokens among the row's best scores of all layers and heads.

    As many are best as the budgets leave beside the tokens that are always kept; so a row holds
    layers x heads x K in all, at any length (the authors keep a share of the context, less the pair
    at the threshold). Decided when the context is cut, once; later turns and generated tokens
    compete within their head. Shorter heads are padded and the padding hidden: the saving is
    masked, not physical.
    """

    ends: Ends
    joint = True
    ragged = True

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane]; K for every head of a row that K holds whole."""
        budgets = np.array([table.budget for table in tables])
        limits = [np.full(len(table.rows), table.budget) for table in tables]
        for lanes in crowded_rows(tables):
            compete = np.stack([self.ends.competing(t.positions[lanes]) for t in tables])
            lane = np.nonzero(compete.reshape(-1, compete.shape[-1]))[0]
            competing = np.stack([line[lanes] for line in scores])[compete]
            count = int(np.maximum(budgets - self.ends.size, 0).sum()) * len(lanes)
            best = np.argsort(-competing, kind="stable")[:count]
            split = np.bincount(lane[best], minlength=len(tables) * len(lanes))
            for layer, counted in zip(limits, split.reshape(len(tables), -1), strict=True):
                layer[lanes] = counted + self.ends.size
        return limits
