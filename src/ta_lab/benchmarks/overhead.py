"""What detection, selection and eviction add to a prefill, part by part, beside the bare forward.

The parts are timed inside the managed forward (``parts.py``); their sum is the critical path. The
difference between two whole forwards is shown beside it: it holds the machine's noise, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..cases.encoding import encode_case
from ..generators.needle import needle_case
from .benchmark import Outcome, Request, Row
from .device import seconds
from .feeding import push, ready
from .parts import BOOKS, PARTS, Parts
from .subject import Subject
from .timing import interleave_parts

PROMPTS = 8  # an arm reads another one each time, so that no value is weighed from memory
PEER = "bare forward"
WHOLE, PATH = "whole forward", "critical path"


def run(request: Request) -> Outcome:
    """Rows of every length and budget; ratios are to the bare forward of the same round."""
    subject, rows = request.subject(), []
    cells = [(n, k) for n in request.tokens for k in request.budgets]
    for done, (tokens, budget) in enumerate(cells, 1):
        prompts = _prompts(request, subject, tokens)
        arms: dict[str, Callable[[], dict[str, float]]] = {
            PEER: partial(_bare, subject, itertools.cycle(prompts))
        }
        for turn, method in enumerate(request.methods, 1):
            first = 3 * turn % PROMPTS  # arms are never at the same text
            turns = itertools.cycle(prompts[first:] + prompts[:first])
            arms[method] = partial(_managed, subject, turns, Retention(budget, method))
        timings = interleave_parts(arms, request.rounds)
        rows += [_row(tokens, budget, timing.row()) for timing in timings]
        request.progress(done, len(cells))
    return Outcome(rows)


def _prompts(request: Request, subject: Subject, tokens: int) -> list[list[int]]:
    """Contexts with one value each and their questions, as many tokens as asked, or a few less."""
    found = []
    for seed in range(request.seed, request.seed + PROMPTS):
        case = needle_case(
            subject.tokenizer, context=tokens, depth=0.5, seed=seed, filler_name=request.filler
        )
        encoded = encode_case(subject.tokenizer, case)
        found.append(encoded.ids + encoded.question)
    return found


def _bare(subject: Subject, prompts: Iterator[list[int]]) -> dict[str, float]:
    ids, cache = next(prompts), DynamicCache(config=subject.model.config)
    ready(subject.model, cache)
    return {PEER: seconds(lambda: push(subject.model, cache, ids), subject.device)}


def _managed(
    subject: Subject, prompts: Iterator[list[int]], retention: Retention
) -> dict[str, float]:
    parts, ids = Parts(), next(prompts)

    def forward() -> torch.Tensor:
        with parts.time(BOOKS):
            cache = RetentionCache(subject.model, subject.tokenizer, retention)
            parts.watch_cache(cache)
        return push(subject.model, cache, ids)

    whole = seconds(forward, subject.device)
    named = {WHOLE: whole, **{part: parts.seconds[part] for part in PARTS}}
    named[PATH] = sum(parts.seconds.values())
    return {f"{retention.method}: {name}": spent for name, spent in named.items()}


def _row(tokens: int, budget: int, row: dict[str, object]) -> Row:
    return {"tokens": tokens, "budget": budget, **row}
