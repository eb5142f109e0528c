"""Addresses of waiting segments: the mean of a segment's keys in a few layers.

The query of the newest token is compared with all of them and with the keys that are held (InfLLM,
2402.04617, uses representative tokens, Quest, 2406.10774, bounds; one mean was measured to find as
much, docs/memory.md). Plain arrays, for every engine.
"""

from __future__ import annotations

import copy
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..types import Floats, Ints

Keys = NDArray[np.float32]

PLACES = (0.6, 0.75, 0.92)  # of the managed layers, those whose keys are addresses


def addressed(num_layers: int) -> list[int]:
    """Indices of the layers whose keys are used."""
    return sorted({min(num_layers - 1, int(num_layers * place)) for place in PLACES})


class Addresses:
    """Addresses by the first token of their segments, which are added in order. Copies share memory
    until one of them adds another."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self._means: Keys = np.zeros((0, 0), np.float32)
        self._own = True

    @property
    def means(self) -> Keys:
        """All of them, [segment, layer, ...]."""
        return self._means[: len(self.starts)]

    def copy(self) -> Addresses:
        """An independent copy."""
        other = copy.copy(self)
        other.starts = list(self.starts)
        other._own = self._own = False
        return other

    def add(self, start: int, mean: Keys) -> None:
        """Add one, [layer, ...]; a segment that has one keeps it."""
        if self.starts and start <= self.starts[-1]:
            if start not in self.starts:
                raise ValueError("segments leave in order")
            return
        size = len(self.starts)
        if not self._own or size == len(self._means):
            grown = np.zeros((max(64, 2 * size), *mean.shape), np.float32)
            grown[:size] = self._means[:size] if size else 0
            self._means, self._own = grown, True
        self._means[size] = mean
        self.starts.append(start)

    def change(self, which: Ints, means: Keys) -> None:
        """Replace some of the ``means``, by index."""
        self._means, self._own = self._means.copy(), True
        self._means[which] = means

    def drop(self, start: int) -> None:
        """Remove one."""
        place = bisect_left(self.starts, start)
        if place < len(self.starts) and self.starts[place] == start:
            self._means, self._own = np.delete(self.means, place, 0), True
            del self.starts[place]


class LayerQuery(NamedTuple):
    """One layer: the newest token's scaled ``query`` [head, dim], the ``keys`` that are held
    [kv_head, token, dim], and ``means`` [segment, kv_head, dim] of those that wait."""

    query: Keys
    keys: Keys
    means: Keys


def shares(looks: Iterable[LayerQuery], sizes: Ints) -> Floats:
    """Attention of the newest token to each waiting segment, [segment]: the share that the
    segment's mean key gets, counted ``sizes`` times (its number of tokens), averaged over heads and
    summed over layers."""
    total, logs = np.zeros(len(sizes)), np.log(sizes).astype(np.float32)
    for query, keys, means in looks:
        grouped = query.reshape(len(keys), -1, query.shape[-1])  # [kv_head, group, dim]
        held = _logsumexp(grouped @ keys.swapaxes(1, 2))  # [kv_head, group]
        waiting = grouped @ means.transpose(1, 2, 0) + logs  # [kv_head, group, segment]
        whole = np.logaddexp(held, _logsumexp(waiting))
        total += np.exp(waiting - whole[..., None]).mean((0, 1))
    return total


def _logsumexp(values: NDArray[Any]) -> NDArray[Any]:
    """Over the last axis."""
    most = values.max(-1, keepdims=True)
    return np.log(np.exp(values - most).sum(-1)) + most[..., 0]
