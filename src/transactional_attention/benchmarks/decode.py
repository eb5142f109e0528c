"""A decode step at K tokens beside a ``DynamicCache`` that holds K tokens and nothing else."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from transformers import DynamicCache

from ..config import Retention
from ..engines.transformers import RetentionCache, detach
from .timing import Timing, interleave, stopwatch

STEPS = 60


def decode_steps(
    model: Any, tokenizer: Any, *, budget: int, context: int, methods: list[str], rounds: int
) -> list[Timing]:
    """Median seconds of a step, a round an arm; the peer runs plain SDPA without our hooks."""
    vocabulary = model.config.vocab_size
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(3, vocabulary, (1, context), generator=generator)
    arms: dict[str, Callable[[], float]] = {
        f"DynamicCache, {budget} tokens": partial(_native, model, ids[:, :budget])
    }
    for method in methods:
        retention = Retention(budget=budget, method=method)
        arms[method] = partial(_retained, model, tokenizer, ids, retention)
    return interleave(arms, rounds)


@torch.inference_mode()
def _native(model: Any, ids: torch.Tensor) -> float:
    detach(model)
    cache: Any = DynamicCache(config=model.config)
    model(ids, past_key_values=cache, use_cache=True)

    def step() -> None:
        model(ids[:, :1], past_key_values=cache, use_cache=True)

    seconds = []
    for _ in range(STEPS):
        seconds.append(stopwatch(step))
        for layer in cache.layers:  # back to K tokens, outside the timed part
            layer.keys = layer.keys[:, :, 1:].contiguous()
            layer.values = layer.values[:, :, 1:].contiguous()
    return statistics.median(seconds)


@torch.inference_mode()
def _retained(model: Any, tokenizer: Any, ids: torch.Tensor, retention: Retention) -> float:
    cache = RetentionCache(model, tokenizer, retention)
    model(ids, past_key_values=cache, use_cache=True)

    def step() -> None:
        model(ids[:, :1], past_key_values=cache, use_cache=True)

    return statistics.median([stopwatch(step) for _ in range(STEPS)])
