"""Greedy answers of one row: feed tokens to a cache, read the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..engines.transformers import RetentionCache


@torch.inference_mode()
def forward(model: Any, cache: RetentionCache, ids: list[int]) -> torch.Tensor:
    """Feed one row of tokens; logits [vocab] of the last one."""
    inputs = torch.tensor([ids], device=model.device)
    output = model(inputs, past_key_values=cache, use_cache=True, logits_to_keep=1)
    return output.logits[0, -1]


def end_tokens(model: Any) -> set[int]:
    """Ids that end a generation, as ``generate()`` knows them."""
    ends = model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends} - {None}


def greedy(
    model: Any,
    cache: RetentionCache,
    logits: torch.Tensor,
    limit: int,
    missed: Callable[[list[int]], bool] | None = None,
) -> tuple[list[int], bool]:
    """Greedy tokens up to ``limit``, and whether an end token came; it is not among them.

    ``missed(ids)``: whether what is generated so far is enough to stop.
    """
    ids: list[int] = []
    ends = end_tokens(model)
    while len(ids) < limit:
        token = int(logits.argmax())
        if token in ends:
            return ids, True
        ids.append(token)
        if missed is not None and missed(ids):
            return ids, False
        logits = forward(model, cache, [token])
    return ids, int(logits.argmax()) in ends
