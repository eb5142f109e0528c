"""Caches as they stand after n tokens, without the forwards that would have filled them.

Keys and values are random, at true positions; a decode step takes as long whatever they are. Ours
reads a text of n tokens as ever: its registry, its text and its slot tables are real.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from transformers import Cache, DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..experiments.memory_model import shape_of_model
from .feeding import feed, ready
from .window import window_cache

CHUNK = 4096  # tokens that a flow reads at a time
BACKENDS = ("quanto", "hqq", "fp8")


def fill(model: Any, cache: Cache, tokens: int) -> Cache:
    """Random keys and values [1, kv_head, tokens, head_dim] into every layer of an empty cache."""
    for layer in range(shape_of_model(model).layers):
        keys, values = _random(model, tokens)
        cache.update(keys, values, layer)
    return cache


def _random(model: Any, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
    shape, about = shape_of_model(model), next(model.parameters())
    size = (1, shape.kv_heads, tokens, shape.head_dim)
    return tuple(torch.randn(size, dtype=about.dtype, device=about.device) for _ in range(2))  # type: ignore[return-value]


def whole(model: Any, tokens: int) -> Cache:
    """A plain cache that holds them all."""
    return fill(model, DynamicCache(config=model.config), tokens)


def window(model: Any, tokens: int, budget: int) -> Cache:
    """A sliding window with sinks, after ``tokens`` tokens."""
    cache = fill(model, window_cache(model.config, budget), budget)
    layers: list[Any] = list(cache.layers)
    for layer in layers:
        layer.seen = tokens
    return cache


def quantised(model: Any, tokens: int) -> Iterator[tuple[str, Cache | str]]:
    """transformers' quantised cache with every backend: its name, and the cache or why not."""
    try:
        from transformers import QuantizedCache  # noqa: PLC0415  (gone or changed between versions)
    except ImportError:
        yield "QuantizedCache", "this version of transformers has none"
        return
    for backend in BACKENDS:
        try:
            cache = QuantizedCache(backend, model.config)
            yield backend, fill(model, cache, tokens)
        except (ImportError, ValueError) as error:
            yield backend, str(error).strip().split("\n")[0]


@torch.inference_mode()
def retained(
    model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention
) -> RetentionCache:
    """Our cache behind a prompt; a method that reads layers runs a real prefill instead."""
    cache = RetentionCache(model, tokenizer, retention)
    flow = cache.new_flow(1)
    if flow.scorer.observes:
        ready(model, cache)
        feed(model, cache, ids)
        return cache
    cache.use(flow)
    size = len(ids) if flow.method.whole_prompt else CHUNK
    for start in range(0, len(ids), size):
        part = np.array([ids[start : start + size]])
        last = start + size >= len(ids)
        flow.read(part, np.ones_like(part, dtype=bool), final=last)
        for table in flow.tables.values():
            flow.cut(table)
    for layer in cache.managed:
        assert layer.table is not None
        keys, values = _random(model, layer.table.width)
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values, layer.seen = keys, values, len(ids)
    cache.expect_prompt(len(ids))
    cache.context_open = False
    return cache
