"""Scores of keys alone: Knorm and KeyDiff (formulas as in kvpress 0.5.5, Apache-2.0).

Both are query-agnostic and per kv head. Nothing is always kept, but the newest token stays while
decoding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor


class KeyNorm(Scorer):
    """Knorm (2406.11430): s_j = -|k_j|_2, so that keys of small norm are kept.

    The paper leaves the first two layers alone; here every layer is cut, as kvpress does.
    """

    observes = Observation(keys=True)
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """s [row, kv_head, slot]."""
        return -seen.keys.float().norm(dim=-1)


class KeyDiff(Scorer):
    """KeyDiff (2504.15364): s_j = -cos(k_j, mean over live tokens of k / |k|), keys rotated.

    Keys unlike the others are kept. Padding has no part in the mean. While decoding the mean is
    that of the live keys (kvpress prunes in blocks instead).
    """

    observes = Observation(keys=True)
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """s [row, kv_head, slot]."""
        import torch.nn.functional as F

        keys = seen.keys.float()
        live = seen.live[..., None]
        mean = (F.normalize(keys, dim=-1) * live).sum(2, keepdim=True) / live.sum(2, keepdim=True)
        return -F.cosine_similarity(keys, mean, dim=-1)
