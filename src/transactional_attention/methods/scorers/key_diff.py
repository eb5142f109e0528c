"""KeyDiff (2504.15364; formula as in kvpress 0.5.5, Apache-2.0): keys unlike the others."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F

from ..observation import Observation
from . import Scorer, Seen


@dataclass(frozen=True)
class KeyDiff(Scorer):
    """s_j = -cos(k_j, mean over live tokens of k / |k|), per kv head, on keys with their rotation.

    Query-agnostic; nothing is always kept. Padding has no part in the mean. While decoding the mean
    is that of the live keys, and the newest token stays (kvpress prunes in blocks instead).
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
        keys = seen.keys.float()
        live = seen.live[..., None]
        mean = (F.normalize(keys, dim=-1) * live).sum(2, keepdim=True) / live.sum(2, keepdim=True)
        return -F.cosine_similarity(keys, mean, dim=-1)
