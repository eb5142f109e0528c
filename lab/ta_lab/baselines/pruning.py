"""StructKV's pass: the prompt once more, of which deep layers get the structural tokens alone.

It gives a cache of its own. Hooks on the decoder's own layers cut the hidden states; no layer is
written again here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from transactional_attention.config import Retention
from transactional_attention.engines.transformers.cache import RetentionCache
from transactional_attention.engines.transformers.compression import forked
from transactional_attention.engines.transformers.forward import ForwardPlan
from transactional_attention.engines.transformers.layer import RetentionLayer
from transactional_attention.engines.transformers.observe import Observer
from transactional_attention.engines.transformers.passes import Needed, Scored
from transactional_attention.errors import InputError, UnsupportedError
from transactional_attention.methods.observation import Observation
from transactional_attention.selection.slot_table import SlotTable
from transactional_attention.types import Ints

if TYPE_CHECKING:
    from .struct_kv import StructKV

# What a decoder hands to each layer with one entry a token, and the dimension of the tokens.
PER_TOKEN = {"position_ids": -1, "cache_position": -1, "position_embeddings": -2}


class PrunedCache(RetentionCache):
    """The tokens of another cache, to be computed again with fewer of them in deep layers.

    Its flow has read the whole prompt; ``layer.table`` says what each layer holds.
    """

    def prune(self, first: int, kept: Ints, observe: Observation) -> None:
        """Layers from ``first`` on get the slots ``kept`` alone; note what is to be observed."""
        whole = self.flow.tables[None]
        part = SlotTable.empty(None, 1)
        part.append(whole.positions, whole.ids)
        part.take(kept[None])
        self._tables = [whole, part]
        for index, layer in enumerate(self.managed):
            layer.observer = Observer(observe, None, self.decoder)
            if index >= first:
                layer.table, self._table_index[index] = part, 1
                layer.seen = whole.width - part.width  # columns that never reach it

    def begin(self, decoder: nn.Module, *args: Tensor | None) -> Tensor | None:
        """The tokens are read already, and nothing is cut."""
        self.check_usable(decoder)
        self.hand_out([_uncut(table) for table in self._tables])
        return None


def _uncut(table: SlotTable) -> ForwardPlan:
    """A forward of all tokens of a table of one row."""
    return ForwardPlan(table, table.positions, check=True)


def propagate(scorer: StructKV, source: RetentionCache, needed: Needed) -> Scored:
    """S [layer][row, 1, slot] of the tokens that each layer holds.

    ``needed``: tokens that go through every layer, whatever their centrality. Raises InputError
    when the prefill did not collect the last queries; UnsupportedError when the model's layers
    cannot be run on some of the tokens.
    """
    before = torch.stack([_measured(scorer, layer).double().cpu() for layer in source.managed])
    scores = before[:, 0, 0]
    pivot = scorer.pivot_of(scores)
    kept = scorer.structure(scorer.centrality(scores, pivot), needed)
    cache = forked(source, Retention(budget=None, method="full"), PrunedCache)
    cache.prune(pivot + 1, kept.numpy(), Observation(queries=scorer.window))
    whole = cache.flow.tables[None]
    with pruned(cache, pivot + 1, kept):
        cache.feed(torch.from_numpy(whole.ids), torch.from_numpy(whole.positions))
    if any(layer.pending or layer.seen != whole.width for layer in cache.managed):
        raise UnsupportedError(
            f"layers of {type(cache.decoder).__name__} do not attend to just the tokens that they "
            "are given: structkv cannot prune them"
        )
    return [_measured(scorer, layer) for layer in cache.managed], whole.width, cache


def _measured(scorer: StructKV, layer: RetentionLayer) -> Tensor:
    """S [row, 1, slot] of a layer that was prefilled, from the queries it collected."""
    observer = layer.observer
    if observer is None or observer.queries is None or observer.wanted.queries < scorer.window:
        raise InputError(
            f"the prefill did not collect the last {scorer.window} queries that structkv reads: "
            "name them before it (RetentionCache(observe=...))"
        )
    assert layer.table is not None
    return scorer.measure(observer.seen(*layer.states(), _uncut(layer.table)))


@contextmanager
def pruned(cache: RetentionCache, first: int, kept: Tensor) -> Iterator[None]:
    """While it is open, decoder layers from ``first`` on compute on the tokens ``kept`` alone.
    Raises UnsupportedError when the decoder has no list of layers, or hands them something else."""
    layers, name = getattr(cache.decoder, "layers", None), type(cache.decoder).__name__
    if not isinstance(layers, nn.ModuleList) or len(layers) != len(cache.layers):
        raise UnsupportedError(
            f"{name} has no list of decoder layers that run on some of the tokens: structkv needs "
            "one, as in Llama, Mistral, Qwen and Phi-3"
        )

    def enter(layer: nn.Module, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict]:
        given = dict(kwargs)
        hidden = args[0] if args else given.pop("hidden_states")
        if layer is layers[first]:
            hidden = hidden.index_select(1, kept.to(hidden.device))
        given = {key: _cut(name, key, value, kept) for key, value in given.items()}
        return (hidden, *(_cut(name, "positional", value, kept) for value in args[1:])), given

    handles = [layer.register_forward_pre_hook(enter, with_kwargs=True) for layer in layers[first:]]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _cut(model: str, key: str, value: Any, kept: Tensor) -> Any:
    """The entries of ``kept`` in an argument of a decoder layer."""
    if isinstance(value, tuple):
        return tuple(_cut(model, key, item, kept) for item in value)
    if not isinstance(value, Tensor):
        return value
    if key not in PER_TOKEN:
        raise UnsupportedError(
            f"{model} hands its layers a tensor {key!r} that structkv cannot cut to some tokens"
        )
    return value.index_select(PER_TOKEN[key], kept.to(value.device))
