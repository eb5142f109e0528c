"""A decode step at K tokens after n, beside caches that hold K tokens, or all n of them."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import torch
from transformers import Cache, DynamicCache
from transformers.cache_utils import DynamicLayer

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.errors import InputError, UnsupportedError

from ..cases.runner import read_and_cut
from .benchmark import COMPACT, Outcome, Request, Row, Subject
from .corpus import LongText
from .feeding import feed, ready
from .footprint import shape_of_model
from .timing import interleave, seconds

SINKS = 4


class WindowLayer(DynamicLayer):
    """Keys and values [row, kv_head, <= size, head_dim]: ``sinks`` first tokens and the newest.

    Source: Xiao et al., "Efficient Streaming Language Models with Attention Sinks" (2023), who turn
    all keys to their place in the window at every step, which costs more; here they stay.

    A step of one token drops the oldest before it attends, so that ``size`` tokens are seen; more
    tokens at once attend to all that is held, and what is over is dropped after them."""

    def __init__(self, size: int, sinks: int) -> None:
        super().__init__()
        self.size, self.sinks, self.seen = size, min(sinks, size - 1), 0

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Add tokens; returns what they may see."""
        if self.seen and key_states.shape[-2] == 1:
            assert self.keys is not None and self.values is not None
            held = (self.keys, self.values)
            self.keys, self.values = (self._cut(states, self.size - 1) for states in held)
        seen = super().update(key_states, value_states)
        self.seen += key_states.shape[-2]
        self.keys, self.values = (self._cut(states, self.size) for states in seen)
        return seen

    def _cut(self, states: torch.Tensor, size: int) -> torch.Tensor:
        over = states.shape[-2] - size
        if over <= 0:
            return states
        rest = states[..., self.sinks + over :, :]
        return torch.cat([states[..., : self.sinks, :], rest], -2)

    def get_seq_length(self, *args: Any) -> int:
        """Tokens seen, dropped ones included: positions go on counting."""
        return self.seen

    def get_mask_sizes(self, query_length: Any) -> tuple[int, int]:
        """(columns that attention sees, the column at which they start)."""
        queries = query_length if isinstance(query_length, int) else query_length.shape[0]
        held = 0 if self.keys is None or not self.seen else self.keys.shape[-2]
        if held and queries == 1:
            held = min(held, self.size - 1)
        return held + queries, self.seen - held


def window_cache(config: Any, size: int) -> Cache:
    """An empty window of ``size`` tokens in every layer."""
    layers = config.get_text_config(decoder=True).num_hidden_layers
    return Cache(layers=[WindowLayer(size, SINKS) for _ in range(layers)])


CHUNK = 4096  # tokens that a flow reads at a time


def fill(model: Any, cache: Cache, tokens: int) -> Cache:
    """Random keys and values [1, kv_head, tokens, head_dim] into every layer of an empty cache;
    a decode step takes as long whatever they are."""
    for layer in range(shape_of_model(model).layers):
        keys, values = _random(model, tokens)
        cache.update(keys, values, layer)
    return cache


def _random(model: Any, tokens: int) -> tuple[torch.Tensor, torch.Tensor]:
    shape, about = shape_of_model(model), next(model.parameters())
    size = (1, shape.kv_heads, tokens, shape.head_dim)
    return tuple(torch.randn(size, dtype=about.dtype, device=about.device) for _ in range(2))  # type: ignore[return-value]


def whole(model: Any, tokens: int) -> Cache:
    """A plain cache that holds them all."""
    return fill(model, DynamicCache(config=model.config), tokens)


def window(model: Any, tokens: int, budget: int) -> Cache:
    """A sliding window with sinks, after ``tokens`` tokens."""
    cache = fill(model, window_cache(model.config, budget), budget)
    layers: list[Any] = list(cache.layers)
    for layer in layers:
        layer.seen = tokens
    return cache


@torch.inference_mode()
def retained(
    model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention
) -> RetentionCache:
    """Our cache after a prompt; a method that reads layers runs a real prefill instead, and so
    does a memory, which holds rows of them."""
    cache = RetentionCache(model, tokenizer, retention)
    flow = cache.new_flow(1)
    if flow.observes or retention.memory:
        ready(model, cache)
        feed(model, cache, ids)
        return cache
    cache.use(flow)
    read_and_cut(flow, ids, None if flow.method.whole_prompt else CHUNK)
    for layer in cache.managed:
        assert layer.table is not None
        keys, values = _random(model, layer.table.width)
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values, layer.seen = keys, values, len(ids)
    cache.expect_prompt(len(ids))
    cache.context_open = False
    return cache


STEPS, WHOLE_STEPS = 60, 5  # of an arm in a round; fewer where a step copies n tokens
Arms = dict[str, Callable[[], float]]


def run(request: Request) -> Outcome:
    """A row an arm, budget and length; ratios are to a plain cache that holds K tokens."""
    subject, rows, notes = request.subject(), [], []
    for done, tokens in enumerate(request.tokens, 1):
        budgets = [budget for budget in request.budgets if budget < tokens]
        if len(budgets) < len(request.budgets):
            notes.append(f"budgets of {tokens} tokens and more evict nothing: not measured")
        for budget in budgets:
            rows += _cell(request, subject, tokens, budget)
        request.progress(done, len(request.tokens))
    if not rows:
        raise InputError("no budget is smaller than the tokens: there is nothing to evict")
    return Outcome(rows, list(dict.fromkeys(notes)))


def _cell(request: Request, subject: Subject, tokens: int, budget: int) -> list[Row]:
    model, tokenizer = subject.model, subject.tokenizer
    ids = LongText(tokenizer, tokens, request.filler, request.seed).first(tokens)
    sliding = window(model, tokens, budget)
    peer = whole(model, budget)
    arms: Arms = {f"DynamicCache, {budget} tokens": partial(stepping, model, peer)}
    arms[f"sliding window with sinks, {budget} random tokens"] = partial(stepping, model, sliding)
    full = whole(model, tokens)
    arms[f"DynamicCache, {tokens} random tokens"] = partial(stepping, model, full, WHOLE_STEPS)
    for method in request.methods:
        arms |= _ours(model, tokenizer, ids, Retention(budget, method), method)
    last = request.methods[-1]
    compact = Retention(budget, last, positions="compact")
    arms |= _ours(model, tokenizer, ids, compact, last + COMPACT)
    with suppress(UnsupportedError):  # a method that protects nothing has no memory
        remembers = Retention(budget, last, memory=True)
        arms |= _ours(model, tokenizer, ids, remembers, f"{last}, memory")
    timings = interleave(arms, request.rounds)
    return [{"tokens": tokens, "budget": budget, **timing.row()} for timing in timings]


def _ours(model: Any, tokenizer: Any, ids: Sequence[int], retention: Retention, name: str) -> Arms:
    cache = retained(model, tokenizer, ids, retention)
    return {name: partial(stepping, model, cache)}


@torch.inference_mode()
def stepping(model: Any, cache: Any, steps: int | None = None) -> float:
    """Median seconds of a step. A cache that grows gets its tokens back after each, untimed."""
    ready(model, cache)
    fed = {"input_ids": torch.full((1, 1), 3, device=model.device)}
    grown = [layer for layer in cache.layers if type(layer) is DynamicLayer]
    held = [(layer, layer.keys, layer.values) for layer in grown]

    def step() -> None:
        model(**fed, **cache_argument(cache), use_cache=True)

    durations = []
    for _ in range(steps or STEPS):
        durations.append(seconds(step, model.device))
        for layer, keys, values in held:
            layer.keys, layer.values = keys, values
    return statistics.median(durations)
