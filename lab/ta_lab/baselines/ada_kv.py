"""Ada-KV (2407.11550; code MIT): the kv heads of a layer share its budget by their scores."""

from dataclasses import dataclass

import numpy as np

from transactional_attention.methods.allocation import Allocation
from transactional_attention.selection.slot_table import SlotTable
from transactional_attention.types import Floats, Ints

from .splitting import Ends, apportion, crowded_rows

FLOOR = 0.2  # the authors' LongBench script; their README says 0.5


@dataclass(frozen=True)
class AdaKV(Allocation):
    """B_h = (1 - alpha) c_h + alpha b, plus w: c_h counts head h's scores among the layer's best.

    b = K - w, and the best are the heads x b largest scores of the layer's tokens outside the
    window. Rounded by largest remainder, so the heads of a layer hold heads x K in all (the
    authors round each head, and alpha b down). w is part of K, and always kept, in every head.

    The authors keep heads of different length in one flat store with a kernel of its own. Here
    the shorter heads are padded and the padding hidden: the saving is masked, the layer stores as
    much as its widest head. ``normalize``, ``skip`` and the pyramid mode are left out.
    """

    ends: Ends
    alpha: float = FLOOR
    ragged = True

    def heads(self, table: SlotTable, scores: Floats) -> Ints:
        """Budgets [lane]; K for every head of a row that K holds whole."""
        assert table.budget is not None
        limits = np.full(len(scores), table.budget)
        for lanes in crowded_rows([table]):
            limits[lanes] = self._of_row(table.positions[lanes], scores[lanes], table.budget)
        return limits

    def _of_row(self, positions: Ints, scores: Floats, budget: int) -> Ints:
        base = max(budget - self.ends.size, 0)
        compete = self.ends.competing(positions)
        heads = np.nonzero(compete)[0]
        best = np.argsort(-scores[compete], kind="stable")[: len(positions) * base]
        count = np.bincount(heads[best], minlength=len(positions))
        shares = (1 - self.alpha) * count + self.alpha * count.mean()
        return apportion(shares, int(count.sum())) + budget - base
