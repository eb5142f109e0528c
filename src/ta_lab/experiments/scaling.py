"""Table 4 and section 4.7: accuracy, latency and memory from 4K to 24K tokens.

Parts of a record: ``model``, the memory model of the paper's shapes; ``forward``, time and bytes on
the model that is loaded; ``shape`` (full size), the same with random weights in the shape of
Llama-3.2-1B; ``beyond``, answers where the trained positions end, with compact positions; and
cells of needle cases for the lengths that the model can read whole. The paper's milliseconds and
gigabytes are of its model and machine: what is compared is the ratio between a method that is free
of attention and one that reads or keeps it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from math import isqrt
from typing import Any

import torch

from transactional_attention.config import Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.selection.slots import PADDING

from ..cases.decoding import forward, greedy
from ..cases.encoding import EncodedCase, encode_case
from ..cases.metrics import judge
from ..cases.sweep import counts
from .comparing import NO_FIGURE
from .experiment import Context, Experiment, Record, Row
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
from .paper import Figure, figure, figures, figures_for
from .plan import CONTROLS, FULL, Block, arms, as_printed, middle_needle, task_cases
from .rendering import NONE
from .rendering import render as answers
from .running import Cost, Job, cost_of, is_quick, markdown, run_parts

FREE, READS, FULL_TA = "ta-fast-semantic", "tova", "ta-full"
EAGER = "eager, attention kept"
NEAR = 0.02  # a prompt is as long as the paper's where its tokens differ by less
Size = Callable[[float], str]


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


# time


def latency(rows: Sequence[Row]) -> str:
    """The paper's milliseconds and ratio, and ours of a prefill and of a step."""
    head = ("tokens", "K", "of", "TA-Fast, ms", "TOVA, ms", "TOVA / TA-Fast",
            "attention kept / TA-Fast")  # fmt: skip
    lines = []
    for tokens, budget in lengths():
        theirs = papers("latency", tokens, budget)
        between = ratio(theirs[1].value, theirs[0].value)
        place = (f"{tokens:,}", budget)
        lines.append((*place, "the paper, unstated of what", *(f.shown for f in theirs), between,
                      NONE))  # fmt: skip
        lines += [(*place, *line) for line in _timed(rows, tokens, budget)]
    note = (
        "Latency beside the paper's Table 4, whose milliseconds are of its model and its machine: "
        "compare the ratios alone. TOVA runs fused here; `attention kept` is an eager prefill "
        "that keeps the weights of all layers, as the paper's TOVA."
    )
    return f"{note}\n\n{markdown(head, lines)}"


def _timed(rows: Sequence[Row], tokens: int, budget: int) -> Iterable[tuple[str, ...]]:
    for shape, measured in _at(rows, tokens, budget).items():
        for what, name in (("a prefill", "prefill_seconds"), ("a step", "decode_seconds")):
            times = {method: row.get(name) for method, row in measured.items()}
            free, reads, kept = (times.get(method) for method in (FREE, READS, EAGER))
            own = (NONE if time is None else f"{1e3 * time:,.1f}" for time in (free, reads))
            yield (f"{what}, {shape}", *own, ratio(reads, free), ratio(kept, free))


