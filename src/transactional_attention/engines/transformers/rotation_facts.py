"""What a decoder's rotation does to keys, as plain data: the frequencies, not the fields of a
configuration, whose names and defaults change between versions of transformers.
"""

from __future__ import annotations

import math
from typing import Any

from torch import nn

from .frequencies import Frequencies, by_kind, has_frequencies

LENGTHS = (1, 1 << 20)  # of sequences: before and beyond all trained lengths
TOLERANCE = 1e-5  # relative; versions may compute in another order


def rotation_facts(decoder: nn.Module) -> dict[str, Any]:
    """Frequencies of full-attention and of sliding layers; empty where no module tells them."""
    if not has_frequencies(decoder):
        return {}
    full, sliding = by_kind(decoder)
    return {"full": _turns(full), "sliding": _turns(sliding)}


def _turns(frequencies: Frequencies) -> dict[str, Any]:
    lengths = LENGTHS if frequencies.varies else LENGTHS[:1]
    found = [frequencies.at(length) for length in lengths]
    return {
        "frequencies": [frequency.float().tolist() for frequency, _ in found],
        "factors": [float(factor) for _, factor in found],
        "switch": frequencies.switch,
    }


def same_rotation(one: Any, other: Any) -> bool:
    """Whether two plain structures are equal up to the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_rotation(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_rotation, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE)
    return bool(one == other)
