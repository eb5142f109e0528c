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
    until one of them is changed."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self._means: Keys = np.zeros((0, 0, 0, 0), np.float32)  # segments of a head together
        self._own = True

    @property
    def means(self) -> Keys:
        """All of them, [segment, layer, kv_head, dim]."""
        return self._means[:, :, : len(self.starts)].transpose(2, 0, 1, 3)

    def of_layer(self, place: int) -> Keys:
        """Those of one layer, [kv_head, segment, dim], by its place among the addressed ones."""
        return self._means[place][:, : len(self.starts)]

    def copy(self) -> Addresses:
        """A copy; both share memory until either is changed."""
        other = copy.copy(self)
        other.starts = list(self.starts)
        other._own = self._own = False
        return other

    def add(self, start: int, mean: Keys) -> None:
        """Add one, [layer, kv_head, dim]; a segment that has one keeps it."""
        if self.starts and start <= self.starts[-1]:
            if start not in self.starts:
                raise ValueError("segments leave in order")
            return
        size = len(self.starts)
        if not self._own or size == self._means.shape[2]:
            layers, heads, dim = mean.shape
            grown = np.zeros((layers, heads, max(64, 2 * size), dim), np.float32)
            grown[:, :, :size] = self._means[:, :, :size] if size else 0
            self._means, self._own = grown, True
        self._means[:, :, size] = mean
        self.starts.append(start)

    def change(self, which: Ints, means: Keys) -> None:
        """Replace some of them, [which, layer, kv_head, dim], by index."""
        self._means, self._own = self._means.copy(), True
        self._means[:, :, which] = means.transpose(1, 2, 0, 3)

    def drop(self, start: int) -> None:
        """Remove the address of the segment that begins at the token ``start``, if it has one."""
        place = bisect_left(self.starts, start)
        if place < len(self.starts) and self.starts[place] == start:
            self._means, self._own = np.delete(self._means, place, 2), True
            del self.starts[place]


class LayerQuery(NamedTuple):
    """One layer: the newest token's scaled ``query`` [head, dim], the ``keys`` that are held
    [kv_head, token, dim], and ``means`` [kv_head, segment, dim] of those that wait."""

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
        _, held, most_held = _exponentials(grouped @ keys.swapaxes(1, 2))
        waiting, sums, most = _exponentials(grouped @ means.swapaxes(1, 2), logs)
        whole = np.logaddexp(np.log(held) + most_held, np.log(sums) + most)  # [kv_head, group]
        weights = np.exp(most - whole).reshape(-1) / whole.size
        total += weights @ waiting.reshape(len(weights), -1)
    return total


def _exponentials(logits: NDArray[Any], more: Keys | None = None) -> tuple[NDArray[Any], ...]:
    """Exponentials of ``logits`` [..., segment], which are lost, and of ``more`` added to them,
    below their largest; their sums [...], and the largest [...]."""
    if more is not None:
        logits += more
    most = logits.max(-1, keepdims=True)
    np.exp(np.subtract(logits, most, out=logits), out=logits)
    return logits, logits.sum(-1), most[..., 0]
