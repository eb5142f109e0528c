"""Seconds and bytes of a prefill and of decode steps: a managed cache, or eager attention kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache, detach
from transactional_attention.engines.transformers.arguments import cache_argument

from ..benchmarks.timing import stopwatch
from .experiment import Row
from .memory_model import ModelShape
from .storage_meter import StorageMeter

STEPS = 8  # decode steps behind a prefill, of which the median counts


def random_model(shape: ModelShape, positions: int, dtype: torch.dtype = torch.bfloat16) -> Any:
    """A Llama of a shape with random weights: time and memory do not depend on what they are."""
    from transformers import LlamaConfig, LlamaForCausalLM  # noqa: PLC0415  (slow)

    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        max_position_embeddings=positions,
        tie_word_embeddings=shape.tied,
        eos_token_id=None,
    )
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        return LlamaForCausalLM(config).eval()
    finally:
        torch.set_default_dtype(before)


@torch.inference_mode()
def managed(model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention) -> Row:
    """A prefill of the whole prompt under a retention, and decode steps after it.

    ``peak_bytes``: most that was live inside the prefill beside the weights; ``held_bytes``: keys
    and values afterwards. Detection is part of ``prefill_seconds``.
    """
    inputs = torch.tensor([list(ids)], device=model.device)
    started = time.perf_counter()
    with StorageMeter(tuple(model.parameters())) as meter:
        cache = RetentionCache(model, tokenizer, retention)
        model(inputs, **cache_argument(cache), use_cache=True, logits_to_keep=1)
        _wait(model)
    prefill_seconds = time.perf_counter() - started

    def step() -> None:
        model(inputs[:, :1], **cache_argument(cache), use_cache=True)
        _wait(model)

    held = cache.stored_bytes()
    return {
        "prefill_seconds": prefill_seconds,
        "decode_seconds": _median(step),
        "peak_bytes": meter.peak,
        "held_bytes": held,
    }


@torch.inference_mode()
def head_seconds(model: Any) -> float:
    """What no layer takes of a forward: the last norm and the logits of one token."""
    hidden = torch.zeros(1, 1, model.config.hidden_size, dtype=model.dtype, device=model.device)

    def step() -> None:
        model.lm_head(model.model.norm(hidden))
        _wait(model)

    return _median(step)


@torch.inference_mode()
def eager_kept(model: Any, ids: Sequence[int]) -> Row:
    """A prefill with eager attention and ``output_attentions``, as a method needs that chooses from
    the weights of a forward that transformers returns."""
    inputs = torch.tensor([list(ids)], device=model.device)
    detach(model)
    previous = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        started = time.perf_counter()
        with StorageMeter(tuple(model.parameters())) as meter:
            output = model(inputs, use_cache=True, output_attentions=True, logits_to_keep=1)
            _wait(model)
        seconds = time.perf_counter() - started
    finally:
        model.set_attn_implementation(previous)
    kept = sum(weights.untyped_storage().nbytes() for weights in output.attentions)
    return {"prefill_seconds": seconds, "peak_bytes": meter.peak, "held_bytes": kept}


def _median(step: Callable[[], None]) -> float:
    return sorted(stopwatch(step) for _ in range(STEPS))[STEPS // 2]


def _wait(model: Any) -> None:
    """Kernels of a GPU run behind the host."""
    if model.device.type == "cuda":
        torch.cuda.synchronize(model.device)
