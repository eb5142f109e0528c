"""Table 6: perplexity on WikiText-2 under eviction, token by token.

The paper states no protocol. Here: streams of 1,024 tokens from recorded offsets, every token a
forward of its own, the cache cut to K after it (``streams.py``). Needs the text (``--data``).
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method

from .costs import Cost
from .experiment import Context, Experiment, Record, Row
from .jobs import NO_JUDGEMENT, Job, is_quick, markdown, run_parts
from .judging import Order
from .paper import figures
from .perplexity_measure import detokenise, load_text
from .plan import READ_MODEL, READ_TEXT
from .streams import half_width, make_streams, stream_nats, stream_offsets, summary
from .verdicts import incomparable

METHODS = (
    ("ta", "default"),
    ("ta-fast-semantic", "paper"),
    ("tova", "default"),
    ("h2o", "default"),
    ("streaming-llm", "default"),
)
CONTROLS = tuple(
    (name, "default") for name in (*READ_TEXT, *READ_MODEL) if not get_method(name).whole_prompt
)
"""Without the oracle, as a stream has no value that it could be told, and without what must know
the whole text beforehand."""
BUDGETS = (16, 32, 64, 256)
LENGTHS = (256, 1024, 1024)  # tokens of a stream by size
SKIP = 256  # from here on every budget of the table is full
NAMES = ("test.txt", "test.txt.xz", "wikitext2/test.txt", "wikitext2/test.txt.xz")
REMEDY = (
    "WikiText-2's test text in its tokenised form: --data FILE, or a folder with test.txt or "
    "test.txt.xz"
)


def text_file(data: Path | None) -> Path:
    """WikiText-2's test text: the file itself, or one of ``NAMES`` in a folder.

    Raises:
        InputError: without data, for what is not there, or a folder that holds none of them.
    """
    if data is None:
        raise InputError(f"perplexity needs {REMEDY}")
    if not data.exists():
        raise InputError(f"{data} does not exist: perplexity needs {REMEDY}")
    if not data.is_dir():
        return data
    for name in NAMES:
        if (data / name).is_file():
            return data / name
    raise InputError(
        f"{data} holds no {NAMES[0]} or {NAMES[1]} of WikiText-2: perplexity needs {REMEDY}"
    )


def cells_of(context: Context) -> list[tuple[str, str, int | None]]:
    """Method, preset and K of every cell."""
    cells: list[tuple[str, str, int | None]] = [("full", "default", None)]
    budgets = context.pick((16, 64), BUDGETS, BUDGETS)
    methods = (*METHODS, *context.pick((), CONTROLS, CONTROLS))
    return cells + [(*method, k) for k in budgets for method in methods]


def cost(context: Context) -> Cost:
    """Every token of a stream is a forward, all streams in one batch."""
    cells = len(cells_of(context))
    return Cost(cells, steps=cells * context.pick(*LENGTHS))


def run(context: Context) -> Record:
    """One row a method and budget, over the same streams.

    Raises:
        InputError: without the text, or when it is too short.
    """
    text = detokenise(load_text(text_file(context.data)))
    model, tokenizer = context.loaded
    ids = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    length = context.pick(*LENGTHS)
    count = context.trials or context.pick(2, 4, 64)
    offsets = stream_offsets(len(ids), count, length, context.seed)
    streams = make_streams(tokenizer, ids, offsets, length)

    def job(method: str, preset: str, budget: int | None) -> Job:
        key = {"part": "stream", "method": method, "preset": preset, "budget": budget}
        key["sponsored"] = True

        def measure() -> Row:
            retention = Retention(budget, method, preset=preset, seed=context.seed)  # type: ignore[arg-type]
            nats, live = stream_nats(model, tokenizer, streams, retention)
            return {**summary(nats, SKIP), "tokens": nats.numel(), "max_live_tokens": live}

        return Job({**key, "streams": count, "length": length}, measure)

    rows = run_parts(context, [job(*cell) for cell in cells_of(context)])
    return {"rows": rows, "offsets": offsets, "text_tokens": len(ids), "skip": SKIP}


def render(record: Record) -> str:
    """Perplexity with its interval, methods by budgets, the full cache as a row of its own."""
    rows = record["rows"]
    budgets = sorted({row["budget"] for row in rows} - {None})
    cells = {(row["method"], row["preset"], row["budget"]): row for row in rows}
    head = ["method", *(f"K={budget}" for budget in budgets)]
    lines = []
    for method, preset in dict.fromkeys((row["method"], row["preset"]) for row in rows):
        at = [(method, preset, None if method == "full" else k) for k in budgets]
        name = method if preset == "default" else f"{method}, as printed"
        lines.append([name, *(_shown(cells.get(key)) for key in at)])
    first = rows[0]
    return (
        f"{first['streams']} streams of {first['length']:,} tokens; lower is better. In brackets: "
        "the 95% interval over streams; in parentheses: without the first "
        f"{record['skip']} tokens; last: the paper's.\n\n{markdown(head, lines)}\n\n"
        + (NO_JUDGEMENT if is_quick(record) else _judgement(rows))
    )


def _judgement(rows: Sequence[Row]) -> str:
    """The paper's figures name neither protocol nor model: its order of methods is compared."""
    found: Counter[str] = Counter()
    for first, second in combinations(rows, 2):
        papers = _paper(first), _paper(second)
        if first["budget"] != second["budget"] or None in papers or papers[0] == papers[1]:
            continue
        ours = _apart(first["stream_nats"], second["stream_nats"])
        same = ours * (papers[0] - papers[1]) > 0  # type: ignore[operator]
        found["alike" if not ours else "holds" if same else "reversed"] += 1
    order = Order(found["holds"], found["reversed"], found["alike"])
    return (
        f"Judgement: {incomparable('protocol and model unstated')}; the paper's order of methods "
        f"{order}."
    )


def _apart(first: Sequence[float], second: Sequence[float]) -> float:
    """Mean difference over the same streams; 0 where its 95% interval holds 0."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    mean = statistics.fmean(differences)
    return 0.0 if abs(mean) <= half_width(differences) else mean


def _paper(row: Row) -> float | None:
    return next((f.value for f in figures("perplexity") if f.about(row)), None)


def _shown(row: dict[str, Any] | None) -> str:
    if row is None:
        return "-"
    late = row["late_perplexity"]
    spread = "" if row["ci95"] is None else " [{:.1f}, {:.1f}]".format(*row["ci95"])
    paper = _paper(row)
    parts = [f"{row['perplexity']:.1f}{spread}", "" if late is None else f" ({late:.1f})"]
    return "".join([*parts, "" if paper is None else f" · {paper:g}"])


EXPERIMENT = Experiment(
    "perplexity", "Table 6", "WikiText-2 token by token under eviction", run, render, cost
)
