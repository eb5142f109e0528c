"""``scaling`` beside the paper's latency and memory (Tables 4 and 8, sections 3.4 and 4.7).

The paper's milliseconds and gigabytes are of its model and its machine: what is compared is the
ratio between a method that is free of attention and one that reads or keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isqrt

from .experiment import Row
from .jobs import markdown
from .memory_model import GIGABYTE, LLAMA_1B
from .paper import Figure, figure, figures

FREE, READS, FULL_TA = "ta-fast-semantic", "tova", "ta-full"
EAGER = "eager, attention kept"
NEAR = 0.02  # a prompt is as long as the paper's where its tokens differ by less
NONE = "–"
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
