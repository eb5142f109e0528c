"""Section 4.5: what TA-Fast adds to a prefill and to a decode step, as a ratio in one run.

Arms take turns, so that a slow moment of the machine hits all of them; a ratio is that of one
round. The peers are plain caches of transformers without our hooks. The paper gives two times at 4K
and does not say of what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from ..benchmarks.decode import decode_steps
from ..benchmarks.detection import detection
from ..benchmarks.prefill import forwards
from ..benchmarks.timing import Timing
from ..cases.encoding import encode_case
from .experiment import Context, Record, Row
from .paper import figure
from .plan import middle_needle
from .rendering import section
from .running import Job, run_parts
from .verdicts import incomparable

BUDGET = 16
METHODS = ("streaming-llm", "ta-fast-regex", "ta-fast-semantic", "ta")
FAST = ("ta-fast-regex", "ta-fast-semantic")
STEPS = 16  # tokens of an answer behind a prefill
PARTS = ("prefill", "answer", "decode", "detection")


def run(context: Context) -> Record:
    """A row a part, all its arms timed in one run; what ``context.rows`` holds is not run again."""
    tokens = context.pick(512, 4096, 4096)
    rounds = context.trials or context.pick(2, 5, 25)
    methods = FAST[1:] if context.size == "quick" else METHODS
    given: dict[str, Any] = {"budget": BUDGET, "context": tokens, "methods": list(methods)}

    def measured(part: str) -> Row:
        model, tokenizer = context.loaded
        ids = encode_case(tokenizer, middle_needle(context, tokens)).ids
        timed: dict[str, Callable[[], list[Timing]]] = {
            "prefill": lambda: forwards(model, tokenizer, ids, methods, BUDGET, rounds),
            "answer": lambda: forwards(model, tokenizer, ids, methods, BUDGET, rounds, steps=STEPS),
            "decode": lambda: decode_steps(model, tokenizer, rounds=rounds, **given),
            "detection": lambda: detection(tokenizer, rounds=rounds, **given),
        }
        return {"threads": torch.get_num_threads(), "arms": [t.row() for t in timed[part]()]}

    key = {"tokens": tokens, "budget": BUDGET, "rounds": rounds}
    jobs = [Job({"part": part, **key}, partial(measured, part)) for part in PARTS]
    return {"rows": run_parts(context, jobs)}


def render(record: Record) -> str:
    """A table a part, and how the ratio of TA-Fast stands beside the paper's."""
    return section("latency", record, lambda: _judgement(record["rows"]), steps=STEPS)


def _judgement(rows: Sequence[Row]) -> str:
    """The paper's bound on the overhead against what was measured of TA-Fast, arm by arm."""
    stated = figure("latency", "overhead")
    own = [
        (row["part"], arm)
        for row in rows
        for arm in row["arms"]
        if row["part"] in ("prefill", "answer") and arm["name"] in FAST
    ]
    said = "; ".join(f"{part}, {arm['name']}: {beside(arm, stated.value)}" for part, arm in own)
    with_ta, without = (figure("latency", which) for which in ("with", "without"))
    more = 100 * (with_ta.value / without.value - 1)
    return (
        f"Judgement: {incomparable(f'{stated.unstated} unstated')}; the paper has {stated.shown}% "
        f"({with_ta.shown} s against {without.shown} s, {more:+.2f}%). "
        f"Measured here: {said or 'nothing of TA-Fast'}."
    )


def beside(arm: Row, bound: float) -> str:
    """The overhead in percent with its interval, and whether that shows it to be under a bound.

    Too few rounds for an interval of 95%: the range of the rounds stands in its place."""
    interval = arm.get("ratio_ci95")
    low, high = (100 * (end - 1) for end in interval or arm["ratio_range"])
    what = "95% interval of the median of" if interval else "range of"
    verdict = (
        f"under {bound:g}%"
        if high < bound
        else f"not under {bound:g}%"
        if low >= bound
        else f"not shown to be under {bound:g}%"
    )
    middle = 100 * (arm["ratio"] - 1)
    return f"{middle:+.1f}% [{low:+.1f}, {high:+.1f}] ({what} {arm['rounds']} rounds), {verdict}"
