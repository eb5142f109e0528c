"""Expected Attention (2510.00636; formula as in kvpress 0.5.5, Apache-2.0) [2nd]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor

SINKS = 4
AHEAD = 512


@dataclass(frozen=True)
class ExpectedAttention(Scorer):
    """s_j = |v_j| mean over the group's query heads of softmax_j(z_j), per kv head.

    z_j = scale k_j . m + scale^2 / 2 k_j' C k_j: what a normal query of mean m and covariance C
    gives to key j on average. m and C are those of all queries so far, without their rotation and
    without the first 4, turned to the mean rotation of the next 512 positions.

    Query-agnostic. The first 4 tokens are always kept and have no part in the softmax. kvpress
    compresses once; here a decode step scores all live tokens again, its query counted in m and C,
    and the newest token stays. Models that do not rotate as Llama does are refused. Taken from
    kvpress and not checked against the paper's text.
    """

    ahead: int = AHEAD

    observes = Observation(moments=True, keys=True, values=True)
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """s [row, kv_head, slot]; the first tokens have the largest number of their head."""
        import torch

        assert seen.moments is not None
        turn = seen.moments.ahead(self.ahead)[:, None]
        keys, scale = seen.keys.float(), seen.rule.scale
        heads = keys.shape[1]
        mean = (seen.moments.mean[..., None, :] @ turn).unflatten(1, (heads, -1))
        covariance = (turn.mT @ seen.moments.covariance @ turn).unflatten(1, (heads, -1))
        wide = keys[:, :, None]
        spread = ((wide @ covariance) * wide).sum(-1)
        logits = scale * (wide @ mean.mT)[..., 0] + scale**2 / 2 * spread
        compared = (seen.positions >= SINKS)[:, :, None]
        least = torch.finfo(logits.dtype).min
        weights = logits.masked_fill(~compared, least).softmax(-1).mean(2)
        scores = weights * seen.values.float().norm(dim=-1)
        return torch.where(compared[:, :, 0], scores, scores.amax(-1, keepdim=True))
