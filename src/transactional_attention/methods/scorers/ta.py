"""The paper's utilities: TA-Fast (eq. 3) reads no attention, Full-TA (eq. 1) does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...config import Weights
from ...selection.utility import recency
from ...types import Floats
from ..observation import Observation
from . import Scorer, Seen, TokenView

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TAFast(Scorer):
    """u = beta R + gamma S - lambda F; the voucher is added by the sponsorship stage."""

    weights: Weights = field(default_factory=Weights)

    def score(self, view: TokenView) -> Floats:
        """Eq. 3 without V."""
        position = self.weights.recency * recency(view.positions, view.length)
        anchor, frequency = self.weights.anchor, self.weights.frequency
        return position + anchor * view.anchor - frequency * view.frequency


class FullTA(TAFast):
    """u = alpha A + beta R + gamma S + delta P - lambda F; the voucher is added later.

    A_i is the attention that token i received, divided by query heads x queries that saw it: as
    printed, a sum over heads and steps, it would outgrow every voucher. P is its moving
    average, P <- 0.9 P + 0.1 A a forward, P = A at first sight. One index set a layer.
    """

    observes = Observation(columns=True, pension=True)

    def measure(self, seen: Seen) -> Tensor:
        """Alpha A + delta P, [row, 1, slot]."""
        assert seen.received is not None and seen.pension is not None
        weighted_sum = self.weights.attention * seen.received + self.weights.pension * seen.pension
        return weighted_sum.mean(1, keepdim=True)

    def score(self, view: TokenView) -> Floats:
        """Eq. 1 without V."""
        assert view.observed is not None
        return super().score(view) + view.observed
