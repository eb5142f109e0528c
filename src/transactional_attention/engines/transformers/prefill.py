"""Prefill in bounded memory: K + chunk tokens per layer, whatever the prompt's length.

Drives the decoder itself with explicit positions: ``generate(prefill_chunk_size=)`` is broken in
transformers before 5.22 (huggingface/transformers#43082), and the vocabulary projection is not
needed before the last token. A text that streams is tokenised, scanned and cut to K as it flows;
held of it is what ``forget_text`` leaves.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from ...errors import InputError
from ...retention.chunks import CHUNK, LEAST_ASKING, chunk_size
from ...retention.forgetting import forget_text
from ...text.token_stream import TokenStream
from ...types import SourceRange
from .arguments import cache_argument
from .cache import RetentionCache
from .decoder import device_of_ids
from .inputs import check_continues

ProgressCallback = Callable[[int, int | None], None]


@torch.no_grad()
def prefill(
    model: Any,
    prompt: Tensor | TokenStream,
    cache: RetentionCache,
    *,
    chunk: int = CHUNK,
    attention_mask: Tensor | None = None,
    sources: Sequence[Sequence[SourceRange]] | None = None,
    keep_last: bool = True,
    progress: ProgressCallback | None = None,
) -> RetentionCache:
    """Feed a prompt in chunks, evicting after each; then call ``generate`` with the same inputs.

    Args:
        prompt: ids [row, column], every column of the sequence so far; what the cache has seen
            already is skipped, so a later turn passes the whole conversation again. Or a text
            that streams (docs/streaming.md), after what the cache has seen; ``generate`` then
            takes ``inputs_after(cache, prompt)``.
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
    elif prompt.ndim != 2 or prompt.shape[1] == 0:
        raise InputError(f"the prompt is empty or not [row, column]: {tuple(prompt.shape)}")
    elif attention_mask is not None and attention_mask.shape != prompt.shape:
        given, wanted = tuple(attention_mask.shape), tuple(prompt.shape)
        raise InputError(f"attention_mask {given} does not fit input_ids {wanted}")
    elif cache.num_columns:
        cache.read_generated()
        check_continues(cache.num_columns, cache.flow.sequences, prompt, attention_mask, new=0)
    if sources is not None:
        cache.set_sources(sources)
    if isinstance(prompt, TokenStream):
        feed_stream(prompt, cache, chunk=chunk, keep_last=keep_last, progress=progress)
    else:
        end = prompt.shape[1] - 1 if keep_last else prompt.shape[1]
        for done in read_columns(prompt, cache, end, chunk, attention_mask):
            if progress is not None:
                progress(done, prompt.shape[1])
    return cache


def read_columns(
    input_ids: Tensor,
    cache: RetentionCache,
    end: int,
    chunk: int,
    attention_mask: Tensor | None = None,
    asks_at: int | None = None,
) -> Iterator[int]:
    """Feed what a cache has not seen of the first ``end`` columns of a prompt, in chunks; how many
    columns it has seen after each. The chunk that reaches ``asks_at``, by default the end, asks for
    what left."""
    mask = torch.ones_like(input_ids) if attention_mask is None else attention_mask
    positions = (mask.long().cumsum(-1) - 1).clamp(min=0)
    while (start := cache.num_columns) < end:
        cache.expect_prompt(input_ids.shape[1], end if asks_at is None else asks_at)
        stop = start + chunk_size(end - start, chunk, asks=cache.memory is not None)
        cache.feed(input_ids[:, start:stop], positions[:, start:stop], mask[:, :stop])
        yield stop


def feed_stream(
    stream: TokenStream,
    cache: RetentionCache,
    *,
    chunk: int,
    keep_last: bool,
    progress: ProgressCallback | None,
) -> None:
    """Feed a stream after what a cache has seen, ``chunk`` tokens a forward, as ``prefill`` does.

    Between two forwards stream and cache agree: after an interrupt, or an error of the source, the
    cache can be used, and after an interrupt between forwards the same call goes on. Raises
    InputError for a text without a token.
    """
    ended = False
    while not ended:
        ahead = chunk + LEAST_ASKING + 1  # to know the last chunk when it comes
        ids = stream.peek(ahead)
        if not len(ids):
            raise InputError("the prompt is empty: its text gives no token")
        left = len(ids) - (1 if keep_last else 0)
        count = chunk_size(left, chunk, asks=cache.memory is not None)
        ended = count == left and len(ids) < ahead
        with held_back():
            # as far as is known: without its end it goes on by more than a chunk
            end = cache.num_columns + (len(ids) if ended else len(ids) + chunk)
            cache.expect_prompt(end, cache.num_columns + left if ended else end)
            if count:
                start = _num_tokens(cache)
                positions = torch.arange(start, start + count)
                cache.feed(torch.from_numpy(ids[:count])[None], positions[None])
                stream.take(count)
                forget_text(cache.flow)
        if progress is not None:
            progress(cache.num_columns, None)


def inputs_after(
    cache: RetentionCache, ids: TokenStream | Tensor | Sequence[int]
) -> dict[str, Tensor]:
    """Inputs of ``generate`` for tokens that come after all that a cache has seen.

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


@torch.no_grad()
def next_logits(model: Any, cache: RetentionCache, ids: Tensor) -> Tensor:
    """Of the token after ``ids`` [1, token], which come after all that a cache of one row has
    seen: [vocabulary]."""
    device, start = device_of_ids(model), _num_tokens(cache)
    last = {"logits_to_keep": 1} if model._supports_logits_to_keep() else {}
    output = model(
        input_ids=ids.to(device),
        position_ids=torch.arange(start, start + ids.shape[1], device=device)[None],
        **cache_argument(cache),
        use_cache=True,
        **last,
    )
    return output.logits[0, -1]


@contextmanager
def held_back() -> Iterator[None]:
    """Raise an interrupt when the block has ended; a second one is raised at once.

    A program's own handler stays, and threads other than the main one get no interrupts.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    came: list[int] = []

    def note(number: int, frame: object) -> None:
        if came:
            raise KeyboardInterrupt
        came.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


def forget_offsets(model: Any, rows: int) -> None:
    """Take from a model the offsets that it keeps of an earlier text with images (Qwen2-VL).

    ``generate`` after a prefill would add them, and fail where that text had other rows.
    """
    for module in model.modules():
        if getattr(module, "rope_deltas", None) is not None:
            module.rope_deltas = torch.zeros_like(module.rope_deltas[:1]).expand(rows, -1)