def _at(rows: Sequence[Row], tokens: int, budget: int) -> dict[str, dict[str, Row]]:
    """Whole forwards of a length, by model and then by method."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        near = abs(row["tokens"] - tokens) <= NEAR * tokens and row["budget"] == budget
        if row.get("part") in ("forward", "shape") and near and row.get("scale", 1) == 1:
            found.setdefault(row["shape"], {})[row["method"]] = row
    return found


# memory


def memory(rows: Sequence[Row], size: Size) -> str:
    """The paper's gigabytes and ratio, the memory model's and the measured ones."""
    head = ("tokens", "K", "of", "attention-free, GB", "attention kept, GB", "kept / free",
            "saved, %")  # fmt: skip
    lines: list[tuple[object, ...]] = []
    for tokens, budget in lengths():
        theirs = papers("memory", tokens, budget)
        place = (f"{tokens:,}", budget)
        lines.append(
            (*place, "the paper, TA and TOVA", *(f.shown for f in theirs), *_apart(theirs))
        )
        lines += [(*place, *line) for line in _weighed(rows, tokens, budget, size)]
    fast, full = (figure("scaling", "memory of a variant", method=m) for m in (FREE, FULL_TA))
    lines.append((NONE, "16 to 64", f"the paper's {fast.table}, TA-Fast and Full-TA", fast.shown,
                  full.shown, *_apart((fast, full))))  # fmt: skip
    note = (
        "Memory beside the paper's, whose gigabytes are of its model and its machine: compare the "
        "ratios. The memory model counts weights; measured is the peak beside them, `formula` "
        "where attention kept would not fit:"
    )
    return f"{note}\n\n{markdown(head, lines)}\n\n{_saved(fast, full)}"


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


def _weighed(
    rows: Sequence[Row], tokens: int, budget: int, size: Size
) -> Iterable[tuple[str, ...]]:
    for row in rows:
        if row.get("part") == "model" and (row["tokens"], row["budget"]) == (tokens, budget):
            yield _line(f"memory model, {row['shape']}", row["attention_free"],
                        row["keeps_attention"], size)  # fmt: skip
    for shape, measured in _at(rows, tokens, budget).items():
        free, kept = measured.get(FREE), measured.get(EAGER)
        if free is not None and kept is not None:
            ran = "peak_bytes" in kept
            name = f"measured, {shape}" + ("" if ran else " (attention kept: formula)")
            yield _line(name, free["peak_bytes"], kept["peak_bytes" if ran else "formula_bytes"],
                        size)  # fmt: skip


def _line(name: str, free: float, kept: float, size: Size) -> tuple[str, ...]:
    return name, size(free), size(kept), ratio(kept, free), f"{100 * (1 - free / kept):.0f}"


def _saved(fast: Figure, full: Figure) -> str:
    """What the paper says is saved against its own gigabytes, and the prompt that would do it."""
    said = figure("scaling", "memory saved")
    saved = 100 * (1 - fast.value / full.value)
    weights = LLAMA_1B.attentions(1)  # of one token; they grow with the square
    tokens = isqrt(round((full.value - fast.value) * GIGABYTE / weights))
    return (
        f"{fast.table} names no length of its context. Its {fast.shown} of {full.shown} GB are "
        f"{saved:.0f}% less, and the text prints {said.shown}% ({said.table}). The difference is "
        f"what the attention weights of {tokens:,} tokens take in that shape: the share that is "
        "saved is one of the length, not of the method."
    )


TITLES = {"forward": "the model at hand", "shape": "random weights in the shape of Llama-3.2-1B"}
SMALL = "Llama-3.2-1B"  # the shape that the paper's memory is of


def render(record: Record) -> str:
    """Memory model, measured forwards, answers beyond the trained positions, needle cells."""
    rows = record["rows"]
    parts = [_model([r for r in rows if r.get("part") == "model"])]
    parts += [_forwards_table(rows, part) for part in ("forward", "shape")]
    own = [row for row in rows if row.get("part") in ("model", "forward", "shape")]
    parts += [memory(own, _size), latency(own)] if own else []
    parts.append(_beyond_table([r for r in rows if r.get("part") == "beyond"]))
    cells = [row for row in rows if "part" not in row]
    told = answers({**record, "experiment": "scaling", "rows": cells}) if cells else NO_FIGURE
    compared = "" if is_quick(record) else ratios(own, SMALL)
    parts.append(f"{told.removesuffix('.')}; {compared}." if compared else told)
    return "\n\n".join(part for part in parts if part)


def _model(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    head = ("shape", "tokens", "K", "weights", "keys and values, all", "at K", "attention kept",
            "least, attention-free", "least, attention kept", "the paper, GB")  # fmt: skip
    lines = []
    for row in rows:
        b = row["bytes"]
        sizes = (b["weights"], b["kv_full"], b["kv_budget"], b["attentions"])
        shown = [_size(size) for size in (*sizes, row["attention_free"], row["keeps_attention"])]
        paper = _papers_memory(row) if row["shape"] == SMALL else NONE
        lines.append([row["shape"], f"{row['tokens']:,}", row["budget"], *shown, paper])
    note = "Memory model, GB of 1e9 bytes, 16-bit numbers, one row:"
    below = [_weights_note(rows), _logits_note(rows)]
    return "\n\n".join([note, markdown(head, lines), *filter(None, below)])


def _papers_memory(row: Row) -> str:
    """The paper's row of this length, or what it says of 8K to 24K."""
    if (row["tokens"], row["budget"]) in lengths():
        free, reads = papers("memory", row["tokens"], row["budget"])
        lost = papers("latency", row["tokens"], row["budget"])[1].words
        return f"TA {free.shown}, TOVA {reads.shown}" + (f" ({lost})" if lost else "")
    least, most = (_longer(FREE, which).shown for which in ("least", "most"))
    return f"TA {least} to {most}, Full-TA {_longer(FULL_TA, 'most').shown}"


