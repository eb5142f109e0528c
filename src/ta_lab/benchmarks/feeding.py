"""Tokens into a cache, ours or a plain one of transformers, in forwards of a bounded size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from transactional_attention.engines.transformers import RetentionCache, detach
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.engines.transformers.placing import place_tokens
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.text.token_stream import TokenStream


def ready(model: Any, cache: Any) -> None:
    """Prepare a model for a cache: our hooks for ours, plain SDPA without them for others."""
    if isinstance(cache, RetentionCache):
        place_tokens(model, cache)
    else:
        detach(model)


@torch.inference_mode()
def feed(model: Any, cache: Any, ids: Sequence[int], chunk: int | None = None) -> torch.Tensor:
    """Feed one row of prompt tokens, ``chunk`` at a time; logits [vocab] of the last one.

    Call ``ready`` before, when another kind of cache ran on the model.
    """
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

    Ours by ``prefill``, which forgets the text as it goes; a plain cache by the same forwards.
    """
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
