"""TOVA, token omission via attention (2401.06104; code Apache-2.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer

if TYPE_CHECKING:
    from torch import Tensor


class TOVA(Scorer):
    """s_j = mean over all query heads of the last query's attention to token j.

    One index set for all heads of a layer. Nothing is always kept: no sinks, no window, not even
    the newest token, which can give way once it has been attended to. One cut after the prompt,
    then at every step the token with the least attention from the last query; as the victim leaves
    before the new token is written, exactly K tokens are live (the authors' loop: K + 1).
    """

    observes = Observation(queries=1)

    def measure(self, seen: Seen) -> Tensor:
        """s [row, 1, slot]."""
        return seen.window(1)[:, :, 0].mean(1, keepdim=True)