def _longer(method: str, which: str) -> Figure:
    return figure("scaling", f"{which} memory, 8K to 24K", method=method)


def _weights_note(rows: Sequence[Row]) -> str:
    """What of the paper's table cannot be: derived from the weights alone."""
    (tokens, budget), *_ = lengths()
    found = _llama(rows, tokens)
    if found is None:
        return ""
    weights = found["bytes"]["weights"] / GIGABYTE
    theirs = papers("memory", tokens, budget)
    below = weights > max(one.value for one in theirs)
    return (
        f"The weights alone take {weights:.2f} GB in 16 bits: the paper's "
        f"{' and '.join(one.shown for one in theirs)} GB at {tokens:,} tokens are "
        f"{'below' if below else 'not all below'} that, so they count something else."
    )


def _logits_note(rows: Sequence[Row]) -> str:
    *_, (tokens, budget) = lengths()
    found = _llama(rows, tokens)
    if found is None:
        return ""
    logits = found["bytes"]["all_logits_float32"] / GIGABYTE
    total = logits + found["attention_free"] / GIGABYTE
    stated = papers("memory", tokens, budget)[0].shown
    return (
        f"Logits of all {tokens:,} tokens in float32 take {logits:.2f} GB, {total:.2f} GB with "
        f"what an attention-free prefill holds: the paper's {stated} GB would be mostly logits "
        "that nobody reads, if it computes them all."
    )


def _llama(rows: Sequence[Row], tokens: int) -> Row | None:
    """The memory model of the paper's small model at a length."""
    own = (row for row in rows if row["shape"] == SMALL and row["tokens"] == tokens)
    return next(own, None)


def _forwards_table(rows: Sequence[Row], part: str) -> str:
    chosen = [row for row in rows if row.get("part") == part]
    if not chosen:
        return ""
    head = ("model", "tokens", "K", "method", "prefill, s", "decode, ms", "peak beside weights, GB",
            "held after, GB", "formula, GB")  # fmt: skip
    lines = []
    for row in chosen:
        place = [row["shape"], f"{row['tokens']:,}", row["budget"], row["method"]]
        lines.append([*place, *_measured(row)])
    title = (
        f"Measured, {TITLES[part]}: bytes of live tensors. Rows scaled from fewer layers say so, "
        "with the logits counted once; what is held and the formula are of all layers. Methods "
        "that read attention run fused here and note only what they read, so none of them needs "
        "the weights of all layers kept, as the eager row does:"
    )
    return f"{title}\n\n{markdown(head, lines)}"


def _measured(row: Row) -> list[str]:
    scale = row.get("scale", 1)
    formula = _size(scale * row["formula_bytes"]) if "formula_bytes" in row else "–"
    if "not_run" in row:
        return [f"not run: {row['not_run']}", "–", "–", "–", formula]
    note = f" ({scale} x that of {row['layers']} layers)" if scale > 1 else ""
    decode = row.get("decode_seconds")
    return [
        f"{_of_all_layers(row, row['prefill_seconds']):.2f}{note}",
        "–" if decode is None else f"{1e3 * _of_all_layers(row, decode):.1f}{note}",
        _size(row["peak_bytes"]) + (f" ({row['layers']} layers)" if scale > 1 else ""),
        _size(scale * row["held_bytes"]),
        formula,
    ]


def _of_all_layers(row: Row, seconds: float) -> float:
    """What layers take is scaled; the logits are computed once, whatever the layers."""
    once = row.get("head_seconds", 0.0)
    return float(once + row.get("scale", 1) * (seconds - once))


