"""TRIM-KV (2512.03324; paper and card alone, its code has no licence): trained retention gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transactional_attention.methods.observation import Observation, Seen
from transactional_attention.methods.scorers import Scorer, TokenView
from transactional_attention.types import Floats

from .gates import Gates, find_gates

if TYPE_CHECKING:
    from torch import Tensor

BUFFER = 128  # tokens above K before a cut, as in the authors' scripts


class TrimKV(Scorer):
    """s_i = (t - i) log beta_i, per kv head: what is left at t of a token's importance beta^(t-i).

    A gate gives each token its beta in (0, 1) when it is read, from the hidden state that its layer
    attends with; no later query changes it. Nothing is always kept: the newest token has s = 0 and
    wins by itself. Scores do not depend on what comes later, so a prompt may be cut as it streams
    in, chunk by chunk; the chunk is then what the paper calls the buffer, 128 tokens in its scripts
    and in our sweeps. While decoding, t is the position of the token that arrives, and the least s
    gives way before it is written (the paper: after its attention, over K + 1 tokens).

    Gates are trained for one model (``ta train gates``), which stays frozen, and belong to its
    weights: ``gates.py``. They read the input after the norm; SiLU whatever the model's
    own activation is.
    """

    observes = Observation(gates="trim-kv")
    per_head = True

    def gates_of(self, decoder: Any, folder: str) -> Gates:
        """Gates of a model's weights, from its folder or shipped (``find_gates``)."""
        return find_gates(decoder, folder)

    def measure(self, seen: Seen) -> Tensor:
        """Log beta [row, kv_head, slot]; it does not change while a token lives."""
        assert seen.gates is not None
        return seen.gates

    def score(self, view: TokenView) -> Floats:
        """s [lane, slot] at the newest token, or at the one that arrives."""
        assert view.observed is not None
        return (view.length - 1 - view.positions) * view.observed
