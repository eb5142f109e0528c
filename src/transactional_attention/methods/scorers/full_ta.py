"""Full-TA (paper, eq. 1): TA-Fast with cumulative attention and its moving average."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

from ...config import Weights
from ...selection.utility import recency, utility
from ...types import Floats
from ..observation import Observation
from . import Scorer, Seen, TokenView


@dataclass(frozen=True)
class FullTA(Scorer):
    """u = alpha A + beta R + gamma S + delta P - lambda F; the voucher is added later.

    A_i is the attention that token i received, divided by query heads x queries that saw it: as
    printed, a sum over heads and steps, it would outgrow every voucher (PAPER_GAPS A7). P is its
    moving average, P <- 0.9 P + 0.1 A a forward, P = A at first sight. One index set a layer.
    """

    weights: Weights = field(default_factory=Weights)

    @property
    def observes(self) -> Observation:
        """Column sums, and their moving average."""
        return Observation(columns=True, pension=True)

    def measure(self, seen: Seen) -> torch.Tensor:
        """Alpha A + delta P, [row, 1, slot]."""
        assert seen.received is not None and seen.pension is not None
        both = self.weights.attention * seen.received + self.weights.pension * seen.pension
        return both.mean(1, keepdim=True)

    def score(self, view: TokenView) -> Floats:
        """Eq. 1 without V."""
        assert view.observed is not None
        position = recency(view.positions, view.length)
        base = utility(position, view.anchor, view.frequency, 0.0, self.weights)
        return base + view.observed
