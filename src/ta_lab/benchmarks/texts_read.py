"""Detection without a model as benchmarks: from ids to kept slots, and the detectors alone."""

from __future__ import annotations

from .benchmark import Outcome, Request, Row
from .detection import detection
from .detectors import PEER_MISSING, detectors, has_peer


def run_detection(request: Request) -> Outcome:
    """Rows of prose and of configuration; ratios are to tokenising the same text."""
    tokenizer, rows = request.tokenizer(), []
    for tokens in request.tokens:
        for budget in request.budgets:
            timings = detection(
                tokenizer,
                context=tokens,
                budget=budget,
                methods=list(request.methods),
                rounds=request.rounds,
            )
            cell: Row = {"tokens": tokens, "budget": budget}
            rows += [{**cell, **timing.row()} for timing in timings]
    return Outcome(rows)


def run_detectors(request: Request) -> Outcome:
    """A row a detector and kind of text; a note where detect-secrets is not installed."""
    rows = [timing.row() for timing in detectors(rounds=request.rounds)]
    return Outcome(rows, [] if has_peer() else [PEER_MISSING])
