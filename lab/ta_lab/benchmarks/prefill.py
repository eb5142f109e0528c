"""What detection, selection and eviction add to a prefill, by part, beside the bare forward.

The parts are timed inside the managed forward: a difference between two whole forwards drowns in
their noise where a part is a hundredth of them. Their sum is the critical path; the difference is
shown beside it. Times are the host's: on a CUDA device an eviction is its launch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..cases.decoding import forward
from ..cases.encoding import encode_case
from ..generators.needle import needle_case
from .benchmark import Outcome, Request, Subject
from .feeding import ready
from .timing import in_turn, interleave_parts, seconds

DETECTION, SELECTION, EVICTION, BOOKS = "detection", "selection", "eviction", "bookkeeping"
PARTS = (DETECTION, SELECTION, EVICTION, BOOKS)


class Parts:
    """``seconds`` by part; what runs inside another part counts once, for the inner one."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._inside = [0.0]

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Count what runs inside, without the parts that it contains."""
        self._inside.append(0.0)
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[part] += spent - self._inside.pop()
            self._inside[-1] += spent

    def watch(self, owner: Any, method: str, part: str) -> None:
        """Count every call of an object's method."""
        original = getattr(owner, method)

        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.time(part):
                return original(*args, **kwargs)

        setattr(owner, method, watched)

    def watch_cache(self, cache: RetentionCache) -> None:
        """Count what a cache adds to the forwards that it drives.

        Detection reads the text; selection weighs and chooses; eviction cuts the tensors, and for
        methods that read layers it measures them, too; bookkeeping is the rest of both hooks."""
        make = cache.new_flow

        def new_flow(rows: int) -> Any:
            flow = make(rows)
            self.watch(flow, "detect", DETECTION)
            self.watch(flow, "cut", SELECTION)
            return flow

        vars(cache)["new_flow"] = new_flow
        self.watch(cache, "begin", BOOKS)
        self.watch(cache, "end", BOOKS)
        for layer in cache.managed:
            self.watch(layer, "settle", EVICTION)


PROMPTS = 8  # an arm reads another one each time, so that no value is weighed from memory
BARE = "bare forward"
WHOLE, PATH = "whole forward", "critical path"


def run(request: Request) -> Outcome:
    """Rows of every length and budget; ratios are to the bare forward of the same round."""
    subject, rows = request.subject(), []
    for tokens, budget in request.cells():
        prompts = _prompts(request, subject, tokens)
        arms: dict[str, Callable[[], dict[str, float]]] = {
            BARE: partial(_bare, subject, in_turn(prompts, 0))
        }
        for turn, method in enumerate(request.methods, 1):
            turns, retention = in_turn(prompts, turn), Retention(budget, method)
            arms[method] = partial(_managed, subject, turns, retention)
        timings = interleave_parts(arms, request.rounds)
        rows += [{"tokens": tokens, "budget": budget, **timing.row()} for timing in timings]
    return Outcome(rows)


def _prompts(request: Request, subject: Subject, tokens: int) -> list[list[int]]:
    """Contexts with one value each and their questions, as many tokens as asked, or a few less."""
    prompts = []
    for seed in range(request.seed, request.seed + PROMPTS):
        case = needle_case(
            subject.tokenizer, context=tokens, depth=0.5, seed=seed, filler_name=request.filler
        )
        encoded = encode_case(subject.tokenizer, case)
        prompts.append(encoded.ids + encoded.question)
    return prompts


def _bare(subject: Subject, prompts: Iterator[list[int]]) -> dict[str, float]:
    ids = next(prompts)
    cache: Any = DynamicCache(config=subject.model.config)
    ready(subject.model, cache)
    return {BARE: seconds(lambda: forward(subject.model, cache, ids), subject.device)}


def _managed(
    subject: Subject, prompts: Iterator[list[int]], retention: Retention
) -> dict[str, float]:
    parts, ids = Parts(), next(prompts)

    def read() -> torch.Tensor:
        with parts.time(BOOKS):
            cache = RetentionCache(subject.model, subject.tokenizer, retention)
            parts.watch_cache(cache)
        return forward(subject.model, cache, ids)

    whole = seconds(read, subject.device)
    named = {WHOLE: whole, **{part: parts.seconds[part] for part in PARTS}}
    named[PATH] = sum(parts.seconds.values())
    return {f"{retention.method}: {name}": spent for name, spent in named.items()}
