"""A text that streams through a cache: tokenised, scanned and cut to K as it flows.

Held are K + chunk tokens a layer, and of the text what ``forget_text`` leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ...errors import InputError
from ...retention.flow_state import forget_text
from ...text.token_stream import TokenStream
from ...types import Ints
from .arguments import cache_argument
from .cache import RetentionCache
from .interrupts import held_back
from .parallel import device_of_ids


def feed_stream(
    model: Any,
    stream: TokenStream,
    cache: RetentionCache,
    *,
    chunk: int,
    keep_last: bool,
    progress: Callable[[int, int | None], None] | None,
) -> None:
    """Feed a stream behind what a cache has seen, ``chunk`` tokens a forward, as ``prefill`` does.

    Between two forwards stream and cache agree: after an interrupt, or an error of the source, the
    cache can be used, and after an interrupt between forwards the same call goes on.

    Raises:
        InputError: for a text without a token.
    """
    ended = False
    while not ended:
        ids = stream.peek(chunk + 1)  # one ahead, to know the last token when it comes
        if not len(ids):
            raise InputError("the prompt is empty: its text gives no token")
        ended = len(ids) <= chunk
        left = 1 if keep_last or not ended else 0
        count = len(ids) - left
        with held_back():
            cache.expect_prompt(cache.num_columns + count + left)
            if count:
                _forward(model, ids[:count], cache)
                stream.take(count)
                forget_text(cache.flow)
        if progress is not None:
            progress(cache.num_columns, None)


def _forward(model: Any, ids: Ints, cache: RetentionCache) -> None:
    start, device = _num_tokens(cache), device_of_ids(model)
    positions = torch.arange(start, start + len(ids), device=device)
    cache.decoder(
        input_ids=torch.from_numpy(ids)[None].to(device),
        position_ids=positions[None],
        **cache_argument(cache),
        use_cache=True,
    )


def inputs_behind(
    cache: RetentionCache, ids: TokenStream | torch.Tensor | Sequence[int]
) -> dict[str, torch.Tensor]:
    """Inputs of ``generate`` for tokens that come behind all that a cache has seen.

    ``generate`` wants a column for every token so far; zeros stand for those whose ids are not
    known (padding, and a cache that was loaded without its text). 16 bytes a token, for as long as
    it generates.

    Args:
        ids: tokens, [token] or [1, token]; of a stream, what ``prefill`` left of it.

    Raises:
        InputError: for a batch, or no token.
    """
    rows = len(cache.flow.sequences) if cache.num_columns else 1
    if rows > 1:
        raise InputError(f"the cache holds {rows} rows: give generate() all columns of the batch")
    device = device_of_ids(cache.decoder)
    given = ids.rest if isinstance(ids, TokenStream) else ids
    new = torch.as_tensor(given, dtype=torch.long).reshape(1, -1).to(device)
    if not new.shape[1]:
        raise InputError("generate() needs a token: prefill with keep_last=True leaves one")
    seen = torch.zeros((1, cache.num_columns), dtype=torch.long)
    if cache.num_columns:
        cache.read_generated()
        known = torch.from_numpy(cache.flow.sequences[0].ids.array.astype("int64"))
        seen[0, cache.num_columns - len(known) :] = known.clamp(min=0)
    whole = torch.cat([seen.to(device), new], 1)
    mask = torch.ones_like(whole)
    mask[:, : cache.num_columns - _num_tokens(cache)] = 0  # as many columns as were padding
    return {"input_ids": whole, "attention_mask": mask}


def _num_tokens(cache: RetentionCache) -> int:
    """Tokens that the one row of a cache has seen, without padding."""
    return int(cache.flow.lengths[0]) if cache.num_columns else 0
