"""Table 4 and section 4.7: accuracy, latency and memory from 4K to 24K tokens.

Parts of a record: ``model``, the memory model of the paper's shapes; ``forward``, time and bytes on
the model that is loaded; ``shape`` (full size), the same with random weights in the shape of
Llama-3.2-1B; and cells of needle cases for the lengths that the model can read whole. The paper's
milliseconds and gigabytes are of its model and machine: what is compared is the ratio between a
method that is free of attention and one that reads or keeps it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import isqrt
from typing import Any

import torch

from transactional_attention.config import Retention

from ..cases.encoding import encode_case
from .experiment import Context, Record, Row
from .footprint import (
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
from .paper import Figure, figure, figures
from .plan import CONTROLS, FULL, Block, arms, as_printed, middle_needle, task_cases
from .rendering import NONE, section
from .rendering import render as answers
from .running import Job, is_quick, run_parts
from .verdicts import NO_FIGURE

FREE, READS, FULL_TA = "ta-fast-semantic", "tova", "ta-full"
EAGER = "eager, attention kept"
NEAR = 0.02  # a prompt is as long as the paper's where its tokens differ by less


def lengths() -> list[tuple[int, int]]:
    """Tokens and K of the paper's rows."""
    found = (figure.match for figure in figures("scaling", "latency"))
    return list(dict.fromkeys((int(match["block"]), match["budget"]) for match in found))


def papers(measure: str, tokens: int, budget: int) -> tuple[Figure, Figure]:
    """The paper's figure of TA and of TOVA in a row of its Table 4."""
    place = {"block": f"{tokens}", "budget": budget}
    return tuple(figure("scaling", measure, method=m, **place) for m in (FREE, READS))  # type: ignore[return-value]


def ratio(first: float | None, second: float | None) -> str:
    """One as a multiple of the other; nothing where either is absent or endless."""
    if not first or not second or float("inf") in (first, second):
        return NONE
    return f"{first / second:.{0 if first > 9.5 * second else 2}f}"


def latency(rows: Sequence[Row]) -> Iterator[tuple[object, ...]]:
    """Lines of the paper's milliseconds and ratio, and ours of a prefill and of a step."""
    for tokens, budget in lengths():
        place, theirs = (f"{tokens:,}", budget), papers("latency", tokens, budget)
        shown = (figure.shown for figure in theirs)
        between = ratio(theirs[1].value, theirs[0].value)
        yield (*place, "the paper, unstated of what", *shown, between, NONE)
        for shape, measured in _at(rows, tokens, budget).items():
            for what, name in (("a prefill", "prefill_seconds"), ("a step", "decode_seconds")):
                free, reads, kept = (
                    measured.get(method, {}).get(name) for method in (FREE, READS, EAGER)
                )
                own = (NONE if time is None else f"{1e3 * time:,.1f}" for time in (free, reads))
                apart = ratio(reads, free), ratio(kept, free)
                yield (*place, f"{what}, {shape}", *own, *apart)


def _at(rows: Sequence[Row], tokens: int, budget: int) -> dict[str, dict[str, Row]]:
    """Whole forwards of a length, by model and then by method."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        near = abs(row["tokens"] - tokens) <= NEAR * tokens and row["budget"] == budget
        if row.get("part") in ("forward", "shape") and near and row.get("scale", 1) == 1:
            found.setdefault(row["shape"], {})[row["method"]] = row
    return found


def memory(rows: Sequence[Row]) -> Iterator[tuple[object, ...]]:
    """Lines of the paper's gigabytes and ratio, the memory model's and the measured ones."""
    for tokens, budget in lengths():
        place, theirs = (f"{tokens:,}", budget), papers("memory", tokens, budget)
        yield (*place, "the paper, TA and TOVA", *(f.shown for f in theirs), *_apart(theirs))
        for name, free, kept in _weighed(rows, tokens, budget):
            saved = f"{100 * (1 - free / kept):.0f}"
            yield (*place, name, _size(free), _size(kept), ratio(kept, free), saved)
    fast, full = both = _variants()
    name = f"the paper's {fast.table}, TA-Fast and Full-TA"
    yield (NONE, "16 to 64", name, fast.shown, full.shown, *_apart(both))


def _variants() -> tuple[Figure, Figure]:
    """The paper's memory of TA-Fast and of Full-TA."""
    return tuple(figure("scaling", "memory of a variant", method=m) for m in (FREE, FULL_TA))  # type: ignore[return-value]


