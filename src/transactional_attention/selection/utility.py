"""Terms of the paper's equations 1 and 3: how useful a token is to keep.

Every array is ``[..., slot]``. V, which sponsors a token, is computed in ``sponsorship``;
``selection`` decides what follows from a utility.
"""

import numpy as np

from ..types import Floats, Ints


def recency(positions: Ints, length: int | Ints) -> Floats:
    """R_i = i / n, with the token's original position i and n tokens seen (paper, eq. 1)."""
    return positions / np.maximum(length, 1)


def frequency(ids: Ints, counts: Ints) -> Floats:
    """F_i: count of the token's id in the context over the largest count, in [0, 1].

    ``ids`` [slot]: -1 for tokens outside the context (F = 0); ``counts`` [vocab].
    """
    if not counts.size:
        return np.zeros(ids.shape)
    largest = max(int(counts.max()), 1)
    return np.where(ids >= 0, counts[np.maximum(ids, 0)] / largest, 0.0)


def sponsored(base: Floats, voucher: Floats) -> Floats:
    """Utility of any method plus vouchers (eq. 2); all [..., slot].

    Without a voucher, and at strength 0, it equals the base utility bit for bit.
    """
    return np.where(voucher == 0.0, base, base + voucher)


def comparable(base: Floats) -> Floats:
    """Dense ranks of the base utility over the last axis, scaled to [0, 1]; order and ties stay.

    Methods score on different scales (sums up to n, negated norms), but vouchers are made for
    utilities around 1.
    """
    flat = base.reshape(-1, base.shape[-1])
    ranks = np.stack([np.unique(line, return_inverse=True)[1] for line in flat])
    return (ranks / np.maximum(ranks.max(-1, keepdims=True), 1)).reshape(base.shape)
