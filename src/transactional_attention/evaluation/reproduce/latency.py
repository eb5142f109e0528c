"""Section 4.5: what TA-Fast adds to a prefill and to a decode step, as a ratio in one run.

Arms take turns, so that a slow moment of the machine hits all of them; a ratio is that of one
round. The peers are plain caches of transformers without our hooks. The paper says 0.361 s against
0.358 s at 4K and does not say of what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ...benchmarks.decode import decode_steps
from ...benchmarks.detection import detection
from ...benchmarks.prefill import forwards
from ...benchmarks.timing import Timing
from ..encoding import encode_case
from ..tasks.needle import needle_case
from .costs import Cost
from .experiment import Context, Experiment, Record, Row
from .jobs import NO_JUDGEMENT, Job, is_quick, markdown, run_parts
from .paper import figures
from .verdicts import incomparable

BUDGET = 16
METHODS = ("streaming-llm", "ta-fast-regex", "ta-fast-semantic", "ta")
FAST = ("ta-fast-regex", "ta-fast-semantic")
STEPS = 16  # tokens of an answer behind a prefill
TITLES = {
    "prefill": "Prefill of the whole prompt, beside a plain cache that keeps everything",
    "answer": f"Prefill and {STEPS} tokens of answer, beside the same",
    "decode": "One decode step at K tokens, beside a plain cache that holds K tokens",
    "detection": "Detection and selection alone, beside tokenising the same text",
}


def run(context: Context) -> Record:
    """A row a part, all its arms timed in one run; what ``context.rows`` holds is not run again."""
    tokens = context.pick(512, 4096, 4096)
    rounds = context.trials or context.pick(2, 5, 25)
    methods = FAST[1:] if context.size == "quick" else METHODS
    given: dict[str, Any] = {"budget": BUDGET, "context": tokens, "methods": list(methods)}

    def parts() -> dict[str, Callable[[], list[Timing]]]:
        model, tokenizer = context.loaded
        ids = _ids(context, tokens)
        return {
            "prefill": lambda: forwards(model, tokenizer, ids, methods, BUDGET, rounds),
            "answer": lambda: forwards(model, tokenizer, ids, methods, BUDGET, rounds, steps=STEPS),
            "decode": lambda: decode_steps(model, tokenizer, rounds=rounds, **given),
            "detection": lambda: detection(tokenizer, rounds=rounds, **given),
        }

    def job(part: str) -> Job:
        key = {"part": part, "tokens": tokens, "budget": BUDGET, "rounds": rounds}

        def measured() -> Row:
            return {"threads": torch.get_num_threads(), "arms": [t.row() for t in parts()[part]()]}

        return Job(key, measured, timed=True)

    return {"rows": run_parts(context, [job(part) for part in TITLES])}


def _ids(context: Context, tokens: int) -> list[int]:
    tokenizer = context.loaded[1]
    case = needle_case(
        tokenizer, context=tokens, depth=0.5, seed=context.seed, filler_name=context.filler
    )
    return encode_case(tokenizer, case).ids


def render(record: Record) -> str:
    """A table a part, and how the ratio of TA-Fast stands beside the paper's."""
    rows = record["rows"]
    parts = [
        "Medians of rounds in milliseconds; ratios are to the first line of each table, round by "
        "round, with their range. Overhead is the host's: it does not grow with the model."
    ]
    for row in rows:
        lines = [_line(arm) for arm in row["arms"]]
        title = f"{TITLES[row['part']]}; {row['tokens']:,} tokens, K={row['budget']}"
        shown = markdown(("", "ms", "range", "ratio", "range of ratios", "rounds"), lines)
        parts.append(f"### {title}, {row['threads']} threads\n\n{shown}")
    parts.append(NO_JUDGEMENT if is_quick(record) else _judgement(rows))
    return "\n\n".join(parts)


def _line(arm: Row) -> list[str]:
    low, high = arm["range_ms"]
    least, most = arm["ratio_range"]
    return [
        arm["name"],
        f"{arm['median_ms']:.2f}",
        f"{low:.2f} to {high:.2f}",
        f"{arm['ratio']:.3f}",
        f"{least:.3f} to {most:.3f}",
        str(arm["rounds"]),
    ]


def _judgement(rows: Sequence[Row]) -> str:
    """The paper's overhead against the range of ours: under it, over it, or inside."""
    (paper,) = figures("latency")
    stated = paper.value
    said = []
    for part in ("prefill", "answer"):
        for arm in (a for row in rows if row["part"] == part for a in row["arms"]):
            if arm["name"] in FAST:
                low, high = (100 * (bound - 1) for bound in arm["ratio_range"])
                where = "within" if low <= stated <= high else "below" if high < stated else "above"
                said.append(f"{part}, {arm['name']}: {100 * (arm['ratio'] - 1):+.1f}%, {where}")
    return (
        f"Judgement: {incomparable(f'{paper.unstated} unstated')}; the paper's {stated:g}% against "
        f"the range of the rounds: {'; '.join(said)}."
    )


EXPERIMENT = Experiment(
    "latency", "section 4.5", "what TA-Fast adds to a prefill and to a decode step", run, render,
    lambda context: Cost(others=len(TITLES)),
)  # fmt: skip
