"""Accuracy, latency and memory from 4K to 24K tokens (Table 4 and section 4.7), and what TA-Fast
adds to a prefill and to a step (section 4.5, which gives two times and does not say of what).

Parts of a record: ``model``, the memory model of the paper's shapes; ``forward``, time and bytes on
the model that is loaded; ``shape`` (full size), the same with random weights in the shape of
Llama-3.2-1B; and cells of needle cases for the lengths that the model can read whole. The paper's
milliseconds and gigabytes are of its model and machine: what is compared is the ratio between a
method that is free of attention and one that reads or keeps it."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import torch

from transactional_attention.config import Retention

from ..benchmarks.footprint import (
    GIGABYTE,
    LLAMA_1B,
    SHAPES,
    ModelShape,
    eager_kept,
    explain,
    head_seconds,
    held,
    managed,
    random_model,
    shape_of_model,
)
from ..cases.encoding import encode_case
from ..markdown import NONE, markdown
from .beside import tables as beside
from .beside import the_rest
from .experiment import Context, Record, Row, main, part_of
from .needle import FAST
from .paper import figure, figures
from .plan import CONTROLS, FULL, Block, arms, as_printed, middle_needle, task_cases
from .running import Job, run_parts

EAGER = "eager, attention kept"
NEAR = 0.02  # a prompt is as long as the paper's where its tokens differ by less


def tables(record: Record) -> str:
    """Cells, forwards, the memory model, and what else the paper says of memory."""
    shown = {*figures("scaling", "latency"), *figures("scaling", "memory")}  # of Table 4
    more = the_rest("scaling", units=("GB", "% of memory"), shown=shown)
    sections = (beside(record), forwards(record), memory(record), more)
    return "\n\n".join(filter(None, sections))


def _paper(row: Row, method: str, measure: str) -> str:
    """The paper's figure of a method where it has a row of that length and K."""
    matches = (
        f
        for f in figures("scaling", measure)
        if method in f.match["methods"]
        and f.match["budget"] == row["budget"]
        and abs(row["tokens"] - int(f.match["block"])) <= NEAR * row["tokens"]
    )
    return next((f.shown for f in matches), NONE)


def forwards(record: Record) -> str:
    """A prefill and decode steps: bytes are those of live tensors beside the weights.

    Methods that read attention run fused and note only what they read; none needs the weights of
    all layers kept, as the eager row does. Rows of fewer layers are scaled, logits counted once."""
    lines = []
    for row in (*part_of(record, "forward"), *part_of(record, "shape")):
        scale, method = row.get("scale", 1), row["method"]
        note = f", {row['layers']} layers x {scale}" if scale > 1 else ""
        theirs = (_paper(row, method, measure) for measure in ("latency", "memory"))
        if "not_run" in row:
            ours = [f"not run: {row['not_run']}", NONE, NONE, NONE]
        else:
            step = row.get("decode_seconds")
            ours = [
                f"{_of_all_layers(row, row['prefill_seconds']):.2f}",
                NONE if step is None else f"{1e3 * _of_all_layers(row, step):.1f}",
                size(row["peak_bytes"]) + (f" ({row['layers']} layers)" if scale > 1 else ""),
                size(scale * row["held_bytes"]),
            ]
        formula = size(scale * row["formula_bytes"]) if "formula_bytes" in row else NONE
        place = f"{row['shape']}{note}", f"{row['tokens']:,}", row["budget"], method
        lines.append((*place, *theirs, *ours, formula))
    head = ("model", "tokens", "K", "method", "the paper, ms", "the paper, GB", "prefill, s",
            "decode, ms", "peak, GB", "held after, GB", "formula, GB")  # fmt: skip
    return markdown(head, lines) if lines else ""