def ratios(rows: Sequence[Row], shape: str) -> str:
    """The ratios of memory in words, for a judgement; empty without the memory model of a shape."""
    said = []
    for tokens, budget in lengths():
        theirs = _apart(papers("memory", tokens, budget))[0]
        for row in rows:
            own = (row["tokens"], row["budget"], row["shape"]) == (tokens, budget, shape)
            if row.get("part") == "model" and own:
                between = ratio(row["keeps_attention"], row["attention_free"])
                said.append(f"{between} at {tokens:,} tokens (the paper {theirs})")
    if not said:
        return ""
    return (
        "attention kept takes, as a multiple of an attention-free prefill's memory and by the "
        f"memory model of {shape}, {', '.join(said)}"
    )


def _apart(both: Sequence[Figure]) -> tuple[str, str]:
    free, kept = both
    bound = ">" if kept.words.startswith(">") else ""
    saved = f"{bound}{100 * (1 - free.value / kept.value):.0f}"
    return bound + ratio(kept.value, free.value), saved


def _weighed(rows: Sequence[Row], tokens: int, budget: int) -> Iterator[tuple[str, float, float]]:
    """Bytes of a length, attention-free and with attention kept, and whose they are."""
    for row in rows:
        if row.get("part") == "model" and (row["tokens"], row["budget"]) == (tokens, budget):
            yield f"memory model, {row['shape']}", row["attention_free"], row["keeps_attention"]
    for shape, measured in _at(rows, tokens, budget).items():
        free, kept = measured.get(FREE), measured.get(EAGER)
        if free is not None and kept is not None:
            ran = "peak_bytes" in kept
            name = f"measured, {shape}" + ("" if ran else " (attention kept: formula)")
            yield name, free["peak_bytes"], kept["peak_bytes" if ran else "formula_bytes"]


def saving() -> Row:
    """What the paper says is saved against its own gigabytes, and the prompt that would do it."""
    fast, full = _variants()
    weights = LLAMA_1B.attentions(1)  # of one token; they grow with the square
    return {
        "table": fast.table,
        "fast": fast.shown,
        "full": full.shown,
        "share": 100 * (1 - fast.value / full.value),
        "said": figure("scaling", "memory saved"),
        "tokens": isqrt(round((full.value - fast.value) * GIGABYTE / weights)),
    }


SMALL = "Llama-3.2-1B"  # the shape that the paper's memory is of


def render(record: Record) -> str:
    """Memory model, measured forwards, needle cells."""
    rows = record["rows"]
    own = [row for row in rows if row.get("part") in ("model", "forward", "shape")]
    compared = (list(memory(own)), list(latency(own))) if own else ((), ())
    text = section(
        "scaling", record, size=_size, lengths=lengths(), papers=papers, saved=saving(),
        papers_memory=_papers_memory, all_layers=_of_all_layers,
        memory=compared[0], latency=compared[1],
    )  # fmt: skip
    cells = [row for row in rows if "part" not in row]
    told = answers({**record, "experiment": "scaling", "rows": cells}) if cells else NO_FIGURE
    said = "" if is_quick(record) else ratios(own, SMALL)
    told = f"{told.removesuffix('.')}; {said}." if said else told
    return f"{text}\n\n{told}" if text else told


def _papers_memory(row: Row) -> str:
    """The paper's row of this length, or what it says of 8K to 24K."""
    if (row["tokens"], row["budget"]) in lengths():
        free, reads = papers("memory", row["tokens"], row["budget"])
        lost = papers("latency", row["tokens"], row["budget"])[1].words
        return f"TA {free.shown}, TOVA {reads.shown}" + (f" ({lost})" if lost else "")
    least, most, full = (
        figure("scaling", f"{which} memory, 8K to 24K", method=method).shown
        for which, method in (("least", FREE), ("most", FREE), ("most", FULL_TA))
    )
    return f"TA {least} to {most}, Full-TA {full}"


def _of_all_layers(row: Row, seconds: float) -> float:
    """What layers take is scaled; the logits are computed once, whatever the layers."""
    once = row.get("head_seconds", 0.0)
    return float(once + row.get("scale", 1) * (seconds - once))


def _size(size: float) -> str:
    """Bytes in GB of 1e9, small ones in MB."""
    return f"{size / GIGABYTE:.2f}" if size >= GIGABYTE / 10 else f"{size / 1e6:.1f} MB"


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
    found = []
    for tokens, budget in lengths:
        if tokens > longest:
            continue
        cases = task_cases(context, "needle", tokens=min(tokens, longest - ROOM))
        budgets = context.pick((budget,), (budget,), BUDGETS)
        controls = arms(context.pick((), CONTROLS, CONTROLS), budgets)
        chosen = (FULL, *as_printed(METHODS[:1], budgets), *arms(("ta", *METHODS[1:]), budgets))
        found.append(Block(f"{tokens}", cases, trials, (*chosen, *controls)))
    return found


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
    own = replace(shape, layers=layers)
    return _forwards(context, key, partial(one_at_a_time, own), own, tokens)


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
