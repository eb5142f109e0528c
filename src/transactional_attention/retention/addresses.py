"""Segments that wait, by their addresses: the mean of a segment's keys in a few layers.

The query of the newest token is compared with all of them, beside what is held (InfLLM, 2402.04617,
has representative tokens, Quest, 2406.10774, bounds; one mean was measured to find as much,
docs/memory.md). Plain arrays, whatever the engine.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..types import Floats, Ints

PLACES = (0.6, 0.75, 0.92)  # of the managed layers, those whose keys are addresses


def addressed(num_layers: int) -> list[int]:
    """The layers whose keys are addresses."""
    return sorted({min(num_layers - 1, int(num_layers * place)) for place in PLACES})


class Look(NamedTuple):
    """One layer: the newest token's ``query`` [head, dim], scaled; the ``keys`` that are held
    [kv_head, token, dim]; and ``means`` [segment, kv_head, dim] of those that wait."""

    query: Floats
    keys: Floats
    means: Floats


def shares(looks: Iterable[Look], sizes: Ints) -> Floats:
    """What the newest token looks at, [segment]: the share of attention that a mean key gets for
    all tokens of its segment, whose ``sizes`` these are, summed over layers."""
    total = np.zeros(len(sizes))
    for query, keys, means in looks:
        grouped = query.reshape(len(keys), -1, query.shape[-1])  # [kv_head, group, dim]
        held = _logsumexp(np.einsum("hgd,htd->hgt", grouped, keys), 2)
        own = np.einsum("hgd,nhd->nhg", grouped, means) + np.log(sizes)[:, None, None]
        whole = np.logaddexp(held, _logsumexp(own, 0))
        total += np.exp(own - whole).mean((1, 2))
    return total


def _logsumexp(values: Floats, axis: int) -> Floats:
    most = values.max(axis, keepdims=True)
    return np.log(np.exp(values - most).sum(axis)) + most.squeeze(axis)
