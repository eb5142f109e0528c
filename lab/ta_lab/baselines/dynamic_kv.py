"""DynamicKV (2412.14838; paper and card alone, its code has no licence): layers compete."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transactional_attention.methods.allocation import Allocation
from transactional_attention.selection.slot_table import SlotTable
from transactional_attention.types import Floats, Ints

from .splitting import Ends, apportion, crowded_rows

MOST = 10  # r_max
EVERY = 4  # layers between two updates of the authors' code


@dataclass(frozen=True)
class DynamicKV(Allocation):
    """A layer's budget is its share of the best scores of all layers, plus w.

    b = K - w. A layer first keeps its min(10 b, n - w) best a head. Of the scores of all layers
    and heads the b x heads x layers best are counted; layer l's share c_l / sum(c) of b x layers
    is what every head of it keeps beside its window. Scores are compared over layers as they are.

    ``faithful`` False, the default ``dynamickv``: one count over all layers, shares rounded by
    largest remainder and what exceeds a layer's cap given to the next ones, so that the layers
    hold K x layers. True, ``dynamickv-authors``: a count after every fourth layer over the layers
    so far, which always share out b x layers (rounded down, the rest to the last of them); a list
    that was cut cannot grow again, and layers after the last multiple of 4 are never trimmed: with
    a number of layers that 4 does not divide, the total overshoots by up to 10 b a layer.

    All layers are whole until the forward ends. The saving is physical for one row; the rows of a
    batch differ, and a shorter one is padded. Asked again at every later prompt.
    """

    ends: Ends
    faithful: bool = False
    joint = True

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane], the same for the heads of a row's layer."""
        limits = [np.full(len(t.rows), t.budget) for t in tables]
        total = sum(max((t.budget or 0) - self.ends.size, 0) for t in tables)
        for lanes in crowded_rows(tables):
            pairs = zip(tables, scores, strict=True)
            lists = [self._candidates(t.positions[lanes], s[lanes]) for t, s in pairs]
            split = self.split(lists, total) + self.ends.size
            for layer, count in zip(limits, split, strict=True):
                layer[lanes] = count
        return limits

    def _candidates(self, positions: Ints, scores: Floats) -> Floats:
        """Scores [head, token] outside the ends, best first; -inf where a head holds fewer."""
        compete = self.ends.competing(positions)
        best = -np.sort(-np.where(compete, scores, -np.inf), 1)
        return best[:, : int(compete.sum(1).max())]

    def split(self, lists: Sequence[Floats], total: int) -> Ints:
        """Tokens [layer] beside the ends, from sorted scores [layer][head, token].

        ``total`` is b x layers.
        """
        cap = MOST * (total // len(lists))
        lists = [line[:, :cap] for line in lists]
        caps = np.array([line.shape[1] for line in lists])
        return self._updated(lists, caps, total) if self.faithful else even(lists, caps, total)

    @staticmethod
    def _updated(lists: Sequence[Floats], caps: Ints, total: int) -> Ints:
        base, held = total // len(lists), caps.copy()
        for so_far in range(EVERY, len(lists) + 1, EVERY):
            stored = [line[:, :n] for line, n in zip(lists[:so_far], held, strict=False)]
            count = counts(stored, base * so_far * len(lists[0]))
            budgets = count * total // max(int(count.sum()), 1)
            budgets[-1] += total - budgets.sum()
            held[:so_far] = np.minimum(held[:so_far], budgets)
        return held


def counts(lists: Sequence[Floats], size: int) -> Ints:
    """How many of the ``size`` largest of all scores are each layer's."""
    layers = np.repeat(np.arange(len(lists)), [line.size for line in lists])
    values = np.concatenate([line.ravel() for line in lists])
    best = np.argsort(-values, kind="stable")[:size]
    return np.bincount(layers[best[np.isfinite(values[best])]], minlength=len(lists))


def even(lists: Sequence[Floats], caps: Ints, total: int) -> Ints:
    """Shares that sum to ``total``, or to all there is; what a cap refuses goes to the others."""
    size = total * len(lists[0])
    total = min(total, int(caps.sum()))
    count = counts(lists, size)
    split = apportion(count / max(int(count.sum()), 1) * total, total)
    split = np.minimum(split, caps)
    while (rest := total - int(split.sum())) > 0:
        room = split < caps
        split[np.flatnonzero(room)[:rest]] += 1
    return split
