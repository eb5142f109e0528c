"""TA-Fast (paper, eq. 3): recency, anchor status and frequency; no attention is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...config import Weights
from ...selection.utility import recency, utility
from ...types import Floats
from . import Scorer, TokenView


@dataclass(frozen=True)
class TAFast(Scorer):
    """u = beta R + gamma S - lambda F; the voucher is added by the sponsorship stage."""

    weights: Weights = field(default_factory=Weights)

    def score(self, view: TokenView) -> Floats:
        """Eq. 3 without V."""
        position = recency(view.positions, view.length)
        return utility(position, view.anchor, view.frequency, 0.0, self.weights)
