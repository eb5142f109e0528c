"""Peak bytes of keys and values, and memory of the process, while a text of any length is read.

One reading of the longest text passes all lengths; what is noted at a length is the peak so far.
Every arm reads in a process of its own, where no other arm has left memory behind.
"""

from __future__ import annotations

import itertools
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..experiments.memory_model import ModelShape, shape_of_model
from .benchmark import Outcome, Request, Row, no_progress
from .corpus import LongText
from .feeding import stream_into
from .meters import PeakMeter, rss_bytes
from .subject import Subject

FULL = "full cache"
LIMIT = 65_536  # tokens up to which the full cache is really filled; above, its bytes are computed


def run(request: Request) -> Outcome:
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
    rows = _read(request, subject, retention, filled, shape) if filled else []
    rows += [_computed(n, shape) for n in lengths if n not in filled]
    return rows


def _read(
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
