"""One long reading full of values, streamed at K with a vault; some of them are asked for then.

A value every 200 tokens. Each question is asked of a copy of the cache. Beside it how long a
question takes to find its value among as many, which no model has a part in."""

from __future__ import annotations

import statistics
import time

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.copies import copy_of
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.retention.exchange import recall_of

from ..cases.decoding import forward, greedy
from ..cases.encoding import asked_of, encode_case
from ..cases.metrics import judge
from ..cases.runner import most_tokens
from ..experiments.footprint import shape_of_model
from ..generators.placing import Setting, make_cases
from ..generators.recalled import recalled
from .benchmark import Outcome, Request, Row, Subject

EVERY, ASKED = 200, 60


def run(request: Request) -> Outcome:
    """A row a length and K."""
    subject = request.subject()
    return Outcome([_measured(request, subject, *cell) for cell in request.cells()])


def _measured(request: Request, subject: Subject, tokens: int, budget: int) -> Row:
    number = max(tokens // EVERY, 12)
    setting = Setting(tokens, 0.5, request.seed, request.filler, str(number))
    cases = make_cases("recalled", recalled, subject.tokenizer, setting)[:number]
    encoded = encode_case(subject.tokenizer, cases[0], plain=True)
    retention = Retention(budget, request.methods[0], positions="compact", recall=True)
    cache = RetentionCache(subject.model, subject.tokenizer, retention)
    start = time.perf_counter()
    prefill(subject.model, torch.tensor([encoded.ids]), cache, chunk=request.chunk, keep_last=False)
    spent = time.perf_counter() - start
    book = recall_of(cache.flow, 0).book
    right, waits = 0, []
    asked = cases[:: max(number // ASKED, 1)][:ASKED]
    for case in asked:
        start = time.perf_counter()
        book.wanted(case.question)
        waits.append(1000 * (time.perf_counter() - start))
        own, copy = asked_of(subject.tokenizer, encoded, case), copy_of(cache)
        logits = forward(subject.model, copy, own.question)
        ids, ended = greedy(subject.model, copy, logits, most_tokens(subject.tokenizer, own))
        text = subject.tokenizer.decode(ids, skip_special_tokens=True)
        right += judge(text, own.answers, ended).correct
    assert cache.vault is not None
    return {
        "name": request.methods[0],
        "budget": budget,
        "tokens": len(encoded.ids),
        "stated": number,
        "known": len(book),
        "values": len(asked),
        "correct": right,
        "median_ms": statistics.median(waits),
        "range_ms": [min(waits), max(waits)],
        "vault_bytes": cache.vault.num_bytes,
        "share": cache.vault.num_bytes / shape_of_model(subject.model).cached(len(encoded.ids)),
        "seconds": spent,
    }
