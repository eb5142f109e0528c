"""Table 6: perplexity on WikiText-2 under eviction, token by token.

The paper states no protocol. Here: streams of 1,024 tokens from recorded offsets, every token a
forward of its own, the cache cut to K after it. The text is a file in WikiText-2's tokenised form
(``--data``); it is never shipped. A chat model reads it as a user's text (``--raw``: as it is)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from transactional_attention.cli.prompts import asks_in_chat
from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.arguments import cache_argument
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import get_method

from ..benchmarks.corpus import encode
from ..cases.cases import Case
from ..cases.conversation import converse
from ..cases.metrics import Z
from ..cases.wikitext import detokenise, load_text, stream_offsets
from ..markdown import markdown
from .experiment import Context, Record, Row, main
from .paper import figures
from .plan import READ_MODEL, READ_TEXT
from .running import Job, run_parts

STREAM = "stream"


def opening(tokenizer: Any) -> list[int]:
    """What a text stands after: of a model that is asked in its chat format all that its template
    writes before a user's words, otherwise the begin token where there is one."""
    if not asks_in_chat(tokenizer):
        return [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
    chat = converse(tokenizer, Case("stream", "a text"))
    return list(tokenizer(chat.context[: chat.places[0].at], add_special_tokens=False)["input_ids"])


def make_streams(
    first: Sequence[int], ids: Sequence[int], offsets: Sequence[int], length: int
) -> torch.Tensor:
    """Tokens [stream, first + length]: ``first``, and ``length`` of the text from an offset on."""
    return torch.tensor([[*first, *ids[start : start + length]] for start in offsets])


@torch.inference_mode()
def stream_nats(
    model: Any,
    tokenizer: Any,
    streams: torch.Tensor,
    retention: Retention,
) -> tuple[torch.Tensor, int]:
    """Negative log-likelihood in nats [stream, column - 1], and the most tokens held after a step.

    Every stream is a row of one batch. Its tokens are prompt, so that detectors read them, but each
    comes in a forward of its own: it sees at most K earlier ones and is then one of K that stay."""
    cache = RetentionCache(model, tokenizer, retention)
    steps = streams.shape[1] - 1
    cache.expect_prompt(steps)
    streams, losses = streams.to(model.device), []
    for column in range(steps):
        fed = streams[:, column : column + 1]
        logits = model(fed, **cache_argument(cache), use_cache=True).logits[:, -1].float()
        losses.append(F.cross_entropy(logits, streams[:, column + 1], reduction="none"))
    return torch.stack(losses, 1).cpu(), cache.ledger.between


def summary(nats: torch.Tensor, skip: int) -> dict[str, Any]:
    """Perplexity of all predicted tokens with its interval, and of those after the first ``skip``.

    ``ci95``: from the spread of the streams' means, with the normal quantile, which is too narrow
    for few streams; None for one. ``stream_nats``: those means, for paired tests."""
    means = nats.mean(1).tolist()
    centre = statistics.fmean(means)
    row: dict[str, Any] = {"perplexity": math.exp(centre), "ci95": None, "stream_nats": means}
    if len(means) > 1:
        half = half_width(means)
        row["ci95"] = [math.exp(centre - half), math.exp(centre + half)]
    late = nats[:, skip:]
    row["late_perplexity"] = math.exp(float(late.mean())) if late.numel() else None
    return row


def half_width(numbers: Sequence[float]) -> float:
    """Half of the 95% interval of a mean, by the normal quantile; 0 for a single number."""
    if len(numbers) < 2:
        return 0.0
    return Z * statistics.stdev(numbers) / math.sqrt(len(numbers))


PEERS = tuple((name, "default", None) for name in ("tova", "h2o", "streaming-llm"))
METHODS = (
    ("ta", "default", None),
    ("ta", "default", 2),  # a text that begins without a header needs them on one real model
    ("ta-fast-semantic", "paper", None),
    *PEERS,
)
"""Method, preset and sinks; None takes the method's own."""
CONTROLS = tuple(
    (name, "default", None)
    for name in (*READ_TEXT, *READ_MODEL)
    if not get_method(name).whole_prompt
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
    """WikiText-2's test text: the file itself, or one of ``NAMES`` in a folder. Raises InputError
    without data, for what is not there, or a folder that holds none of them."""
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


def cells_of(context: Context) -> list[tuple[str, str, int | None, int | None]]:
    """Method, preset, sinks and K of every cell."""
    cells: list[tuple[str, str, int | None, int | None]] = [("full", "default", None, None)]
    budgets = context.pick((16, 64), BUDGETS, BUDGETS)
    methods = (*METHODS, *context.pick((), CONTROLS, CONTROLS))
    return cells + [(*method, k) for k in budgets for method in methods]


def run(context: Context) -> Record:
    """One row a method and budget, over the same streams. Raises InputError without the text, or
    when it is too short."""
    text = detokenise(load_text(text_file(context.data)))
    model, tokenizer = context.loaded
    ids = encode(tokenizer, text)
    length = context.pick(*LENGTHS)
    count = context.trials or context.pick(2, 4, 64)
    offsets = stream_offsets(len(ids), count, length, context.seed)
    first = opening(tokenizer)
    streams = make_streams(first, ids, offsets, length)

    def measured(method: str, preset: str, sinks: int | None, budget: int | None) -> Row:
        retention = Retention(budget, method, preset=preset, sinks=sinks, seed=context.seed)  # type: ignore[arg-type]
        nats, live = stream_nats(model, tokenizer, streams, retention)
        nats = nats[:, max(len(first) - 1, 0) :]  # of the text, and not of what opens it
        return {**summary(nats, SKIP), "tokens": nats.numel(), "max_live_tokens": live}

    key = {"sponsored": True, "streams": count, "length": length}
    if asks_in_chat(tokenizer):
        key["opening"] = len(first)
    jobs = [
        Job({"part": STREAM if s is None else f"{STREAM}, {s} sinks", "method": m, "preset": p,
             "budget": k, **key}, partial(measured, m, p, s, k))
        for m, p, s, k in cells_of(context)
    ]  # fmt: skip
    rows = run_parts(context, jobs)
    return {"rows": rows, "offsets": offsets, "text_tokens": len(ids), "skip": SKIP}


def tables(record: Record) -> str:
    """Perplexity [95% interval over streams] (without the first tokens), a column a budget; the
    paper's figure after the dot."""
    rows = record["rows"]
    methods: dict[str, dict[int | None, Row]] = {}
    for row in rows:
        printed = ", as printed" * (row["preset"] == "paper")
        name = f"{row['method']}{printed}{row['part'].removeprefix(STREAM)}"
        methods.setdefault(name, {})[row["budget"]] = row
    budgets = sorted({row["budget"] for row in rows} - {None})
    lines = [
        (name, *(_shown(cells.get(None if name == "full" else k)) for k in budgets))
        for name, cells in methods.items()
    ]
    about = f"method, {rows[0]['streams']} streams of {rows[0]['length']:,} tokens"
    if "opening" in rows[0]:
        about += f" after the {rows[0]['opening']} that open a user's turn"
    return markdown((about, *(f"K={budget}" for budget in budgets)), lines)


def _shown(row: Row | None) -> str:
    if row is None:
        return "-"
    late = row["late_perplexity"]
    spread = "" if row["ci95"] is None else " [{:.1f}, {:.1f}]".format(*row["ci95"])
    paper = next((f" · {f.shown}" for f in figures("perplexity") if f.about(row)), "")
    return f"{row['perplexity']:.1f}{spread}{'' if late is None else f' ({late:.1f})'}{paper}"


if __name__ == "__main__":
    main("perplexity")
