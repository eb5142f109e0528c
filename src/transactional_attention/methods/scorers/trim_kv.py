"""TRIM-KV (2512.03324; paper and card alone, its code has no licence): trained retention gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...types import Floats
from ..observation import Observation
from . import Scorer, Seen, TokenView

if TYPE_CHECKING:
    import torch
    from torch import Tensor

WIDTH = 512  # of a gate's hidden layer, as in the paper
BUFFER = 128  # tokens above K before a cut, as in the authors' scripts


@dataclass(frozen=True)
class Gate:
    """The gate of one layer: log beta = log sigmoid(down silu(up x + up_bias) + down_bias).

    ``up`` [512, hidden], ``up_bias`` [512], ``down`` [kv_head, 512], ``down_bias`` [kv_head]. x is
    what the layer's attention reads: the hidden state after the input norm.
    """

    up: Tensor
    up_bias: Tensor
    down: Tensor
    down_bias: Tensor

    def __call__(self, hidden: Tensor) -> Tensor:
        """Log beta [row, kv_head, token] of hidden states [row, token, hidden], in float32."""
        import torch.nn.functional as F

        inner = F.silu(F.linear(hidden.float(), self.up, self.up_bias))
        return F.logsigmoid(F.linear(inner, self.down, self.down_bias)).transpose(1, 2)

    def to(self, device: torch.device) -> Gate:
        """The gate on a device."""
        parts = (self.up, self.up_bias, self.down, self.down_bias)
        return Gate(*(part.to(device) for part in parts))


def log_decay(log_beta: Tensor) -> Tensor:
    """(t - i) log beta_i [row, kv_head, query t, token i] for a whole sequence; the future is -inf.

    ``log_beta`` [row, kv_head, token].
    """
    import torch

    steps = torch.arange(log_beta.shape[-1], device=log_beta.device)
    age = steps[:, None] - steps
    return (log_beta[:, :, None] * age).masked_fill(age < 0, float("-inf"))


class TrimKV(Scorer):
    """s_i = (t - i) log beta_i, per kv head: what is left at t of a token's importance beta^(t-i).

    A gate gives each token its beta in (0, 1) when it is read, from the hidden state that its layer
    attends with; no later query changes it. Nothing is always kept: the newest token has s = 0 and
    wins by itself. Scores do not depend on what comes later, so a prompt may be cut as it streams
    in, chunk by chunk; the chunk is then what the paper calls the buffer, 128 tokens in its scripts
    and in our sweeps. While decoding, t is the position of the token that arrives, and the least s
    gives way before it is written (the paper: after its attention, over K + 1 tokens).

    Gates are trained for one model (``ta train gates``), which stays frozen, and belong to its
    weights: ``methods/gates.py``. They read the input after the norm; SiLU whatever the model's
    own activation is.
    """

    observes = Observation(gates=True)
    per_head = True

    def measure(self, seen: Seen) -> Tensor:
        """Log beta [row, kv_head, slot]; it does not change while a token lives."""
        assert seen.gates is not None
        return seen.gates

    def score(self, view: TokenView) -> Floats:
        """s [lane, slot] at the newest token, or at the one that arrives."""
        assert view.observed is not None
        return (view.length - 1 - view.positions) * view.observed
