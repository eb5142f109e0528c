"""kvpress's presses beside ours on the same weights: a prefill that evicts, and a step after it.

kvpress 0.5.5 needs an older transformers: run it in the environment that ``.ci/parity`` makes. It
wraps every attention function of the process when it is imported, ours and the bare one included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.engines.transformers.decoder import attention_modules, find_decoder
from transactional_attention.errors import UnsupportedError

from .benchmark import Outcome, Request, Row, Subject
from .corpus import LongText
from .decode import STEPS, stepping
from .feeding import held_bytes, push, ready
from .timing import Timing, interleave, seconds

PRESSES = ("SnapKVPress", "TOVAPress", "StreamingLLMPress", "KnormPress", "KVzipPress")
BARE = "bare forward"
PREFILL, DECODE = "prefill", "decode step"
REMEDY = (
    "kvpress is not installed here: run .ci/parity once, then "
    ".venv-matrix/kvpress-0.5.5/bin/python -c "
    "'from transactional_attention.cli import main; main()' bench peers"
)


@dataclass(frozen=True)
class Filled:
    """A cache behind a prefill; ``hidden``: what kvpress hides of it, by attention module.

    KVzip's press leaves all tokens in the cache and notes on the modules which of them attention
    is not to see; another arm's step must not find that."""

    cache: Any
    hidden: list[Any]


Make = Callable[[], Filled]


def run(request: Request) -> Outcome:
    """Two rows an arm: the prefill, beside the bare forward, and a step, beside K plain tokens.
    Raises UnsupportedError without kvpress."""
    if find_spec("kvpress") is None:
        raise UnsupportedError(REMEDY)
    subject, rows = request.subject(), []
    cells = [(n, k) for n in request.tokens for k in request.budgets if k < n]
    for done, (tokens, budget) in enumerate(cells, 1):
        ids = LongText(subject.tokenizer, tokens, request.filler, request.seed).first(tokens)
        makes = _prefills(subject, ids, budget, request.methods)
        cell = {"tokens": tokens, "budget": budget}
        for what, timings in _timed(subject, ids, budget, makes, request.rounds).items():
            rows += [{**cell, "what": what, **timing.row()} for timing in timings]
        _note_bytes(rows, makes)
        request.progress(done, len(cells))
    return Outcome(rows)


def _prefills(
    subject: Subject, ids: Sequence[int], budget: int, methods: Sequence[str]
) -> dict[str, Make]:
    """What fills a cache, by arm; the first one keeps everything."""
    makes: dict[str, Make] = {BARE: partial(_plain, subject, ids)}
    for name in PRESSES:
        makes[f"kvpress {name}"] = partial(_pressed, subject, ids, budget, name)
    for method in methods:
        makes[f"ours: {method}"] = partial(_managed, subject, ids, Retention(budget, method))
    return makes


def _timed(
    subject: Subject, ids: Sequence[int], budget: int, makes: dict[str, Make], rounds: int
) -> dict[str, list[Timing]]:
    prefills = {name: partial(seconds, make, subject.device) for name, make in makes.items()}
    peer = _plain(subject, ids[:budget])
    steps: dict[str, Callable[[], float]] = {
        f"DynamicCache, {budget} tokens": partial(_step, subject, peer, budget)
    }
    for name, make in makes.items():
        steps[name] = partial(_step, subject, make(), len(ids))
    return {PREFILL: interleave(prefills, rounds), DECODE: interleave(steps, rounds)}


def _step(subject: Subject, filled: Filled, position: int) -> float:
    for module, hidden in zip(_attentions(subject), filled.hidden, strict=True):
        module.masked_key_indices = hidden
    own = isinstance(filled.cache, RetentionCache)
    return stepping(subject.model, filled.cache, STEPS, None if own else position)


def _attentions(subject: Subject) -> list[Any]:
    return attention_modules(find_decoder(subject.model))


def _note_bytes(rows: list[Row], makes: dict[str, Make]) -> None:
    for row in rows:
        if row["what"] == PREFILL and "kv_bytes" not in row:
            row["kv_bytes"] = held_bytes(makes[str(row["name"])]().cache)


def _plain(subject: Subject, ids: Sequence[int]) -> Filled:
    cache = DynamicCache(config=subject.model.config)
    ready(subject.model, cache)
    push(subject.model, cache, ids)
    return _filled(subject, cache)


def _filled(subject: Subject, cache: Any) -> Filled:
    found = [getattr(module, "masked_key_indices", None) for module in _attentions(subject)]
    return Filled(cache, found)


def _managed(subject: Subject, ids: Sequence[int], retention: Retention) -> Filled:
    cache = RetentionCache(subject.model, subject.tokenizer, retention)
    push(subject.model, cache, ids)
    return _filled(subject, cache)


@torch.no_grad()
def _pressed(subject: Subject, ids: Sequence[int], budget: int, name: str) -> Filled:
    """A prefill as kvpress's own pipeline runs it; its scores are computed on the way."""
    kvpress = import_module("kvpress")
    # kvpress rounds n (1 - ratio) down: half a token more keeps exactly K
    press = getattr(kvpress, name)(compression_ratio=1 - (budget + 0.5) / len(ids))
    cache = DynamicCache(config=subject.model.config)
    ready(subject.model, cache)
    inputs = torch.tensor([list(ids)], device=subject.device)
    with press(subject.model):
        subject.model.model(input_ids=inputs, **cache_argument(cache))
    return _filled(subject, cache)