def memory(record: Record) -> str:
    """The memory model: GB of 1e9 bytes, 16-bit numbers, one row, weights included."""
    lines = []
    for row in part_of(record, "model"):
        parts = (row["bytes"][n] for n in ("weights", "kv_full", "kv_budget", "attentions",
                                           "all_logits_float32"))  # fmt: skip
        free, kept = row["attention_free"], row["keeps_attention"]
        paper = [_paper(row, method, "memory") for method in ("ta-fast-semantic", "tova")]
        lines.append((
            row["shape"], f"{row['tokens']:,}", row["budget"],
            *(paper if row["shape"] == SMALL else (NONE, NONE)),
            size(free), size(kept), f"{kept / free:.2f}", *map(size, parts),
        ))  # fmt: skip
    head = ("shape", "tokens", "K", "the paper, TA", "the paper, TOVA", "least, attention-free",
            "least, attention kept", "ratio", "weights", "keys and values, all", "at K",
            "attention kept", "all logits in float32")  # fmt: skip
    return markdown(head, lines) if lines else ""


SMALL = "Llama-3.2-1B"  # the shape that the paper's memory is of


def _of_all_layers(row: Row, seconds: float) -> float:
    """What layers take is scaled; the logits are computed once, whatever the layers."""
    once = row.get("head_seconds", 0.0)
    return float(once + row.get("scale", 1) * (seconds - once))


def size(number: float) -> str:
    """Bytes in GB of 1e9, small ones in MB."""
    return f"{number / GIGABYTE:.2f}" if number >= GIGABYTE / 10 else f"{number / 1e6:.1f} MB"


LENGTHS = ((4096, 16), (7168, 32), (8192, 64), (16_384, 64), (24_576, 64))
BUDGETS = (16, 32, 64)
METHODS = ("ta-fast-semantic", "streaming-llm", "tova", "ta-full")
LIMIT = 8e9  # bytes that eager attention may take here; above it the memory model speaks alone
ROOM = 64  # positions for the answer
WHOLE_LAYERS = 8192  # longer prompts of the 1B shape run on two of its layers


def run(context: Context) -> Record:
    """Rows of every part; cells that ``context.rows`` holds are not run again."""
    model, _ = context.loaded
    lengths: tuple[tuple[int, int], ...]
    lengths = context.pick(((1024, 16), (2048, 32)), LENGTHS, LENGTHS)  # tokens and K
    longest = model.config.get_text_config(decoder=True).max_position_embeddings
    explained = [explain(name, tokens, k) for name in SHAPES for tokens, k in LENGTHS]
    named = ("part", "shape", "tokens", "budget")
    jobs = [Job({key: row[key] for key in named}, partial(dict, row)) for row in explained]
    for tokens, budget in lengths:
        if tokens <= longest:
            fitting = min(tokens, longest - ROOM)
            size = len(_ids(context, fitting))
            key = {"part": "forward", "shape": context.model, "tokens": size, "budget": budget}
            jobs += _forwards(context, key, lambda: model, shape_of_model(model), fitting)
    if context.size == "full":
        jobs += [job for tokens, k in LENGTHS for job in shape_jobs(context, tokens, k, LLAMA_1B)]
    return {"rows": run_parts(context, jobs, _blocks(context, lengths, longest))}


def _ids(context: Context, tokens: int) -> list[int]:
    return encode_case(context.loaded[1], middle_needle(context, tokens)).ids


def _blocks(context: Context, lengths: Any, longest: int) -> list[Block]:
    """Needle cells of every length that the trained positions hold."""
    trials = context.trials or context.pick(2, 10, 50)
    blocks = []
    for tokens, budget in lengths:
        if tokens > longest:
            continue
        cases = task_cases(context, "needle", tokens=min(tokens, longest - ROOM))
        budgets = context.pick((budget,), (budget,), BUDGETS)
        controls = arms(context.pick((), CONTROLS, CONTROLS), budgets)
        chosen = (FULL, *as_printed(METHODS[:1], budgets), *arms(("ta", *METHODS[1:]), budgets))
        blocks.append(Block(f"{tokens}", cases, trials, (*chosen, *controls)))
    return blocks


