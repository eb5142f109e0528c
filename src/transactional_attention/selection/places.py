"""Where tokens stand for a model: at their own positions, or lower.

``original`` positions end at the model's trained length. ``compact`` ones are ranks in the cache
(StreamingLLM, 2309.17453, section 3.2). ``rolling`` ones are original until the trained length is
reached; from then on all that is held stands lower, in steps of a quarter of that length.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..config import Positions
from ..types import Ints


class Placed(NamedTuple):
    """Ascending ``positions`` of tokens, and their ``places``, [token]."""

    positions: Ints
    places: Ints


STEPS = 4  # in a trained length


def lowered(positions: Positions, num_tokens: int, trained: int | None) -> int:
    """How much lower tokens stand while ``num_tokens`` are read; ``trained``: the model's length,
    None without an end."""
    if positions == "compact":
        return num_tokens
    if positions == "original" or trained is None or num_tokens <= trained:
        return 0
    step = max(1, trained // STEPS)
    return -(-(num_tokens - trained) // step) * step


def placed(positions: Ints, by: Ints | int) -> Ints:
    """Places [.., token] of tokens at ascending ``positions`` that stand lower ``by`` so much: in
    the same order, none before 0, neighbours side by side; 0 for padding."""
    ranks = np.cumsum(positions >= 0, -1) - 1
    least = np.maximum(positions - by, np.minimum(positions, 0)) - ranks
    return np.maximum(np.maximum.accumulate(least, -1) + ranks, 0)
