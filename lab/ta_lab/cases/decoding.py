"""Greedy answers: feed tokens to a cache, or to several at once, read the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.arguments import cache_argument

from .cache_batch import SeveralCaches

Answer = tuple[list[int], bool]
"""Greedy tokens, and whether an end token came; it is not among them."""


@contextmanager
def flushed_subnormals() -> Iterator[None]:
    """Subnormal numbers are zero in the block: a trained softmax is full of them, and processors
    are several times slower on them."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


@torch.inference_mode()
def forward(model: Any, cache: RetentionCache, ids: Sequence[int]) -> torch.Tensor:
    """Feed one row of tokens; logits [vocab] of the last one."""
    return forward_rows(model, [cache], [ids])[0]


@torch.inference_mode()
def forward_rows(
    model: Any, caches: Sequence[RetentionCache], rows: Sequence[Sequence[int]]
) -> torch.Tensor:
    """Feed each cache its row of tokens [row, new], in one forward; logits [row, vocab]."""
    cache = caches[0] if len(caches) == 1 else SeveralCaches(caches)
    inputs = torch.tensor(rows, device=model.device)
    output = model(inputs, **cache_argument(cache), use_cache=True, logits_to_keep=1)
    return output.logits[:, -1]


def end_tokens(model: Any) -> set[int]:
    """Ids that end a generation, as ``generate()`` knows them."""
    ends = model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends} - {None}


def greedy(model: Any, cache: RetentionCache, logits: torch.Tensor, limit: int) -> Answer:
    """The answer of one cache after ``logits`` [vocab], of at most ``limit`` tokens."""
    return greedy_rows(model, [cache], logits[None], limit)[0]


def greedy_rows(
    model: Any,
    caches: Sequence[Any],
    logits: torch.Tensor,
    limit: int,
    missed: Callable[[list[int]], bool] | None = None,
) -> list[Answer]:
    """``greedy`` for each of several caches, after ``logits`` [row, vocab]; a row that has ended
    leaves the others. ``missed(ids)``: whether what is generated so far is enough to stop."""
    ids: list[list[int]] = [[] for _ in caches]
    ended, ends, going = [False] * len(caches), end_tokens(model), list(range(len(caches)))
    for left in range(limit, -1, -1):
        tokens = dict(zip(going, logits.argmax(-1).tolist(), strict=True))
        for row in going:
            ended[row] = tokens[row] in ends
        going = [row for row in going if left and not ended[row]]
        for row in going:
            ids[row].append(tokens[row])
        going = [row for row in going if missed is None or not missed(ids[row])]
        if not going:
            break
        logits = forward_rows(model, [caches[r] for r in going], [ids[r][-1:] for r in going])
    return list(zip(ids, ended, strict=True))
