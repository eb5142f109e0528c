"""Perplexity under eviction: streams of a text, fed token by token, cut to K after each."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.errors import InputError


def stream_offsets(tokens: int, count: int, length: int, seed: int) -> list[int]:
    """Where ``count`` streams of ``length`` tokens begin in a text; no two share a token.

    Raises:
        InputError: for a text that is too short for them.
    """
    places = tokens // length
    if places < count:
        raise InputError(
            f"the text has {tokens} tokens: too few for {count} streams of {length}, ask for fewer"
        )
    chosen = random.Random(f"streams/{seed}").sample(range(places), count)
    return [place * length for place in sorted(chosen)]


def make_streams(
    tokenizer: Any, ids: Sequence[int], offsets: Sequence[int], length: int
) -> torch.Tensor:
    """Tokens [stream, length (+ 1)]: each opened by the begin token where there is one."""
    begin = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    return torch.tensor([begin + list(ids[start : start + length]) for start in offsets])


@torch.inference_mode()
def stream_nats(
    model: Any,
    tokenizer: Any,
    streams: torch.Tensor,
    retention: Retention,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[torch.Tensor, int]:
    """Negative log-likelihood in nats [stream, column - 1], and the most tokens held after a step.

    Every stream is a row of one batch. Its tokens are prompt, so that detectors read them, but each
    comes in a forward of its own: it sees at most K earlier ones and is then one of K that stay.
    """
    cache = RetentionCache(model, tokenizer, retention)
    steps = streams.shape[1] - 1
    cache.expect_prompt(steps)
    streams, found = streams.to(model.device), []
    for column in range(steps):
        fed = streams[:, column : column + 1]
        logits = model(fed, **cache_argument(cache), use_cache=True).logits[:, -1].float()
        found.append(F.cross_entropy(logits, streams[:, column + 1], reduction="none"))
        progress(column + 1, steps)
    return torch.stack(found, 1).cpu(), cache.ledger.between


def summary(nats: torch.Tensor, skip: int) -> dict[str, Any]:
    """Perplexity of all predicted tokens with its interval, and of those after the first ``skip``.

    ``ci95``: from the spread of the streams' means, with the normal quantile, which is too narrow
    for few streams; None for one. ``stream_nats``: those means, for paired tests.
    """
    means = nats.mean(1).tolist()
    centre = statistics.fmean(means)
    row: dict[str, Any] = {"perplexity": math.exp(centre), "ci95": None, "stream_nats": means}
    if len(means) > 1:
        half = half_width(means)
        row["ci95"] = [math.exp(centre - half), math.exp(centre + half)]
    late = nats[:, skip:]
    row["late_perplexity"] = math.exp(float(late.mean())) if late.numel() else None
    return row


def half_width(numbers: Sequence[float]) -> float:
    """Half of the 95% interval of a mean, by the normal quantile; 0 for a single number."""
    if len(numbers) < 2:
        return 0.0
    return 1.959964 * statistics.stdev(numbers) / math.sqrt(len(numbers))
