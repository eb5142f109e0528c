"""SnapKV (2404.14469; code Apache-2.0): what the end of the prompt attends to; and RocketKV."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transactional_attention.config import Retention
from transactional_attention.methods.observation import Seen
from transactional_attention.methods.scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor

WINDOW = 8  # the authors' 32 is impossible at K = 16; KVCache-Factory and DynamicKV use 8 too
KERNEL = 5


@dataclass(frozen=True)
class SnapKV(Scorer):
    """S_j = sum over the last w queries of the attention to token j, pooled over neighbours.

    The last w tokens are always kept, no sinks. Pooling is average, kernel 5, stride 1, zeros at
    the borders, over tokens older than the window, in order of position. Selection is per kv head:
    the mean over the group's query heads, then pooling, as in KVCache-Factory's and Ada-KV's code
    (SnapKV's repeats keys and selects per query head; kvpress pools first, which is the same for
    averages). w = min(8, K/2), at least 1, of the least budget.

    The authors compress once and let generated tokens pile up: that is ``ledger='on-top'``. Under
    ``strict`` the window moves on with generation, and all live tokens are scored again by it (the
    first generated token meets the scores of the cut).
    """

    window: int = WINDOW
    kernel: int = KERNEL
    maximum: bool = False
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """S [row, kv_head, slot]; tokens of the window, mandatory now, are not pooled."""
        votes = seen.over_groups(seen.window(self.window).sum(2))
        return seen.pool_older(votes, self.window, self.pool)

    def pool(self, votes: Tensor) -> Tensor:
        """Smooth [row, head, slot] over neighbouring tokens."""
        import torch.nn.functional as F

        pool = F.max_pool1d if self.maximum else F.avg_pool1d
        return pool(votes, self.kernel, stride=1, padding=self.kernel // 2)


@dataclass(frozen=True)
class RocketKV(SnapKV):
    """RocketKV, stage 1 (2502.14051; card alone, its code is under a non-commercial licence).

    S_j = maximum over 63 neighbours of the last window's attention to them, per kv head: SnapKV
    with a wide maximum pool, so that whole stretches stay. The group's query heads are averaged
    where the authors sum: the order is the same. w = min(8, K/2), theirs is 32.

    Stage 2 is out of reach of eviction: it keeps all that stage 1 left, and at every step reads
    only a part of it, chosen by that step's query. What is not read now may be read next, so
    nothing can be freed. Nor is K the authors' budget, which counts what a step reads: their
    stage 1 holds n / (n / budget)^r tokens, more than that.
    """

    kernel: int = 63
    maximum: bool = True


def window_of(retention: Retention) -> int:
    """w at a budget: the usual 8, and never more than half of the least K."""
    return max(1, min(WINDOW, min(retention.budgets(), default=2 * WINDOW) // 2))
