"""Texts of any length that are read: bytes at their peak, and a question at the end."""

from __future__ import annotations

import itertools
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..cases.decoding import greedy
from ..cases.metrics import is_correct
from ..experiments.durability import held_whole
from ..experiments.footprint import ModelShape, shape_of_model
from .benchmark import Outcome, Request, Row, Subject, no_progress
from .corpus import LongText
from .feeding import PeakMeter, feed, rss_bytes, stream_into

FULL = "full cache"
LIMIT = 65_536  # tokens up to which the full cache is really filled; above, its bytes are computed


def run_memory(request: Request) -> Outcome:
    """A row an arm and length. ``measured`` False: bytes of a full cache by formula."""
    rows: list[Row] = []
    arms: list[Retention | None] = [None]
    for budget, method in itertools.product(request.budgets, request.methods):
        arms.append(streaming(budget, method))
    quiet = replace(request, progress=no_progress)
    for done, arm in enumerate(arms, 1):
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as pool:
            rows += pool.submit(reading_alone, quiet, arm).result()
        request.progress(done, len(arms))
    return Outcome(rows)


def streaming(budget: int, method: str) -> Retention:
    """What reads a text of any length: keys at their rank in the cache."""
    return Retention(budget, method, positions="compact")


def reading_alone(request: Request, retention: Retention | None) -> list[Row]:
    """One arm in a process of its own, model and tokenizer included."""
    return reading(request, request.subject(), retention)


def reading(request: Request, subject: Subject, retention: Retention | None) -> list[Row]:
    """One arm over all lengths; no retention is a plain cache that keeps everything."""
    shape = shape_of_model(subject.model)
    lengths = sorted(request.tokens)
    filled = [n for n in lengths if retention is not None or n <= LIMIT]
    rows = _read_all(request, subject, retention, filled, shape) if filled else []
    rows += [_computed(n, shape) for n in lengths if n not in filled]
    return rows


def _read_all(
    request: Request,
    subject: Subject,
    retention: Retention | None,
    lengths: list[int],
    shape: ModelShape,
) -> list[Row]:
    text = LongText(subject.tokenizer, lengths[-1], request.filler, request.seed)
    cache, meter = new_cache(subject, retention), PeakMeter()
    meter.watch(cache)
    before = peak = rss_bytes()
    started, rows, ahead = time.perf_counter(), [], list(lengths)
    named = {
        "name": FULL if retention is None else retention.method,
        "budget": None if retention is None else retention.budget,
        "chunk": request.chunk,
        "measured": True,
        "rss_before_bytes": before,
    }

    def note(done: int) -> None:
        nonlocal peak
        peak = max(peak, rss_bytes())
        if done < ahead[0]:
            return
        while ahead and done >= ahead[0]:
            ahead.pop(0)
        spent = {"rss_peak_bytes": peak, "seconds": time.perf_counter() - started}
        held = held_row(meter.peak, done, shape)
        rows.append({**named, "tokens": done, **held, **spent, **card_bytes(subject)})

    stream_into(subject.model, cache, text.flow(), request.chunk, note)
    return rows


def new_cache(subject: Subject, retention: Retention | None) -> Any:
    """Ours for a retention, a plain one without."""
    if retention is None:
        return DynamicCache(config=subject.model.config)
    return RetentionCache(subject.model, subject.tokenizer, retention)


def held_row(peak: int, tokens: int, shape: ModelShape) -> Row:
    """Bytes of keys and values at their peak, and what a full cache of the length takes."""
    full = shape.cached(tokens)
    return {"kv_peak_bytes": peak, "kv_full_bytes": full, "kv_share": peak / full}


def card_bytes(subject: Subject) -> Row:
    """On a CUDA device, most that torch had allocated on it."""
    if subject.device.type != "cuda":
        return {}
    return {"card_peak_bytes": torch.cuda.max_memory_allocated(subject.device)}


def _computed(tokens: int, shape: ModelShape) -> Row:
    full = shape.cached(tokens)
    return {
        "name": FULL,
        "budget": None,
        "tokens": tokens,
        "measured": False,
        **held_row(full, tokens, shape),
    }


MARKS = 32  # times that a reading notes where it stands
ANSWER = 24  # tokens that the answer may take


@dataclass
class Progress:
    """What a reading has spent so far. ``marks``: where it stood and what was held then."""

    tokens: int = 0
    seconds: float = 0.0
    kv_peak_bytes: int = 0
    rss_peak_bytes: int = 0
    marks: list[Row] = field(default_factory=list)


def run_stream(request: Request) -> Outcome:
    """A row for each length, budget, method and round: every round reads another text."""
    subject = request.subject()
    rows = [
        _stream(replace(request, seed=seed), subject, tokens, streaming(budget, method))
        for seed in range(request.seed, request.seed + request.rounds)
        for tokens in request.tokens
        for budget in request.budgets
        for method in request.methods
    ]
    return Outcome(rows)


def _stream(request: Request, subject: Subject, tokens: int, retention: Retention) -> Row:
    text = LongText(subject.tokenizer, tokens, request.filler, request.seed)
    progress, cache = Progress(), new_cache(subject, retention)
    value = text.value
    _read(request, subject, text, cache, progress)
    kept = held_whole(cache.flow, value)
    started = time.perf_counter()
    correct = _ask(subject, text, cache)
    shape = shape_of_model(subject.model)
    return {
        "name": retention.method,
        **_about(request, tokens, retention),
        **held_row(progress.kv_peak_bytes, tokens, shape),
        "rss_peak_bytes": progress.rss_peak_bytes,
        "seconds": progress.seconds,
        "answer_seconds": time.perf_counter() - started,
        "tokens_per_s": tokens / progress.seconds,
        "value_at": value.start / tokens,
        "held": kept,
        "correct": correct,
        "max_live_tokens": cache.ledger.between,
        "marks": progress.marks,
    } | card_bytes(subject)


def _about(request: Request, tokens: int, retention: Retention) -> Row:
    """What a row says of its reading."""
    names = {"shape": request.recipe.shape, "filler": Path(request.filler).name}
    numbers = {"tokens": tokens, "budget": retention.budget, "chunk": request.chunk}
    return {"method": retention.method, **numbers, "seed": request.seed, **names}


def _read(
    request: Request, subject: Subject, text: LongText, cache: RetentionCache, progress: Progress
) -> None:
    meter = PeakMeter()
    meter.watch(cache)
    every = max(text.tokens // MARKS, 1)
    begun = time.perf_counter()

    def note(done: int) -> None:
        reached, progress.tokens = progress.tokens // every, done
        progress.seconds = time.perf_counter() - begun
        progress.kv_peak_bytes = meter.peak
        progress.rss_peak_bytes = max(progress.rss_peak_bytes, rss_bytes())
        request.progress(done, text.tokens)
        if done // every > reached or done == text.tokens:
            progress.marks.append(_mark(progress))

    stream_into(subject.model, cache, text.flow(), request.chunk, note)


def _mark(progress: Progress) -> Row:
    names = ("tokens", "seconds", "kv_peak_bytes", "rss_peak_bytes")
    return {name: getattr(progress, name) for name in names} | {"rss_bytes": rss_bytes()}


def _ask(subject: Subject, text: LongText, cache: RetentionCache) -> bool:
    logits = feed(subject.model, cache, text.stated.question)
    ids, ended = greedy(subject.model, cache, logits, ANSWER)
    said = subject.tokenizer.decode(ids, skip_special_tokens=True)
    return is_correct(said, text.stated.answer, ended)
