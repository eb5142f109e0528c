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
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.engines.transformers.inputs import place_tokens
from transactional_attention.engines.transformers.precision import stored_bytes
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.text.token_stream import TokenStream

from ..cases.decoding import greedy
from ..cases.metrics import is_correct
from .benchmark import ANSWER, Subject
from .corpus import Stated


def ready(model: Any, cache: Any) -> None:
    """Prepare a model for a cache: our hooks for ours, plain SDPA without them for others."""
    if isinstance(cache, RetentionCache):
        place_tokens(model, cache)
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
        logits = push(model, cache, ids[start : start + size])
    return logits


def stream_into(
    model: Any, cache: Any, stream: TokenStream, chunk: int, note: Callable[[int], None]
) -> None:
    """Read a stream to its end; ``note`` is called with the tokens so far after every chunk.

    Ours by ``prefill``, which forgets the text as it goes; a plain cache by the same forwards."""
    ready(model, cache)
    if isinstance(cache, RetentionCache):
        prefill(
            model, stream, cache, chunk=chunk, keep_last=False, progress=lambda done, _: note(done)
        )
        return
    done = 0
    while len(ids := stream.peek(chunk)):
        push(model, cache, ids.tolist())
        stream.take(len(ids))
        note(done := done + len(ids))


@torch.inference_mode()
def push(model: Any, cache: Any, ids: Sequence[int]) -> torch.Tensor:
    """One forward over one row of tokens; logits [vocab] of the last one."""
    inputs = torch.tensor([list(ids)], device=model.device)
    output = model(inputs, **cache_argument(cache), use_cache=True, logits_to_keep=1)
    return output.logits[0, -1]


def is_answered(subject: Subject, cache: Any, value: Stated, chunk: int | None = None) -> bool:
    """Ask for a value; whether the model's own answer is it."""
    ready(subject.model, cache)
    logits = feed(subject.model, cache, value.question, chunk)
    ids, ended = greedy(subject.model, cache, logits, ANSWER)
    said = subject.tokenizer.decode(ids, skip_special_tokens=True)
    return is_correct(said, value.answer, ended)


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

    def __init__(self) -> None:
        self.peak = 0

    def watch(self, cache: Any) -> None:
        """Read a cache after every ``update`` of its layers."""
        for layer in cache.layers:
            self._watch_layer(cache, layer)

    def _watch_layer(self, cache: Any, layer: Any) -> None:
        update = layer.update

        def watched(*args: Any, **kwargs: Any) -> tuple[torch.Tensor, torch.Tensor]:
            states = update(*args, **kwargs)
            self.peak = max(self.peak, held_bytes(cache))
            return states

        layer.update = watched
