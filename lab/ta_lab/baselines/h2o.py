"""H2O, heavy hitters (2306.14048; paper and card alone, its code has no licence)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor


class H2O(Scorer):
    """S_j = sum of the attention that token j received from every query so far, unnormalised.

    Kept per kv head (the paper's models have no GQA: S is summed over the group's query heads).
    The newest K/2 tokens are always kept, no sinks; K/2 heavy hitters compete for the rest. After
    the prompt and at every step the column sums go on growing, and the least one outside the newest
    half gives way. The victim leaves before the new token is written instead of after its
    attention: exactly K tokens are live, not K + 1.
    """

    observes = Observation(columns=True)  # O(block x n) while they are added up, n to keep
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """S [row, kv_head, slot]."""
        assert seen.sums is not None
        return seen.sums
