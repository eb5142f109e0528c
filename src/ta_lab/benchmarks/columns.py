"""What column sums cost: added up beside fused attention, or read from eager attention's weights.

H2O and Full-TA need what every token received from all queries. Ours adds it up in blocks of
queries; ``output_attentions`` keeps [layer, head, n, n] until the prompt's end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import torch
from transformers import DynamicCache

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache

from ..experiments.footprint import eager, eager_kept, held, managed, shape_of_model
from .benchmark import Outcome, Request, Row, Subject
from .corpus import LongText
from .feeding import push, ready
from .timing import interleave, seconds

PEER = "eager, output_attentions"
BARE = "fused, nothing observed"
LIMIT = 8e9  # bytes that the peer may take on a CPU; on a card, nine tenths of it


def run(request: Request) -> Outcome:
    """Seconds, and bytes at their peak beside the weights; ratios are to eager attention.

    Where eager attention does not fit, the fused forward is the peer and a note says so."""
    subject, rows, notes = request.subject(), [], []
    cells = [(n, k) for n in request.tokens for k in request.budgets]
    for done, (tokens, budget) in enumerate(cells, 1):
        ids = LongText(subject.tokenizer, tokens, request.filler, request.seed).first(tokens)
        arms, peaks = _arms(subject, ids, request.methods, budget)
        if PEER not in arms:
            notes.append(f"{PEER} of {tokens} tokens needs more memory than is allowed: not run")
        timings = interleave(arms, request.rounds)
        for timing in timings:
            row: Row = {"tokens": tokens, "budget": budget, **timing.row()}
            row["peak_bytes"] = peaks[timing.name]()
            rows.append(row)
        first = rows[-len(timings)]["peak_bytes"]
        for row in rows[-len(timings) :]:
            row["bytes_ratio"] = row["peak_bytes"] / first
        request.progress(done, len(cells))
    return Outcome(rows, list(dict.fromkeys(notes)))


def _arms(
    subject: Subject, ids: Sequence[int], methods: Sequence[str], budget: int
) -> tuple[dict[str, Callable[[], float]], dict[str, Callable[[], int]]]:
    """Seconds of every arm, and its bytes: counted in another run, counting costs time."""
    retentions = {BARE: Retention(None, "full")}
    retentions |= {method: Retention(budget, method) for method in methods}
    arms: dict[str, Callable[[], float]] = {}
    peaks: dict[str, Callable[[], int]] = {}
    if _fits(subject, len(ids)):
        arms[PEER] = partial(_eager, subject, ids)
        peaks[PEER] = lambda: eager_kept(subject.model, ids)["peak_bytes"]
    arms[BARE] = partial(_bare, subject, ids)
    arms |= {method: partial(_observed, subject, ids, retentions[method]) for method in methods}
    for name, retention in retentions.items():
        peaks[name] = partial(_peak, subject, ids, retention)
    return arms, peaks


def _peak(subject: Subject, ids: Sequence[int], retention: Retention) -> int:
    return managed(subject.model, subject.tokenizer, ids, retention)["peak_bytes"]


def _fits(subject: Subject, tokens: int) -> bool:
    shape, limit = shape_of_model(subject.model), LIMIT
    if subject.device.type == "cuda":
        limit = 0.9 * torch.cuda.get_device_properties(subject.device).total_memory
    needed = held(shape, tokens, None, keeps_attention=True) + shape.one_layer_eager(tokens)
    return needed < limit


@torch.inference_mode()
def _eager(subject: Subject, ids: Sequence[int]) -> float:
    """As ``footprint.eager_kept``, without the meter."""
    inputs = torch.tensor([list(ids)], device=subject.device)
    kept = {"use_cache": True, "output_attentions": True, "logits_to_keep": 1}
    with eager(subject.model):
        return seconds(lambda: subject.model(inputs, **kept), subject.device)


def _bare(subject: Subject, ids: Sequence[int]) -> float:
    cache = DynamicCache(config=subject.model.config)
    ready(subject.model, cache)
    return seconds(lambda: push(subject.model, cache, ids), subject.device)


def _observed(subject: Subject, ids: Sequence[int], retention: Retention) -> float:
    def forward() -> None:
        push(subject.model, RetentionCache(subject.model, subject.tokenizer, retention), ids)

    return seconds(forward, subject.device)
