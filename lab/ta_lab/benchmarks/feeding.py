"""Tokens into a cache, ours or a plain one of transformers, and what is held then."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from transactional_attention.engines.transformers import RetentionCache, detach
from transactional_attention.engines.transformers.inputs import place_tokens
from transactional_attention.engines.transformers.precision import stored_bytes

from ..cases.decoding import forward, greedy
from ..cases.metrics import is_correct
from .benchmark import ANSWER, Subject
from .corpus import Stated


def ready(model: Any, cache: Any) -> None:
    """Prepare a model for a cache: our hooks for ours, plain SDPA without them for others."""
    if isinstance(cache, RetentionCache):
        place_tokens(model, cache.positions.rotary, mixed=len(cache.managed) < len(cache.layers))
    else:
        detach(model)


@torch.inference_mode()
def feed(model: Any, cache: Any, ids: Sequence[int], chunk: int | None = None) -> torch.Tensor:
    """Feed one row of prompt tokens, ``chunk`` at a time; logits [vocab] of the last one.

    Call ``ready`` before, when another kind of cache ran on the model."""
    size = len(ids) if chunk is None else chunk
    if isinstance(cache, RetentionCache):
        cache.expect_prompt(cache.num_columns + len(ids))
    for start in range(0, len(ids), size):
        logits = forward(model, cache, ids[start : start + size])
    return logits


def is_answered(subject: Subject, cache: Any, value: Stated, chunk: int | None = None) -> bool:
    """Ask for a value; whether the model's own answer is it."""
    ready(subject.model, cache)
    logits = feed(subject.model, cache, value.question, chunk)
    ids, ended = greedy(subject.model, cache, logits, ANSWER)
    answer = subject.tokenizer.decode(ids, skip_special_tokens=True)
    return is_correct(answer, value.answer, ended)


STATM = Path("/proc/self/statm")


def rss_bytes() -> int:
    """Memory of this process that is in RAM now; its peak where the system does not say."""
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def held_bytes(cache: Any) -> int:
    """Bytes of the storage behind keys and values of all layers of a cache."""
    pairs = ((getattr(la, "keys", None), getattr(la, "values", None)) for la in cache.layers)
    return stored_bytes(states for pair in pairs for states in pair if states is not None)


class PeakMeter:
    """Most bytes of keys and values that a cache held, read after every layer took its tokens.

    A layer of ours holds K + chunk tokens then and is cut before the next one begins; a rotated
    copy that attention is handed is no part of what is held."""

    def __init__(self, cache: Any) -> None:
        self.cache, self.peak = cache, 0
        for layer in cache.layers:
            layer.update = self._watched(layer.update)

    def _watched(self, update: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            states = update(*args, **kwargs)
            self.peak = max(self.peak, held_bytes(self.cache))
            return states

        return watched
