"""PyramidKV (2406.02069; code MIT): fewer tokens a layer, the deeper it is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transactional_attention.methods.allocation import Allocation

from .splitting import apportion

BETA = 20


@dataclass(frozen=True)
class PyramidKV(Allocation):
    """b = K - w; the last layer gets min = b / beta, the first max = 2 b - min, linear between.

    Every layer keeps w tokens more. When max >= n - w: max = n - w and min = 2 b - max. With
    n < 2 b, and with n <= K, the split is even (the authors' SnapKV, and full cache).

    ``faithful`` False, the default ``pyramidkv``: real steps, and the layers' numbers are rounded
    by largest remainder, so that they sum to K x layers. True, ``pyramidkv-authors``: b // beta, a
    step of (max - min) // (layers - 1), layer l keeps max - l x step + w, as KVCache-Factory
    computes it. That step loses up to layers - 2, so the sum overshoots: at w = 8, n = 4096 a mean
    of 16.5 instead of 16 with 16 layers, and 24 with 32. ``window`` is w, or the sinks and recent
    tokens that the caller names. Unlike the authors' code, no layer gets less than it must hold
    (``floors``). Rows of a batch that differ in length may differ: a layer is as wide as its widest
    row, and the others are padded. Asked again at every later prompt.
    """

    window: int
    beta: int = BETA
    faithful: bool = False

    def layers(self, budgets: Sequence[int], length: int) -> Sequence[int]:
        """Budgets [layer], decreasing."""
        count, total = len(budgets), sum(budgets)
        base = total / count - self.window
        if count == 1 or length <= total / count or length < 2 * base or base <= 0:
            return budgets
        least = base // self.beta if self.faithful else base / self.beta
        most = 2 * base - least
        if most >= length - self.window:
            most = length - self.window
            least = 2 * base - most
        if self.faithful:
            step = (most - least) // (count - 1)
            return [int(most - layer * step) + self.window for layer in range(count)]
        return apportion(np.linspace(most, least, count) + self.window, total).tolist()
