"""One long reading: bytes at their peak, a value at its beginning, the question at its end."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.prefill import prefill

from ..cases.runner import held_whole
from .benchmark import Outcome, Request, Row, Subject
from .corpus import LongText
from .feeding import PeakMeter, is_answered, ready, rss_bytes
from .footprint import shape_of_model


def run(request: Request) -> Outcome:
    """A row for each length, budget, method and round: every round reads another text."""
    subject = request.subject()
    rows = [
        _stream(
            replace(request, seed=seed),
            subject,
            tokens,
            Retention(budget, method, positions="compact"),
        )
        for seed in range(request.seed, request.seed + request.rounds)
        for tokens in request.tokens
        for budget in request.budgets
        for method in request.methods
    ]
    return Outcome(rows)


def _stream(request: Request, subject: Subject, tokens: int, retention: Retention) -> Row:
    text = LongText(subject.tokenizer, tokens, request.filler, request.seed)
    cache = RetentionCache(subject.model, subject.tokenizer, retention)
    meter = PeakMeter(cache)
    most, begun = rss_bytes(), time.perf_counter()

    def note(done: int, in_all: int | None) -> None:
        nonlocal most
        most = max(most, rss_bytes())
        request.progress(done, tokens)

    ready(subject.model, cache)
    chunk = request.chunk
    prefill(subject.model, text.flow(), cache, chunk=chunk, keep_last=False, progress=note)
    seconds = time.perf_counter() - begun
    kept, started = held_whole(cache.flow, text.value), time.perf_counter()
    correct = is_answered(subject, cache, text.stated)
    full = shape_of_model(subject.model).cached(tokens)
    on_card = subject.device.type == "cuda"
    card = {"card_peak_bytes": torch.cuda.max_memory_allocated(subject.device)} if on_card else {}
    return {
        "name": retention.method,
        "tokens": tokens,
        "budget": retention.budget,
        "chunk": chunk,
        "seed": request.seed,
        "shape": request.recipe.shape,
        "filler": Path(request.filler).name,
        "kv_peak_bytes": meter.peak,
        "kv_full_bytes": full,
        "kv_share": meter.peak / full,
        "rss_peak_bytes": most,
        "seconds": seconds,
        "answer_seconds": time.perf_counter() - started,
        "tokens_per_s": tokens / seconds,
        "value_at": text.value.start / tokens,
        "held": kept,
        "correct": correct,
        "max_live_tokens": cache.ledger.between,
    } | card
