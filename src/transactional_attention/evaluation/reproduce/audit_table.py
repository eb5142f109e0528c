"""``audit`` in Markdown: placements, coverage beside the paper's partition, ranks, definitions."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from .experiment import Record, Row
from .jobs import markdown
from .rendering import render as cells_of
from .rendering import share
from .verdicts import NO_FIGURE
from .views import method_name

PARTITION = {  # the paper's table: sinks, window, protected
    "tova": "4, 12, 0",
    "streaming-llm": "4, 12, 0",
    "ta-fast-semantic": "4, 6, 6",
    "ta-fast-regex": "4, 6, 6",
}
NEEDLE_IN_WINDOW = {  # the paper's sanity check: retention, generation
    (f"depth {depth}", method): figures
    for depth, tova, fast in ((0.5, (0, 0), (100, 100)), (0.997, (100, 60), (100, 90)))
    for method, figures in (
        ("tova", tova),
        ("ta-fast-regex", fast),
        ("ta-fast-semantic", fast),
    )
}
PAPER_RANK = "3,847th of 4,000 (H2O, at query time; layer, trials and model unstated)"


def render(record: Record) -> str:
    """Every part of the audit, those that a record lacks left out."""
    rows = record["rows"]
    parts = [_coverage([row for row in rows if row.get("part") == "coverage"])]
    parts += [_ranks(row) for row in rows if row.get("part") == "rank"]
    parts.append(_definitions([row for row in rows if row.get("part") == "definitions"]))
    cells = [row for row in rows if "part" not in row]
    if not cells:
        parts.append(NO_FIGURE)
    else:
        parts += [_apart(cells), cells_of({**record, "experiment": "audit", "rows": cells})]
    return "\n\n".join(part for part in parts if part)


def _apart(rows: Sequence[Row]) -> str:
    """The needle in and outside the window: kept and answered, each beside the paper's figure."""
    head = ("method", "context", "question", "n", "kept, %", "paper", "answered, %", "paper")
    lines = []
    for row in rows:
        paper = NEEDLE_IN_WINDOW.get((row["block"], row["method"]))
        if paper is None or "refused" in row:
            continue
        shares = [share(row[name], row["trials"]) for name in ("retained", "correct")]
        place = (row["block"], row["protocol"], row["trials"])
        lines.append([method_name(row), *place, shares[0], paper[0], shares[1], paper[1]])
    if not lines:
        return ""
    note = "Retention and generation apart, K=16; the paper's n is 10, its model unstated:"
    return f"{note}\n\n{markdown(head, lines)}"


def _coverage(rows: Sequence[Row]) -> str:
    head = ("context", "method", "kept", "sinks", "window", "of the value", "the paper's partition")
    lines = []
    for row in rows:
        place = f"{row['name']}, value at {row['value'][0]:,} of {row['tokens']:,}"
        for kept in row["kept"]:
            printed = ", as printed" if kept["preset"] == "paper" else ""
            printed += ", audit's partition" if kept["partition"] == "audit" else ""
            value = f"{kept['value']} of {kept['of_value']}"
            numbers = (kept["kept"], kept["sinks"], kept["window"], value)
            paper = PARTITION.get(kept["method"], "–")
            lines.append([place, kept["method"] + printed, *numbers, paper])
    if not lines:
        return ""
    note = (
        "Budget partition of one context, in the layer and head that keeps least of the value; the "
        "paper's column is sinks, window, protected:"
    )
    return f"{note}\n\n{markdown(head, lines)}"


def _ranks(row: Row) -> str:
    head = ("layer", "before the question", "after it", "of", "by chance")
    lines = [
        [
            layer["layer"],
            *(
                f"{layer[k]['median']:,.0f} (worst {layer[k]['worst']:,})"
                for k in ("before", "after")
            ),
            f"{layer['positions']:,.0f}",
            f"{layer['chance']:,.0f}",
        ]
        for layer in row["layers"]
    ]
    dormant = sum(layer["before"]["median"] > layer["chance"] for layer in row["layers"])
    return (
        f"Rank of the value's tokens by cumulative attention, 1 has received most, median of "
        f"{row['trials']} contexts; the paper: {PAPER_RANK}.\n\n{markdown(head, lines)}\n\n"
        f"Below the median of all tokens before the question in {dormant} of {len(lines)} layers."
    )


def _definitions(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    layers = range(len(rows[0]["epsilon"]))
    lines = [
        [
            layer,
            f"{max(row['epsilon'][layer] for row in rows):.3g}",
            f"{100 * statistics.median(row['below'][layer] for row in rows):.0f}",
        ]
        for layer in layers
    ]
    head = ("layer", "least epsilon", "tokens dormant at it, % (median)")
    delta = statistics.fmean(row["delta"] for row in rows)
    lone = [max(row["delta_tokens"]) for row in rows]
    full = statistics.fmean(row["probability"] for row in rows)
    return (
        f"The two definitions, {len(rows)} contexts; the paper gives neither threshold. "
        "Dormant, the least epsilon that covers every token of the value when the question "
        f"comes:\n\n{markdown(head, lines)}\n\n"
        f"Critical: the answer has probability {full:.3f} in the whole context; without the value "
        f"it loses {delta:.3f} (delta), without the one token that matters most "
        f"{statistics.fmean(lone):.3f}."
    )
