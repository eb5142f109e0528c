"""Knorm (2406.11430; formula as in kvpress 0.5.5, Apache-2.0): keys of small norm are kept."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ..observation import Observation
from . import Scorer, Seen


@dataclass(frozen=True)
class KeyNorm(Scorer):
    """s_j = -|k_j|_2, per kv head.

    Query-agnostic; nothing is always kept, the newest token stays while decoding. The paper leaves
    the first two layers alone; here every layer is cut, as kvpress does.
    """

    @property
    def observes(self) -> Observation:
        """Keys."""
        return Observation(keys=True)

    @property
    def per_head(self) -> bool:
        """Every kv head keeps tokens of its own."""
        return True

    def measure(self, seen: Seen) -> torch.Tensor:
        """s [row, kv_head, slot]."""
        return -seen.keys.float().norm(dim=-1)
