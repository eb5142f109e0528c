"""A decode step at K tokens after n, beside caches that hold K tokens, or all n of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from transformers import Cache
from transformers.cache_utils import DynamicLayer

from transactional_attention.config import Retention
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.errors import InputError

from . import filled
from .benchmark import Outcome, Request, Row
from .corpus import LongText
from .device import seconds
from .feeding import ready
from .subject import Subject
from .timing import Timing, interleave

STEPS, WHOLE_STEPS = 60, 5  # of an arm in a round; fewer where a step copies n tokens
COMPACT = ", compact positions"
Arms = dict[str, Callable[[], float]]


def run(request: Request) -> Outcome:
    """A row an arm, budget and length; ratios are to a plain cache that holds K tokens."""
    subject, rows, notes = request.subject(), [], []
    for done, tokens in enumerate(request.tokens, 1):
        budgets = [budget for budget in request.budgets if budget < tokens]
        if len(budgets) < len(request.budgets):
            notes.append(f"budgets of {tokens} tokens and more evict nothing: not measured")
        large, missing = _large_peers(subject, tokens) if budgets else ({}, [])
        notes += missing
        for budget in budgets:
            rows += _cell(request, subject, tokens, budget, large)
        request.progress(done, len(request.tokens))
    if not rows:
        raise InputError("no budget is smaller than the tokens: there is nothing to evict")
    return Outcome(rows, list(dict.fromkeys(notes)))


def _large_peers(subject: Subject, tokens: int) -> tuple[dict[str, Cache], list[str]]:
    """Caches that hold all of n, and why some are missing."""
    model = subject.model
    found = {f"DynamicCache, {tokens} random tokens": filled.whole(model, tokens)}
    notes = []
    for backend, cache in filled.quantised(model, tokens):
        if isinstance(cache, str):
            notes.append(f"QuantizedCache with {backend} was not measured: {cache}")
        else:
            found[f"QuantizedCache {backend}, {tokens} random tokens"] = cache
    return found, notes


def _cell(
    request: Request, subject: Subject, tokens: int, budget: int, large: dict[str, Cache]
) -> list[Row]:
    model, tokenizer = subject.model, subject.tokenizer
    ids = LongText(tokenizer, tokens, request.filler, request.seed).first(tokens)
    window = filled.window(model, tokens, budget)
    arms = _peer(model, budget)
    arms[f"sliding window with sinks, {budget} random tokens"] = partial(stepping, model, window)
    for name, cache in large.items():
        arms[name] = partial(stepping, model, cache, WHOLE_STEPS)
    for method in request.methods:
        arms |= _ours(model, tokenizer, ids, Retention(budget, method), method)
    compact = Retention(budget, request.methods[-1], positions="compact")
    arms |= _ours(model, tokenizer, ids, compact, request.methods[-1] + COMPACT)
    timings = interleave(arms, request.rounds)
    return [{"tokens": tokens, "budget": budget, **timing.row()} for timing in timings]


def decode_steps(
    model: Any, tokenizer: Any, *, budget: int, context: int, methods: Sequence[str], rounds: int
) -> list[Timing]:
    """Median seconds of a step, a round an arm; the peer runs plain SDPA without our hooks."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(3, model.config.vocab_size, (context,), generator=generator).tolist()
    arms = _peer(model, budget)
    for method in methods:
        arms |= _ours(model, tokenizer, ids, Retention(budget, method), method)
    return interleave(arms, rounds)


def _peer(model: Any, budget: int) -> Arms:
    cache = filled.whole(model, budget)
    return {f"DynamicCache, {budget} tokens": partial(stepping, model, cache)}


def _ours(model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention, name: str) -> Arms:
    cache = filled.retained(model, tokenizer, ids, retention)
    return {name: partial(stepping, model, cache)}


@torch.inference_mode()
def stepping(
    model: Any, cache: Any, steps: int | None = None, position: int | None = None
) -> float:
    """Median seconds of a step. A cache that grows gets its tokens back after each, untimed.

    ``position``: of the new token, where the cache does not know it.
    """
    ready(model, cache)
    fed = {"input_ids": torch.full((1, 1), 3, device=model.device)}
    if position is not None:
        fed["position_ids"] = torch.full_like(fed["input_ids"], position)
    grown = [layer for layer in cache.layers if type(layer) is DynamicLayer]
    held = [(layer, layer.keys, layer.values) for layer in grown]

    def step() -> None:
        model(**fed, **cache_argument(cache), use_cache=True)

    found = []
    for _ in range(steps or STEPS):
        found.append(seconds(step, model.device))
        for layer, keys, values in held:
            layer.keys, layer.values = keys, values
    return statistics.median(found)
