"""The tokens that the SnapKV family always keeps: no budget is split over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...config import Retention
from ...types import Bools, Floats, Ints
from ..scorers.snap_kv import window_of


@dataclass(frozen=True)
class Ends:
    """The first ``sinks`` and the last ``recent`` tokens of a row."""

    sinks: int
    recent: int

    @property
    def size(self) -> int:
        """Tokens that every layer and head keeps whatever the split."""
        return self.sinks + self.recent

    def competing(self, positions: Ints) -> Bools:
        """Which slots [slot] of one lane hold a token that has to compete."""
        length = positions.max() + 1
        return (positions >= self.sinks) & (positions < length - self.recent)


def ends_of(retention: Retention) -> Ends:
    """The observation window, unless the caller names sinks and recent tokens."""
    recent = window_of(retention) if retention.recent is None else retention.recent
    return Ends(retention.sinks or 0, recent)


def apportion(shares: Floats, total: int) -> Ints:
    """Whole numbers that sum to ``total``, each share rounded down or up (largest remainder).

    ``shares`` sum to ``total``; of equal remainders the first is rounded up.
    """
    whole = np.floor(shares + 1e-9).astype(np.int64)
    order = np.argsort(-(shares - whole), kind="stable")
    whole[order[: total - int(whole.sum())]] += 1
    return whole
