"""H2O, heavy hitters (2306.14048; paper and card alone, its code has no licence)."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ...config import Retention
from ..observation import Observation
from . import Scorer, Seen


@dataclass(frozen=True)
class H2O(Scorer):
    """S_j = sum of the attention that token j received from every query so far, unnormalised.

    Kept per kv head (the paper's models have no GQA: S is summed over the group's query heads).
    The newest K/2 tokens are always kept, no sinks; K/2 heavy hitters compete for the rest. After
    the prompt and at every step the column sums go on growing, and the least one outside the newest
    half gives way. The victim leaves before the new token is written instead of after its
    attention: exactly K tokens are live, not K + 1.
    """

    @property
    def observes(self) -> Observation:
        """Column sums: O(block x n) while they are added up, n to keep."""
        return Observation(columns=True)

    @property
    def per_head(self) -> bool:
        """Every kv head has its own heavy hitters."""
        return True

    def measure(self, seen: Seen) -> torch.Tensor:
        """S [row, kv_head, slot]."""
        assert seen.sums is not None
        return seen.sums


def half(retention: Retention) -> int:
    """Newest tokens that are always kept: K/2, rounded down (of the least budget)."""
    return min(retention.budgets(), default=0) // 2
