"""Rows of keys and values that are moved by hand, below any retention: in transformers, or nowhere.

Some rows are seen by the tokens that are read, each at its place; others are only kept, at the
places at which they were read.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from transactional_attention.errors import InputError
from transactional_attention.types import Ints

Logits = NDArray[np.float32]


class Rows(Protocol):
    """Rows of one sequence; ranges of places are half-open."""

    def read(self, ids: Ints, at: int) -> Logits | None:
        """Read tokens that see what is seen and one another, the first at a place, and see them,
        too; the logits [vocabulary] after the last, None without a model."""

    def remove(self, start: int, end: int) -> None:
        """No longer see the rows at some places."""

    def move(self, start: int, end: int, by: int) -> None:
        """Turn the keys of seen rows to ``by`` places later."""

    def keep(self, start: int, end: int) -> None:
        """Keep seen rows as well, after those that are kept."""

    def show(self) -> None:
        """See all that is kept, and nothing else."""

    def forget(self, start: int) -> None:
        """Keep the rows before a place alone."""

    def copy(self) -> Rows:
        """What is seen, for a session that goes on by itself; it ends before another one is made,
        or this one goes on."""


class NoRows:
    """Without a model."""

    def read(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is said, and nothing moves."""

    remove = move = keep = show = forget = read

    def copy(self) -> NoRows:
        """As good as another."""
        return self


class TransformersRows:
    """In a plain cache of transformers. Raises InputError for layers that slide or keep a state,
    and for a move of keys that no shift turns."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self._cache: Any = None
        self._places = np.zeros(0, np.int64)  # of what is seen, in the order of the cache
        self._kept: list[tuple[Tensor, Tensor]] = []  # [row, kv_head, place, head_dim] a layer

    @torch.no_grad()
    def read(self, ids: Ints, at: int) -> Logits:
        """A forward."""
        device = self.model.get_input_embeddings().weight.device
        places = np.arange(at, at + len(ids))
        out = self.model(
            torch.from_numpy(ids)[None].to(device),
            position_ids=torch.from_numpy(places)[None].to(device),
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        if self._cache is None and any(layer.is_sliding for layer in out.past_key_values.layers):
            raise InputError("some layers of this model slide: their rows cannot be moved")
        self._cache = out.past_key_values
        self._places = np.concatenate([self._places, places])
        return np.asarray(out.logits[0, -1].float().cpu())

    def _pairs(self) -> Iterator[tuple[Any, Tensor, Tensor]]:
        for layer in self._cache.layers if self._cache is not None else ():
            yield layer, layer.keys, layer.values

    def _inside(self, start: int, end: int) -> NDArray[np.bool_]:
        return (self._places >= start) & (self._places < end)

    def remove(self, start: int, end: int) -> None:
        """Cut the cache."""
        stays = np.flatnonzero(~self._inside(start, end))
        if len(stays) == len(self._places):
            return
        for layer, keys, values in self._pairs():
            index = torch.from_numpy(stays).to(keys.device)
            layer.keys, layer.values = keys[:, :, index], values[:, :, index]
        self._places = self._places[stays]

    def move(self, start: int, end: int, by: int) -> None:
        """Turn keys in float32, and round them again."""
        moved = self._inside(start, end)
        cos, sin = angles(self.model, by)
        for layer, keys, _ in self._pairs():
            index = torch.from_numpy(moved).to(keys.device)
            layer.keys = keys.clone()
            layer.keys[:, :, index] = turned(keys[:, :, index], cos, sin)
        self._places = self._places + by * moved

    def keep(self, start: int, end: int) -> None:
        """Copy rows."""
        inside = np.flatnonzero(self._inside(start, end))
        new = [(keys[:, :, inside], values[:, :, inside]) for _, keys, values in self._pairs()]
        if not self._kept:
            self._kept = new
            return
        self._kept = [
            (torch.cat([k, more_k], 2), torch.cat([v, more_v], 2))
            for (k, v), (more_k, more_v) in zip(self._kept, new, strict=True)
        ]

    def show(self) -> None:
        """Put what is kept in the place of the cache."""
        for (layer, _, _), (keys, values) in zip(self._pairs(), self._kept, strict=True):
            layer.keys, layer.values = keys, values
        self._places = np.arange(self._kept[0][0].shape[2] if self._kept else 0)

    def forget(self, start: int) -> None:
        """Cut what is kept."""
        self._kept = [(keys[:, :, :start], values[:, :, :start]) for keys, values in self._kept]

    def copy(self) -> TransformersRows:
        """Tensors are shared: none is written to."""
        other = copy.copy(self)
        if self._cache is not None:
            other._cache = copy.copy(self._cache)
            other._cache.layers = [copy.copy(layer) for layer in self._cache.layers]
        return other


def angles(model: Any, shift: int) -> tuple[Tensor, Tensor]:
    """Of a turn by ``shift`` positions [1, 1, 1, head_dim], in float32. Raises InputError for
    positions that are not told by a turn alone."""
    rotary = model.get_decoder().rotary_emb
    if rotary.rope_type != "default":
        raise InputError("keys of this model cannot be turned by a shift: take another model")
    half = rotary.inv_freq.float() * shift
    rotation = torch.cat([half, half])[None, None, None]
    return rotation.cos(), rotation.sin()


def turned(keys: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Keys [..., head_dim] at other positions."""
    first, second = keys.float().chunk(2, -1)
    return (keys.float() * cos + torch.cat([-second, first], -1) * sin).to(keys.dtype)
