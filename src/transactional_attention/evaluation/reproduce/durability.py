"""How long a value is held: generated tokens and turns between its statement and the question.

The paper's vouchers lose a tenth at every decode step; method ``ta`` holds what it admitted until
something releases it. ``generated`` and ``turns`` count what is kept without a model, up to 5,000
tokens; ``answers`` asks the model behind tokens that were fed as if it had generated them;
``beyond`` passes the model's trained positions, with compact ones. The printed span of six tokens
would cut the value at once, so it is 10 here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from ...config import Retention, Sponsorship
from ...engines.transformers import RetentionCache
from ...engines.transformers.prefill import prefill
from ...retention import RetentionFlow
from ...types import Span
from ..ceilings import DEPTHS
from ..decoding import forward, forward_rows, greedy
from ..encoding import EncodedCase, encode_case
from ..fillers import filler, paragraphs
from ..metrics import is_correct
from ..runner import CaseRunner
from ..tasks.needle import needle_case
from ..tasks.placing import CHARACTERS_PER_TOKEN, truncate
from .costs import Cost
from .durability_table import render
from .experiment import Context, Experiment, Record, Row
from .jobs import Job, run_parts
from .plan import SEEDS_APART
from .rendering import LONG_SPAN

BUDGET = 32
FAST = "ta-fast-semantic"
GENERATED = ((0, 10, 50, 200), *[(0, 1, 5, 10, 20, 27, 50, 100, 200, 500, 1000, 2000, 5000)] * 2)
TURNS = ((0, 1, 5), *[(0, 1, 2, 5, 10, 20, 40, 70)] * 2)  # 70 turns are 5,000 tokens
ANSWERED = ((0, 20), (0, 10, 27, 100, 300), (0, 10, 27, 50, 100, 500, 2000, 5000))
ASKED, SAID = 48, 24  # tokens of a turn: at most what a user writes, and what is generated
NEW_TOKENS, ROOM, PAST = 16, 128, 256


def _printed(**numbers: Any) -> Sponsorship:
    return Sponsorship(span_length=LONG_SPAN, **numbers)


ARMS: dict[str, Retention] = {
    "full": Retention(None, "full"),
    "streaming-llm": Retention(BUDGET, "streaming-llm"),
    f"{FAST}, as printed": Retention(BUDGET, FAST, preset="paper", sponsorship=_printed()),
    f"{FAST}, as printed, no reserved slots": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed()
    ),
    f"{FAST}, as printed, no decay": Retention(
        BUDGET, FAST, preset="paper", partition="strict", sponsorship=_printed(step_decay=1.0)
    ),
    "ta": Retention(BUDGET, "ta"),
    "ta, fading by step": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="step")),
    "ta, fading by turn": Retention(BUDGET, "ta", sponsorship=Sponsorship(fade_per="turn")),
}
"""Settings by name; the optional decays of the default preset are off unless named."""
BEYOND = ("streaming-llm", f"{FAST}, as printed", "ta")


def trials_of(context: Context) -> tuple[int, int, int]:
    """Contexts without a model, contexts of ``answers``, and of ``beyond``."""
    without_model = context.trials or context.pick(1, 5, 20)
    return without_model, context.trials or context.pick(1, 3, 20), context.pick(0, 1, 5)


def cost(context: Context) -> Cost:
    """Every setting at every gap; what is fed before a question counts token by token."""
    without_model, asked, past = trials_of(context)
    gaps, free = context.pick(*ANSWERED), len(_managed())
    texts = without_model * free * (len(context.pick(*GENERATED)) + len(context.pick(*TURNS)))
    answers = Cost(len(ARMS) * len(gaps), asked * len(ARMS) * len(gaps), asked, texts)
    beyond = Cost(
        len(BEYOND), past * len(BEYOND), past * len(BEYOND), steps=past * len(BEYOND) * PAST
    )
    return answers.plus(beyond).plus(Cost(steps=asked * sum(gaps)))


def run(context: Context) -> Record:
    """A row a trial and part, every setting over the same contexts."""
    tokens = context.pick(512, 1024, 4096)
    without_model, asked, past = trials_of(context)
    jobs = [_job(context, "generated", tokens, trial) for trial in range(without_model)]
    jobs += [_job(context, "turns", tokens, trial) for trial in range(without_model)]
    jobs += [_job(context, "answers", tokens, trial) for trial in range(asked)]
    jobs += [_job(context, "beyond", 0, trial) for trial in range(past)]
    return {"rows": run_parts(context, jobs)}


def _job(context: Context, part: str, tokens: int, trial: int) -> Job:
    measure = {"generated": _generated, "turns": _turns, "answers": _answers, "beyond": _beyond}

    def measured() -> Row:
        return {"cells": list(measure[part](context, tokens, trial))}

    key = {"part": part, "trial": trial, "tokens": tokens}
    return Job(key | {"protocol": "hidden", "ledger": "strict"}, measured)


def _case(context: Context, tokens: int, trial: int) -> EncodedCase:
    tokenizer = context.loaded[1]
    seed = context.seed * SEEDS_APART + trial // len(DEPTHS)
    depth = DEPTHS[trial % len(DEPTHS)]
    case = needle_case(
        tokenizer, context=tokens, depth=depth, seed=seed, filler_name=context.filler
    )
    return encode_case(tokenizer, case)


def _cell(name: str, gap: int, kept: bool, **others: Any) -> Row:
    arm = ARMS[name]
    named = {"setting": name, "method": arm.method, "preset": arm.preset, "budget": arm.budget}
    return {**named, "gap": gap, "kept": kept, **others}


def held_whole(flow: RetentionFlow, value: Span) -> bool:
    """Whether every layer and kv head holds a value whole."""
    wanted = np.arange(value.start, value.end)
    tables = flow.tables.values()
    return all(np.isin(wanted, lane).all() for table in tables for lane in table.positions)


def registered(flow: RetentionFlow, value: Span) -> bool:
    """Whether the registry still sponsors a span that covers the value."""
    spans = [span.value for span in flow.sequences[0].registry.spans]
    return any(s.start <= value.start and value.end <= s.end for s in spans)


# without a model


def read(tokenizer: Any, encoded: EncodedCase, retention: Retention) -> RetentionFlow:
    """A flow that has read the context and cut it."""
    flow = RetentionFlow(retention, tokenizer, 1)
    take(flow, encoded.ids)
    return flow


def take(flow: RetentionFlow, ids: Sequence[int]) -> None:
    """A prompt or a turn, cut at its end."""
    new = np.array([list(ids)])
    flow.read(new, np.ones_like(new, dtype=bool), final=True)
    for table in flow.tables.values():
        flow.cut(table)


def generate(flow: RetentionFlow, count: int) -> None:
    """So many generated tokens, whatever they are."""
    for _ in range(count):
        flow.decode(evict=True)


def _generated(context: Context, tokens: int, trial: int) -> Iterator[Row]:
    encoded, tokenizer = _case(context, tokens, trial), context.loaded[1]
    (value,) = encoded.values
    for name in _managed():
        flow, seen = read(tokenizer, encoded, ARMS[name]), 0
        for gap in context.pick(*GENERATED):
            kept = held_whole(flow, value)
            if kept:  # what is lost once does not come back
                generate(flow, gap - seen)
                seen, kept = gap, held_whole(flow, value)
            yield _cell(name, gap, kept, registered=registered(flow, value))


def _turns(context: Context, tokens: int, trial: int) -> Iterator[Row]:
    encoded, tokenizer = _case(context, tokens, trial), context.loaded[1]
    (value,) = encoded.values
    for name in _managed():
        flow, seen = read(tokenizer, encoded, ARMS[name]), 0
        rng = random.Random(f"durability/{context.seed}/{trial}")
        for gap in context.pick(*TURNS):
            for _ in range(gap - seen):
                _turn(flow, tokenizer, context.filler, rng)
            seen = gap
            yield _cell(name, gap, held_whole(flow, value), registered=registered(flow, value))


def _turn(flow: RetentionFlow, tokenizer: Any, name: str, rng: random.Random) -> None:
    """A user says something else, and something is generated."""
    said, answer = (rng.choice(paragraphs(name)) for _ in range(2))
    take(flow, _ids(tokenizer, "\n\n" + truncate(tokenizer, said, ASKED)))
    ids = _ids(tokenizer, answer)[:SAID]
    generate(flow, len(ids))
    flow.read_generated([ids])


def _ids(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def _managed() -> list[str]:
    return [name for name, arm in ARMS.items() if arm.budget is not None]


# with a model


def longest(model: Any) -> int:
    """Positions that a model was trained for."""
    return int(model.config.get_text_config(decoder=True).max_position_embeddings)


def fed(context: Context, trial: int, count: int) -> list[int]:
    """Tokens of other text, to be fed as if they had been generated."""
    rng = random.Random(f"durability/fed/{context.seed}/{trial}")
    text = filler(context.filler, CHARACTERS_PER_TOKEN * max(count, 1), rng)
    return _ids(context.loaded[1], text)[:count]


def _answers(context: Context, tokens: int, trial: int) -> Iterator[Row]:
    model, tokenizer = context.loaded
    case = _case(context, tokens, trial).case
    runner = CaseRunner(model, tokenizer, case, "hidden")
    (value,) = runner.encoded.values
    gaps = [g for g in context.pick(*ANSWERED) if tokens + g + ROOM <= longest(model)]
    others = fed(context, trial, max(gaps))
    cells = {}
    for gap in gaps:
        caches = [runner.compress(retention) for retention in ARMS.values()]
        for token in others[:gap]:
            forward_rows(model, caches, [[token]] * len(caches))
        kept = [held_whole(cache.flow, value) for cache in caches]
        answers = runner.answers(caches)
        for name, held, answer in zip(ARMS, kept, answers, strict=True):
            cells[name, gap] = _cell(
                name, gap, held, correct=is_correct(answer[0], case.answer, answer[1])
            )
    yield from (cells[name, gap] for name in ARMS for gap in gaps)


def _beyond(context: Context, _: int, trial: int) -> Iterator[Row]:
    """A context that ends short of the trained positions, and generated tokens that pass them."""
    model, tokenizer = context.loaded
    encoded = _case(context, longest(model) - ROOM, trial)
    (value,) = encoded.values
    others = fed(context, trial, PAST)
    for name in BEYOND:
        compact = replace(ARMS[name], positions="compact")
        cache = RetentionCache(model, tokenizer, compact)
        prefill(model, torch.tensor([encoded.ids]), cache, keep_last=False)
        for token in others:
            forward(model, cache, [token])
        state = held_whole(cache.flow, value), registered(cache.flow, value)
        ids, ended = greedy(model, cache, forward(model, cache, encoded.question), NEW_TOKENS)
        text = tokenizer.decode(ids, skip_special_tokens=True)
        correct = is_correct(text, encoded.case.answer, ended)
        yield _cell(name, PAST, state[0], registered=state[1], correct=correct)


EXPERIMENT = Experiment(
    "durability", "section 3.1, algorithm 1", "values held over generated tokens and turns",
    run, render, cost,
)  # fmt: skip
