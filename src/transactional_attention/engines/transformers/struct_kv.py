"""StructKV's pass: the prompt once more, of which deep layers get the structural tokens alone.

Hooks on the decoder's own layers cut the hidden states and what goes with each token; no layer is
written again here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from ...config import Retention
from ...errors import InputError, UnsupportedError
from ...methods.observation import Observation
from ...methods.scorers.struct_kv import StructKV
from ...retention.flow import Step
from ...selection.slots import SlotTable
from ...types import Ints
from .arguments import cache_argument
from .cache import RetentionCache
from .compress import forked
from .forward import TableForward
from .layer import RetentionLayer
from .observe import Observer
from .precision import read

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

    def begin(
        self, decoder: nn.Module, ids: torch.Tensor | None, mask: torch.Tensor | None
    ) -> torch.Tensor | None:
        """The tokens are read already, and nothing is cut."""
        self.check_usable(decoder)
        self._forwards = [_uncut(table) for table in self._tables]
        self._traced()
        return None


def _uncut(table: SlotTable) -> TableForward:
    """A forward of all tokens of a table of one row."""
    positions = table.positions
    return TableForward(Step(), table, positions, positions=positions, padded=False, check=True)


def propagate(
    scorer: StructKV, source: RetentionCache, needed: Collection[int]
) -> tuple[list[torch.Tensor], int, RetentionCache]:
    """S [layer][row, 1, slot] of the tokens that each layer holds, tokens fed, and their cache.

    ``needed``: tokens that go through every layer, whatever their centrality.

    Raises:
        InputError: when the prefill did not collect the last queries.
        UnsupportedError: when the model's layers cannot be run on some of the tokens.
    """
    before = torch.stack([_measured(scorer, layer).double().cpu() for layer in source.managed])
    scores = before[:, 0, 0]
    pivot = scorer.pivot_of(scores)
    kept = scorer.structure(scorer.centrality(scores, pivot), needed)
    cache = forked(source, Retention(budget=None, method="full"), PrunedCache)
    cache.prune(pivot + 1, kept.numpy(), Observation(queries=scorer.window))
    whole = cache.flow.tables[None]
    device = source.managed[0].device
    with pruned(cache, pivot + 1, kept):
        cache.decoder(
            input_ids=torch.from_numpy(whole.ids).to(device),
            position_ids=torch.from_numpy(whole.positions).to(device),
            **cache_argument(cache),
            use_cache=True,
        )
    if any(layer.pending or layer.seen != whole.width for layer in cache.managed):
        raise UnsupportedError(
            f"layers of {type(cache.decoder).__name__} do not attend to just the tokens that they "
            "are given: structkv cannot prune them"
        )
    return [_measured(scorer, layer) for layer in cache.managed], whole.width, cache


def _measured(scorer: StructKV, layer: RetentionLayer) -> torch.Tensor:
    """S [row, 1, slot] of a layer that was prefilled, from the queries it collected."""
    observer = layer.observer
    if observer is None or observer.queries is None or observer.wanted.queries < scorer.window:
        raise InputError(
            f"the prefill did not collect the last {scorer.window} queries that structkv reads: "
            "name them before it (RetentionCache(observe=...))"
        )
    assert layer.keys is not None and layer.values is not None and layer.table is not None
    states = read(layer.keys), read(layer.values)
    return scorer.measure(observer.seen(*states, _uncut(layer.table)))


@contextmanager
def pruned(cache: RetentionCache, first: int, kept: torch.Tensor) -> Iterator[None]:
    """While it is open, decoder layers from ``first`` on compute on the tokens ``kept`` alone.

    Raises:
        UnsupportedError: when the decoder has no list of layers, or hands them something else.
    """
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


def _cut(model: str, key: str, value: Any, kept: torch.Tensor) -> Any:
    """The entries of ``kept`` in an argument of a decoder layer."""
    if isinstance(value, tuple):
        return tuple(_cut(model, key, item, kept) for item in value)
    if not isinstance(value, torch.Tensor):
        return value
    if key not in PER_TOKEN:
        raise UnsupportedError(
            f"{model} hands its layers a tensor {key!r} that structkv cannot cut to some tokens"
        )
    return value.index_select(PER_TOKEN[key], kept.to(value.device))