def _beyond_table(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    head = ("tokens", "K", "method", "n", "kept whole, %", "answered, %", "the paper, %")
    known = figures_for("scaling")
    lines = []
    for row in rows:
        if "out_of_range" in row:
            told = f"out of range: trained for {row['out_of_range']:,}"
            lines.append([f"{row['tokens']:,}", NONE, "full cache", NONE, NONE, told, NONE])
            continue
        place = {"block": f"{row['tokens']}", "sponsored": True}
        paper = ", ".join(one.shown for one in known if one.about(row | place)) or NONE
        low, high = (100 * bound for bound in row["ci95"])
        answered = f"{100 * row['accuracy']:.0f} [{low:.0f}, {high:.0f}]"
        kept = f"{100 * row['retained'] / row['trials']:.0f}"
        lines.append([f"{row['tokens']:,}", row["budget"], row["method"], row["trials"], kept,
                      answered, paper])  # fmt: skip
    title = "Beyond the trained positions, compact, in chunks:"
    return f"{title}\n\n{markdown(head, lines)}"


def _size(size: float) -> str:
    """Bytes in GB of 1e9, small ones in MB."""
    return f"{size / GIGABYTE:.2f}" if size >= GIGABYTE / 10 else f"{size / 1e6:.1f} MB"


LENGTHS = ((4096, 16), (7168, 32), (8192, 64), (16_384, 64), (24_576, 64))
BUDGETS = (16, 32, 64)
METHODS = ("ta-fast-semantic", "streaming-llm", "tova", "ta-full")
BEYOND = (*[("ta", "ta-fast-semantic", "streaming-llm")] * 2, ("ta", *METHODS))
"""Methods past the trained positions, by size."""
LIMIT = 8e9  # bytes that eager attention may take here; above it the memory model speaks alone
ROOM = 64  # positions for the answer
CHUNK = 512
WHOLE_LAYERS = 8192  # longer prompts of the 1B shape run on two of its layers
NEW_TOKENS = 16


def lengths_of(context: Context) -> tuple[tuple[tuple[int, int], ...], int]:
    """Tokens and K that are run, and the positions that the model was trained for."""
    longest = context.loaded[0].config.get_text_config(decoder=True).max_position_embeddings
    return context.pick(((1024, 16), (2048, 32)), LENGTHS, LENGTHS), longest


def cost(context: Context) -> Cost:
    """Cells, answers beyond the trained positions, and forwards that are timed or weighed."""
    lengths, longest = lengths_of(context)
    past = [_past(context, tokens, k) for tokens, k in lengths if tokens > longest]
    beyond = sum(map(len, past))
    asked = (beyond - len(past)) * trials_beyond(context)
    timed = (len(METHODS) + 1) * sum(tokens <= longest for tokens, _ in lengths)
    shapes = (len(METHODS) + 1) * len(LENGTHS) * (context.size == "full")
    found = cost_of(_blocks(context, lengths, longest))
    return found.plus(Cost(beyond, asked, asked, others=timed + shapes))


def budgets_of(context: Context, budget: int) -> tuple[int, ...]:
    """The K of a length: the paper's own, all of them in a full run."""
    return context.pick((budget,), (budget,), BUDGETS)


def trials_beyond(context: Context) -> int:
    """Contexts of a cell beyond the trained positions."""
    return int(context.trials or context.pick(1, 5, 20))


def run(context: Context) -> Record:
    """Rows of every part; cells that ``context.rows`` holds are not run again."""
    model, tokenizer = context.loaded
    lengths, longest = lengths_of(context)
    jobs = [_explained(name, tokens, k) for name in SHAPES for tokens, k in LENGTHS]
    for tokens, budget in lengths:
        if tokens <= longest:
            size = min(tokens, longest - ROOM)
            ids = _ids(context, size)
            jobs += _forwards("forward", context.model, model, tokenizer, ids, budget)
        else:
            jobs += _past(context, tokens, budget)
    if context.size == "full":
        jobs += [job for tokens, k in LENGTHS for job in shape_jobs(context, tokens, k, LLAMA_1B)]
    return {"rows": run_parts(context, jobs, _blocks(context, lengths, longest))}


def _explained(name: str, tokens: int, budget: int) -> Job:
    row = explain(name, tokens, budget)
    return Job({key: row[key] for key in ("part", "shape", "tokens", "budget")}, lambda: row)


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
        budgets = budgets_of(context, budget)
        controls = arms(context.pick((), CONTROLS, CONTROLS), budgets)
        chosen = (FULL, *as_printed(METHODS[:1], budgets), *arms(("ta", *METHODS[1:]), budgets))
        found.append(Block(f"{tokens}", cases, trials, (*chosen, *controls)))
    return found


# time and bytes


def _forwards(
    part: str, name: str, model: Any, tokenizer: Any, ids: list[int], budget: int
) -> list[Job]:
    """A job a method, and one for eager attention, on the same prompt."""
    key = {"part": part, "shape": name, "tokens": len(ids), "budget": budget}
    shape = shape_of_model(model)

    def free(method: str) -> Job:
        retention = Retention(budget, method)
        run = partial(managed, model, tokenizer, ids, retention)
        return Job({**key, "method": method}, run, timed=True)

    jobs = [free(method) for method in METHODS]
    return [*jobs, Job({**key, "method": EAGER}, partial(eager, model, shape, ids), timed=True)]


def eager(model: Any, shape: ModelShape, ids: list[int], limit: float = LIMIT) -> Row:
    """Eager attention measured beside its formula, or the formula alone where it would not fit."""
    expected = held(shape, len(ids), None, keeps_attention=True) - shape.weights
    row: Row = {"formula_bytes": expected}
    if expected + shape.one_layer_eager(len(ids)) > limit:
        return {**row, "not_run": f"needs more than {limit / 1e9:.0f} GB"}
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

    own = shape.of_layers(layers)

    def measured(method: str) -> Row:
        tokenizer = context.loaded[1]
        ids = _ids(context, tokens)
        model = one_at_a_time(own)
        head = {"head_seconds": head_seconds(model)} if own.layers < shape.layers else {}
        if method == EAGER:
            return head | eager(model, own, ids)
        return head | managed(model, tokenizer, ids, Retention(budget, method))

    def job(method: str) -> Job:
        return Job({**key, "method": method}, lambda: measured(method), timed=True)

    return [job(method) for method in (*METHODS, EAGER)]


# beyond the trained positions


def _past(context: Context, tokens: int, budget: int) -> list[Job]:
    """Every method at the least and the largest K, and the full cache, which is out of range."""
    key = {"part": "beyond", "method": "full", "tokens": tokens, "budget": None}
    full = Job(key, lambda: {"out_of_range": lengths_of(context)[1]})
    chosen = [
        _beyond(context, method, tokens, k)
        for k in dict.fromkeys((*budgets_of(context, budget)[:1], budget))
        for method in context.pick(*BEYOND)
    ]
    return [full, *chosen]


def _beyond(context: Context, method: str, tokens: int, budget: int) -> Job:
    trials = trials_beyond(context)
    key = {"part": "beyond", "method": method, "tokens": tokens, "budget": budget}

    def measured() -> Row:
        model, tokenizer = context.loaded
        retention = Retention(budget, method, positions="compact", seed=context.seed)
        right = kept = 0
        cases = task_cases(context, "needle", tokens=tokens)
        for trial in range(trials):
            encoded = encode_case(tokenizer, cases(tokenizer, trial)[0])
            held_whole, correct = streamed(model, tokenizer, encoded, retention)
            right, kept = right + correct, kept + held_whole
        return counts(trials=trials, correct=right, retained=kept)

    return Job({**key, "trials": trials}, measured)


def streamed(
    model: Any, tokenizer: Any, encoded: EncodedCase, retention: Retention, chunk: int = CHUNK
) -> tuple[bool, bool]:
    """Whether the values were held whole when the question came, and whether it was answered.

    The context is read in chunks, cut after each: no forward sees more than K + ``chunk`` tokens.
    """
    cache = RetentionCache(model, tokenizer, retention)
    prefill(model, torch.tensor([encoded.ids]), cache, chunk=chunk, keep_last=False)
    lanes = [set(lane.tolist()) - {PADDING} for table in cache.flow.tables.values()
             for lane in table.positions]  # fmt: skip
    whole = all(set(range(v.start, v.end)) <= lane for v in encoded.values for lane in lanes)
    logits = forward(model, cache, encoded.question)
    ids, ended = greedy(model, cache, logits, NEW_TOKENS)
    text = tokenizer.decode(ids, skip_special_tokens=True)
    return whole, judge(text, encoded.answers, ended).correct


EXPERIMENT = Experiment(
    "scaling",
    "Table 4, section 4.7",
    "4K to 24K tokens: accuracy, time and memory",
    run,
    render,
    cost,
)
