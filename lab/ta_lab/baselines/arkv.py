"""ARKV (2603.08727; code MIT): full precision, low precision or evicted, by layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from transactional_attention.methods.method import Precision
from transactional_attention.methods.observation import Seen
from transactional_attention.types import Floats, Ints

from .snap_kv import SnapKV

if TYPE_CHECKING:
    from torch import Tensor

GAMMA = 263.8108280337562  # the authors' search, for all their models and sizes
TEMPERATURES = (7.774380648611771, 5.407015096778621, 5.527702582901318)
LOG_FLOOR, VARIANCE_FLOOR = 1e-10, 1e-8


@dataclass(frozen=True)
class ARKV(SnapKV):
    """S_j = mean + gamma x variance, over the last w queries, of the attention to token j.

    The variance is the unbiased one. Average over 5 neighbours older than the window, mean over the
    group's query heads; the last w tokens are always kept, in full precision; no sinks. w =
    min(8, K/2) as for SnapKV here, the authors' is 32.

    The authors cut to K after the prompt; then, each time K is exceeded, they score by the one new
    query alone and keep the best three quarters of the past. Here every step gives up one token,
    the least by the newest window, rescored, so K holds and no pair is given up early.
    """

    gamma: float = GAMMA

    def measure(self, seen: Seen) -> Tensor:
        """S [row, kv_head, slot]; tokens of the window, mandatory now, are not pooled."""
        mean, squares, _, count = moments(seen, seen.window(self.window))
        variance = squares / (count - 1).clamp(min=1)
        votes = seen.over_groups(mean + self.gamma * variance)
        return seen.pool_older(votes, self.window, self.pool)


def moments(seen: Seen, weights: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Over the queries of weights [row, query_head, w, slot], padding queries left out.

    Returns the mean, the sums of the second and of the fourth powers of the deviations, each [row,
    query_head, slot], and the number of queries [row, 1, 1].
    """
    assert seen.asking is not None
    asked = (seen.asking[:, -weights.shape[2] :] >= 0)[:, None, :, None]
    count = asked.sum(2)
    mean = weights.sum(2) / count.clamp(min=1)  # weights of padding queries are zero
    squares = (weights - mean[:, :, None]).square() * asked
    return mean, squares.sum(2), squares.square().sum(2), count


@dataclass(frozen=True)
class OQ(Precision):
    """The share of a layer's pairs that stays in full precision; the paper's original/quantised.

    OQ = entropy^(1/7.77) variance^(1/5.41) kurtosis^(1/5.53) of the last window's attention to
    older tokens, each summed over query heads and tokens (entropy over queries too). Of K pairs,
    the window and OQ / (largest OQ of a layer) of the others are full, best score first.

    ``twice``: the authors' code subtracts the window a second time from what is full beside it.
    They lower pairs when the first token after the prompt exceeds K, and again at each later cut,
    from values that were rounded before; here a pair is lowered at the cut and rounded once. A row
    of a batch has its own shares. OQ is read anew with every prompt; what is low stays low.
    """

    window: int = 8
    twice: bool = False

    def weigh(self, seen: Seen) -> Tensor:
        """OQ [row]; zero where no token is older than the window."""
        import torch

        older = seen.outside_window(self.window)
        weights = seen.window(self.window)
        groups = weights.shape[1] // older.shape[1]
        weights = weights * older.repeat_interleave(groups, 1)[:, :, None]
        _, squares, fourths, count = moments(seen, weights)
        entropy = -(weights * torch.log(weights + LOG_FLOOR)).sum((1, 2, 3))
        variance = (squares / (count - 1).clamp(min=1)).sum((1, 2))
        floored = (squares / count.clamp(min=1)).clamp(min=VARIANCE_FLOOR).square()
        kurtosis = (fourths / count.clamp(min=1) / floored).sum((1, 2))
        first, second, third = (1 / t for t in TEMPERATURES)
        return entropy**first * variance**second * kurtosis**third

    def shares(self, budgets: Ints, weights: Floats | None) -> Ints:
        """Pairs in full precision, [layer, row]; all of them where no layer could be weighed."""
        if weights is None:
            return budgets[:, None]
        largest = weights.max(0)
        ratio = np.where(largest > 0, weights / np.where(largest > 0, largest, 1.0), 1.0)
        full = np.rint(ratio * (budgets - self.window)[:, None]).astype(np.int64)
        return self.window + (np.maximum(full - self.window, 0) if self.twice else full)
