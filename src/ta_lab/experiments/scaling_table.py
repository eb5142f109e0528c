"""``scaling`` in Markdown: the memory model beside the paper's rows, time and bytes, answers."""

from __future__ import annotations

from collections.abc import Sequence

from .experiment import Record, Row
from .jobs import is_quick, markdown
from .memory_model import GIGABYTE
from .paper import Figure, figure, figures_for
from .rendering import NONE
from .rendering import render as answers
from .scaling_paper import FREE, FULL_TA, latency, lengths, memory, papers, ratios
from .verdicts import NO_FIGURE

TITLES = {"forward": "the model at hand", "shape": "random weights in the shape of Llama-3.2-1B"}
SMALL = "Llama-3.2-1B"  # the shape that the paper's memory is of


def render(record: Record) -> str:
    """Memory model, measured forwards, answers beyond the trained positions, needle cells."""
    rows = record["rows"]
    parts = [_model([r for r in rows if r.get("part") == "model"])]
    parts += [_forwards(rows, part) for part in ("forward", "shape")]
    own = [row for row in rows if row.get("part") in ("model", "forward", "shape")]
    parts += [memory(own, _size), latency(own)] if own else []
    parts.append(_beyond([r for r in rows if r.get("part") == "beyond"]))
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


def _forwards(rows: Sequence[Row], part: str) -> str:
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


def _beyond(rows: Sequence[Row]) -> str:
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
