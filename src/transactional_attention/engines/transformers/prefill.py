"""Prefill in bounded memory: K + chunk tokens per layer, whatever the prompt's length.

Drives the decoder itself with explicit positions: ``generate(prefill_chunk_size=)`` is broken in
transformers before 5.22 (huggingface/transformers#43082), and the vocabulary projection is not
needed before the last token.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ...errors import InputError
from ...text.token_stream import TokenStream
from ...types import SourceRange
from .arguments import cache_argument
from .cache import RetentionCache
from .continuing import check_continues
from .outer import forget_offsets
from .parallel import device_of_ids
from .streaming import feed_stream


@torch.no_grad()
def prefill(
    model: Any,
    prompt: torch.Tensor | TokenStream,
    cache: RetentionCache,
    *,
    chunk: int = 512,
    attention_mask: torch.Tensor | None = None,
    sources: Sequence[Sequence[SourceRange]] | None = None,
    keep_last: bool = True,
    progress: Callable[[int, int | None], None] | None = None,
) -> RetentionCache:
    """Feed a prompt in chunks, evicting after each; then call ``generate`` with the same inputs.

    Args:
        prompt: ids [row, column], every column of the sequence so far; what the cache has seen
            already is skipped, so a later turn passes the whole conversation again. Or a text
            that streams (docs/streaming.md), behind what the cache has seen; ``generate`` then
            takes ``inputs_behind(cache, prompt)``.
        attention_mask: [row, column], 0 for padding; not for a stream.
        chunk: new tokens a forward; the peak is ``K + chunk`` live tokens in one layer.
        keep_last: leave the last token for ``generate``, which needs its logits. False feeds all.
        progress: called with (columns done, columns in all) after every chunk; of a stream nobody
            knows how many there are.

    Raises:
        InputError: for an empty prompt, a chunk below 1, or a mask of another shape.
        CacheStateError: when the cache has read more than is given, or other tokens.
    """
    if chunk < 1:
        raise InputError(f"chunk must be at least 1 token, got {chunk}")
    forget_offsets(model, 1 if isinstance(prompt, TokenStream) else len(prompt))
    if isinstance(prompt, TokenStream):
        if attention_mask is not None:
            raise InputError("a stream is one row without padding: it takes no attention_mask")
        if sources is not None:
            cache.set_sources(sources)
        feed_stream(model, prompt, cache, chunk=chunk, keep_last=keep_last, progress=progress)
    else:
        _feed_ids(model, prompt, cache, chunk, attention_mask, sources, keep_last, progress)
    return cache


def _feed_ids(
    model: Any,
    input_ids: torch.Tensor,
    cache: RetentionCache,
    chunk: int,
    attention_mask: torch.Tensor | None,
    sources: Sequence[Sequence[SourceRange]] | None,
    keep_last: bool,
    progress: Callable[[int, int | None], None] | None,
) -> None:
    _check(input_ids, attention_mask, cache)
    if sources is not None:
        cache.set_sources(sources)
    total = input_ids.shape[1]
    end = total - 1 if keep_last else total
    read_columns(model, input_ids, cache, end, chunk, attention_mask, progress)


def read_columns(
    model: Any,
    input_ids: torch.Tensor,
    cache: RetentionCache,
    end: int,
    chunk: int,
    attention_mask: torch.Tensor | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> None:
    """Feed what a cache has not seen of the first ``end`` columns of a prompt, in chunks."""
    mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
    positions = (mask.long().cumsum(-1) - 1).clamp(min=0)
    total, device = input_ids.shape[1], device_of_ids(model)
    cache.expect_prompt(total)
    for start in range(cache.num_columns, end, chunk):
        stop = min(start + chunk, end)
        cache.decoder(
            input_ids=input_ids[:, start:stop].to(device),
            attention_mask=mask[:, :stop].to(device),
            position_ids=positions[:, start:stop].to(device),
            **cache_argument(cache),
            use_cache=True,
        )
        if progress is not None:
            progress(stop, total)


def _check(input_ids: torch.Tensor, mask: torch.Tensor | None, cache: RetentionCache) -> None:
    if input_ids.ndim != 2 or input_ids.shape[1] == 0:
        raise InputError(f"the prompt is empty or not [row, column]: {tuple(input_ids.shape)}")
    if mask is not None and mask.shape != input_ids.shape:
        raise InputError(
            f"attention_mask {tuple(mask.shape)} does not fit input_ids {tuple(input_ids.shape)}"
        )
    if cache.num_columns:
        check_continues(cache, input_ids, mask, new=0)
