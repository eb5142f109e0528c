"""R-KV (2505.24133; code Apache-2.0): recent attention, less what repeats."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

from .snap_kv import WINDOW

if TYPE_CHECKING:
    from torch import Tensor

ROWS = 128  # keys that are compared with all others at a time
SIMILAR = 0.5


@dataclass(frozen=True)
class RKV(Scorer):
    """Z_j = lambda I_j - (1 - lambda) R_j, per kv head.

    I: logits of the last w queries, their maximum over the group's query heads, softmax over the
    keys older than the window, mean over the queries, maximum over 7 neighbours. R: cosines of all
    keys to each other, zero on the diagonal; each key's latest match (cosine > 0.5) is zero too, so
    that the newest of several duplicates stays; mean over the keys, softmax. lambda = 0.07.

    The last w tokens are always kept (w = min(8, K/2)), no sinks. The authors cut after the prompt
    and then every 128 generated tokens; here every step rescores all live tokens, so K holds. A
    token of the window has to compete when it becomes the oldest one: its I is its share of a
    softmax over all live keys, not pooled. The authors' code zeroes a row's cosine to the first key
    where nothing matches; here nothing is. The cosine matrix is never stored: O(128 x n).
    """

    window: int = WINDOW
    kernel: int = 7
    mix: float = 0.07
    per_head = True

    @property
    def observes(self) -> Observation:
        """The last w queries, and keys."""
        return Observation(queries=self.window, keys=True)

    def measure(self, seen: Seen) -> Tensor:
        """Z [row, kv_head, slot]."""
        return self.mix * self.importance(seen) - (1 - self.mix) * redundancy(seen)

    def importance(self, seen: Seen) -> Tensor:
        """I [row, kv_head, slot]."""
        import torch
        import torch.nn.functional as F

        scores = seen.window_logits(self.window).unflatten(1, (seen.keys.shape[1], -1)).amax(2)
        older = seen.outside_window(self.window)
        least = torch.finfo(scores.dtype).min
        among_older = scores.masked_fill(~older[:, :, None], least).softmax(-1)
        shares = torch.where(older[:, :, None], among_older, scores.softmax(-1))
        assert seen.asking is not None
        asked = (seen.asking[:, -self.window :] >= 0)[:, None, :, None]
        votes = (shares * asked).sum(2) / asked.sum(2).clamp(min=1)
        pool = partial(F.max_pool1d, kernel_size=self.kernel, stride=1, padding=self.kernel // 2)
        return seen.pool_older(votes, self.window, pool)


def redundancy(seen: Seen) -> Tensor:
    """R [row, kv_head, slot]; padding has no part in it."""
    import torch
    import torch.nn.functional as F

    live = seen.live.expand(-1, seen.keys.shape[1], -1)
    unit = F.normalize(seen.keys.float(), dim=-1) * live[..., None]
    total = torch.zeros(unit.shape[:3], device=unit.device)
    for start in range(0, unit.shape[2], ROWS):
        cosines = unit[:, :, start : start + ROWS] @ unit.transpose(2, 3)
        cosines.diagonal(start, 2, 3).zero_()
        places = torch.where(cosines > SIMILAR, seen.positions[:, :, None], -1)
        latest, slot = places.max(-1, keepdim=True)
        kept = cosines.gather(3, slot).masked_fill(latest >= 0, 0.0)
        total += cosines.scatter(3, slot, kept).sum(2)
    mean = total / live.sum(2, keepdim=True)
    return mean.masked_fill(~live, torch.finfo(mean.dtype).min).softmax(-1)
