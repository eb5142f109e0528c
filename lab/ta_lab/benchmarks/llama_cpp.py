"""llama.cpp under retention beside its own full context, and beside its own context shift.

The shift is what llama-server does when a context is full: the first ``SINKS`` tokens stay, the
older half of the rest goes, and what is left moves down."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from transactional_attention.cli.engines import LLAMA_CPP
from transactional_attention.config import Retention
from transactional_attention.engines.llama_cpp import Context, GgufModel, LlamaCache
from transactional_attention.engines.llama_cpp.context import Logits, Tokens
from transactional_attention.models import load_tokenizer

from .benchmark import COMPACT, Outcome, Request, Row
from .corpus import LongText
from .timing import in_rounds, stopwatch

SINKS, STEPS, TOKEN = 4, 32, 3


class Measured(NamedTuple):
    """Seconds of reading all tokens, median seconds of a step after them, bytes held then."""

    reading: float
    step: float
    held_bytes: int
    cells: int


class Shifting:
    """A context of ``cells`` cells that forgets its middle when it is full."""

    def __init__(self, context: Context) -> None:
        self.context, self.held, self.sequence = context, 0, context.take_sequence()
        self.logits: Logits  # of the next token, [vocab]

    def read(self, ids: Sequence[int], **_: Any) -> None:
        """Feed tokens, a chunk at a time."""
        chunk = min(self.context.chunk, (self.context.cells - SINKS) // 2)
        for start in range(0, len(ids), chunk):
            part = ids[start : start + chunk]
            self._make_room(len(part))
            ((self.logits,),) = self.context.forward([Tokens(self.sequence, part, self.held)])
            self.held += len(part)

    def step(self, token: int) -> None:
        """Feed one token."""
        self.read([token])

    def _make_room(self, new: int) -> None:
        if self.held + new <= self.context.cells:
            return
        gone = (self.held - SINKS) // 2
        self.context.remove(self.sequence, SINKS, SINKS + gone)
        self.context.move(self.sequence, SINKS + gone, self.held, -gone)
        self.held -= gone

    def stored_bytes(self) -> int:
        """Bytes of keys and values."""
        return self.context.held_bytes(self.sequence)


def run(request: Request) -> Outcome:
    """A row an arm, budget and length. Arms take turns; each begins with an empty context."""
    model, rows = GgufModel(request.recipe.model), list[Row]()
    tokenizer, chunk = load_tokenizer(request.recipe.model), request.chunk
    for tokens, budget in request.cells():
        ids = LongText(tokenizer, tokens, request.filler, request.seed).first(tokens)
        make = partial(Context, model, chunk=chunk, threads=request.recipe.threads)
        arms = _arms(request, tokenizer, make, len(ids), budget)
        measured = {name: partial(_measured, arm, ids) for name, arm in arms.items()}
        for name, each in in_rounds(measured, request.rounds).items():
            row = {"tokens": tokens, "budget": budget, "name": name}
            rows.append(row | _row(each, len(ids)))
    return Outcome(rows)


def _arms(
    request: Request, tokenizer: Any, make: Callable[[int], Context], tokens: int, budget: int
) -> dict[str, Callable[[], Any]]:
    whole, small = tokens + STEPS, budget + request.chunk
    retentions = {method: Retention(budget, method) for method in request.methods}
    last = request.methods[-1]
    retentions[last + COMPACT] = Retention(budget, last, positions="compact")
    full = Retention(budget=None, method="full")

    def retained(cells: int, retention: Retention) -> LlamaCache:
        return LlamaCache(make(cells), tokenizer, retention)

    return {
        "full context": lambda: retained(whole, full),
        "context shift": lambda: Shifting(make(small)),
        **{name: partial(retained, small, item) for name, item in retentions.items()},
    }


def _measured(arm: Callable[[], Any], ids: Sequence[int]) -> Measured:
    held = arm()
    reading = stopwatch(lambda: held.read(ids))
    step = statistics.median(stopwatch(lambda: held.step(TOKEN)) for _ in range(STEPS))
    measurement = Measured(reading, step, held.stored_bytes(), held.context.cells)
    held.context.close()
    return measurement


def _row(each: Sequence[Measured], tokens: int) -> Row:
    reads, steps = [m.reading for m in each], [m.step for m in each]
    return {
        "engine": LLAMA_CPP,
        "prefill_tokens_per_s": tokens / statistics.median(reads),
        "prefill_range": [tokens / max(reads), tokens / min(reads)],
        "decode_tokens_per_s": 1 / statistics.median(steps),
        "decode_range": [1 / max(steps), 1 / min(steps)],
        "kv_bytes": each[0].held_bytes,
        "cells": each[0].cells,
        "rounds": len(each),
    }
