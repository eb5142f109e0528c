"""What is kept and answered behind generated tokens and turns, which are fed to the model.

Tokens of other text are fed as if the model had generated them; a turn is a prompt of its own and
such tokens behind it. ``past`` goes beyond the model's trained positions, with compact ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.retention.layout import observed_by

from ..cases.decoding import forward, forward_rows, greedy
from ..cases.fillers import filler
from ..cases.metrics import judge
from ..cases.runner import CaseRunner, with_oracle
from ..generators.placing import CHARACTERS_PER_TOKEN
from .durability_arms import ARMS, cell, held_whole, registered, stated, token_ids
from .durability_part import Part
from .durability_text import turns_of
from .experiment import Context, Row

NEW_TOKENS, ROOM = 16, 128
Caches = Sequence[RetentionCache]


def longest(model: Any) -> int:
    """Positions that a model was trained for."""
    return int(model.config.get_text_config(decoder=True).max_position_embeddings)


def fed(context: Context, trial: int, count: int) -> list[int]:
    """Tokens of other text, to be fed as if they had been generated."""
    rng = random.Random(f"durability/fed/{context.seed}/{trial}")
    text = filler(context.filler, CHARACTERS_PER_TOKEN * max(count, 1), rng)
    return token_ids(context.loaded[1], text)[:count]


def after_generated(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of generated tokens; those that the model can hold."""
    model = context.loaded[0]
    others = fed(context, trial, max(part.gaps))

    def feed(caches: Caches, gap: int) -> None:
        _generated(model, caches, others[:gap])

    return _asked_after(context, part, trial, feed)


def after_turns(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A cell a setting and number of turns."""
    model = context.loaded[0]
    turns = turns_of(context, trial, max(part.gaps))

    def feed(caches: Caches, gap: int) -> None:
        for said, answer in turns[:gap]:
            forward_rows(model, caches, [said] * len(caches))
            _generated(model, caches, answer)

    return _asked_after(context, part, trial, feed)


def _generated(model: Any, caches: Caches, ids: Sequence[int]) -> None:
    for token in ids:
        forward_rows(model, caches, [[token]] * len(caches))


def _asked_after(
    context: Context, part: Part, trial: int, feed: Callable[[Caches, int], None]
) -> Iterator[Row]:
    model, tokenizer = context.loaded
    case = stated(context, part.tokens, trial).case
    observe = observed_by(ARMS[name] for name in part.settings)
    runner = CaseRunner(model, tokenizer, case, "hidden", observe)
    (value,) = runner.encoded.values
    gaps = [g for g in part.gaps if part.tokens + part.each * g + ROOM <= longest(model)]
    cells = {}
    for gap in gaps:
        caches = [runner.compress(ARMS[name]) for name in part.settings]
        feed(caches, gap)
        kept = [held_whole(cache.flow, value) for cache in caches]
        answers = runner.answers(caches)
        for name, held, (text, ended) in zip(part.settings, kept, answers, strict=True):
            right = runner.judged(text, ended).correct
            cells[name, gap] = cell(name, gap, held, correct=right)
    yield from (cells[name, gap] for name in part.settings for gap in gaps)


def past_positions(context: Context, part: Part, trial: int) -> Iterator[Row]:
    """A context that ends short of the trained positions, and generated tokens that pass them."""
    model, tokenizer = context.loaded
    encoded = stated(context, longest(model) - ROOM, trial)
    (value,) = encoded.values
    others = fed(context, trial, max(part.gaps))
    for name in part.settings:
        for gap in part.gaps:
            arm = replace(with_oracle(ARMS[name], encoded), positions="compact")
            cache = RetentionCache(model, tokenizer, arm)
            prefill(model, torch.tensor([encoded.ids]), cache, keep_last=False)
            _generated(model, [cache], others[:gap])
            state = held_whole(cache.flow, value), registered(cache.flow, value)
            logits = forward(model, cache, encoded.question)
            ids, ended = greedy(model, cache, logits, NEW_TOKENS)
            text = tokenizer.decode(ids, skip_special_tokens=True)
            right = judge(text, encoded.answers, ended).correct
            yield cell(name, gap, state[0], registered=state[1], correct=right)