# time and bytes


def eager(model: Any, shape: ModelShape, ids: list[int]) -> Row:
    """Eager attention measured beside its formula, or the formula alone where it would not fit."""
    expected = held(shape, len(ids), None, keeps_attention=True) - shape.weights
    row: Row = {"formula_bytes": expected}
    if expected + shape.one_layer_eager(len(ids)) > LIMIT:
        return {**row, "not_run": f"needs more than {LIMIT / 1e9:.0f} GB"}
    return {**row, **eager_kept(model, ids)}


@lru_cache(maxsize=1)
def one_at_a_time(shape: ModelShape) -> Any:
    """Random weights in a shape; those of another one are freed first, two would not fit."""
    one_at_a_time.cache_clear()
    gc.collect()
    dtype = torch.bfloat16 if shape.item == 2 else torch.float32
    return random_model(shape, max(tokens for tokens, _ in LENGTHS) + ROOM, dtype)


def shape_jobs(context: Context, tokens: int, budget: int, shape: ModelShape) -> list[Job]:
    """Prompts of a length on random weights in a shape, made when the first of them runs.

    Longer ones run on two layers; ``scale`` says how many times as many the shape has, and
    ``head_seconds`` what is no layer's."""
    layers = shape.layers if tokens <= WHOLE_LAYERS else min(2, shape.layers)
    name = "Llama-3.2-1B, random weights" if shape is LLAMA_1B else "random weights"
    key = {"part": "shape", "shape": name, "tokens": tokens, "budget": budget}
    key |= {"layers": layers, "scale": shape.layers // layers}
    used_shape = replace(shape, layers=layers)
    return _forwards(context, key, partial(one_at_a_time, used_shape), used_shape, tokens)


def _forwards(
    context: Context, key: Row, load: Callable[[], Any], shape: ModelShape, tokens: int
) -> list[Job]:
    """A job a method, and one for eager attention, on the same prompt."""

    def measured(method: str) -> Row:
        model, ids = load(), _ids(context, tokens)
        head = {"head_seconds": head_seconds(model)} if key.get("scale", 1) > 1 else {}
        if method == EAGER:
            return head | eager(model, shape, ids)
        return head | managed(model, context.loaded[1], ids, Retention(key["budget"], method))

    return [Job({**key, "method": m}, partial(measured, m)) for m in (*METHODS, EAGER)]


def latency_tables(record: Record) -> str:
    """Section 4.5: medians of rounds, and what an arm adds to the first of its part by round.

    Prefills stand beside a plain cache that keeps everything, steps beside one that holds K tokens,
    detection and selection beside tokenising the same text."""
    overhead = figure("latency", "overhead")
    with_ta, without = (figure("latency", which) for which in ("with", "without"))
    paper = f"{overhead.shown}% ({with_ta.shown} s against {without.shown} s; {overhead.place})"
    lines = []
    for row in record["rows"]:
        for arm in row["arms"]:
            stated = row["part"] in ("prefill", "answer") and arm["name"] in FAST
            low, high = arm.get("ratio_ci95") or arm["ratio_range"]
            ends = f"[{100 * (low - 1):+.1f}, {100 * (high - 1):+.1f}]"
            added = f"{100 * (arm['ratio'] - 1):+.1f} {ends}"
            what = "95%" if arm.get("ratio_ci95") else "range"  # too few rounds for an interval
            timed = f"{arm['median_ms']:.2f}"
            lines.append((row["part"], f"{row['tokens']:,}", arm["name"], paper if stated else NONE,
                          timed, added, what, arm["rounds"]))  # fmt: skip
    head = ("part", "tokens", "arm", "the paper adds", "ms", "adds, %", "interval", "rounds")
    return markdown(head, lines)


if __name__ == "__main__":
    main("scaling")
