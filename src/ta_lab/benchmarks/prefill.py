"""A whole prefill and the first tokens of an answer beside a plain cache that keeps everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache, detach
from transactional_attention.engines.transformers.arguments import cache_argument

from .timing import Timing, interleave, stopwatch

PEER = "plain cache"


def forwards(
    model: Any,
    tokenizer: Any,
    ids: Sequence[int],
    methods: Sequence[str],
    budget: int,
    rounds: int,
    *,
    steps: int = 0,
) -> list[Timing]:
    """Seconds from ids to a cut cache and ``steps`` more tokens; detection is part of them."""
    prompt = torch.tensor([list(ids)], device=model.device)

    def plain() -> float:
        detach(model)
        return stopwatch(partial(_fed, model, prompt, DynamicCache(config=model.config), steps))

    def managed(method: str) -> float:
        def whole() -> None:
            _fed(model, prompt, RetentionCache(model, tokenizer, Retention(budget, method)), steps)

        return stopwatch(whole)

    arms: dict[str, Callable[[], float]] = {PEER: plain}
    arms |= {method: partial(managed, method) for method in methods}
    return interleave(arms, rounds)


@torch.inference_mode()
def _fed(model: Any, prompt: torch.Tensor, cache: Any, steps: int) -> None:
    model(prompt, **cache_argument(cache), use_cache=True, logits_to_keep=1)
    for _ in range(steps):
        model(prompt[:, :1], **cache_argument(cache), use_cache=True)
    if model.device.type == "cuda":
        torch.cuda.synchronize(model.device)
