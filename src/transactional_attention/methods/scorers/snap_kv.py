"""SnapKV (2404.14469; code Apache-2.0): what the end of the prompt attends to."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from ...config import Retention
from ..observation import Observation
from . import Scorer, Seen

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

    @property
    def observes(self) -> Observation:
        """The last w queries."""
        return Observation(queries=self.window)

    @property
    def per_head(self) -> bool:
        """Every kv head keeps tokens of its own."""
        return True

    def measure(self, seen: Seen) -> torch.Tensor:
        """S [row, kv_head, slot]; tokens of the window, mandatory now, are not pooled."""
        votes = seen.over_groups(seen.window(self.window).sum(2))
        return seen.pool_older(votes, self.window, self.pool)

    def pool(self, votes: torch.Tensor) -> torch.Tensor:
        """Smooth [row, head, slot] over neighbouring tokens."""
        pool = F.max_pool1d if self.maximum else F.avg_pool1d
        return pool(votes, self.kernel, stride=1, padding=self.kernel // 2)


def window_of(retention: Retention) -> int:
    """w at a budget: the usual 8, and never more than half of the least K."""
    return max(1, min(WINDOW, min(retention.budgets(), default=2 * WINDOW) // 2))
