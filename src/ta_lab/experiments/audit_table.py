"""``audit`` in Markdown: placements, coverage beside the paper's partition, ranks, definitions."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from .experiment import Record, Row
from .jobs import markdown
from .paper import figure, figures
from .rendering import NONE, share
from .rendering import render as cells_of
from .verdicts import NO_FIGURE
from .views import method_name

PARTS = ("sinks", "window", "protected")


def partition(method: str) -> str:
    """The paper's budget partition of a method, in the order of ``PARTS``; a dash without one."""
    own = [f for f in figures("audit") if f.measure in PARTS and method in f.match["methods"]]
    return ", ".join(figure.shown for figure in own) or NONE


def papers_rank() -> str:
    """Where the paper says that the value ranks, and what it leaves out."""
    rank, ranked = figure("audit", "rank"), figure("audit", "ranked")
    source = f"{rank.name}, {rank.table}; {rank.unstated} unstated"
    return f"{rank.value:,}th of {ranked.value:,} ({source})"


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
        paper = [f for m in ("kept", "answers") for f in figures("audit", m) if f.about(row)]
        if not paper or "refused" in row:
            continue
        shares = [share(row[name], row["trials"]) for name in ("retained", "correct")]
        place = (row["block"], row["protocol"], row["trials"])
        kept, answered = (figure.shown for figure in paper)
        lines.append([method_name(row), *place, shares[0], kept, shares[1], answered])
    if not lines:
        return ""
    source = figures("audit", "kept")[0]
    note = (
        f"Retention and generation apart, K={source.match['budget']}; the paper's n is {source.n}, "
        f"its model {source.model}:"
    )
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
            paper = partition(kept["method"])
            lines.append([place, kept["method"] + printed, *numbers, paper])
    if not lines:
        return ""
    main, protected = (figure("audit", f"{part} slots") for part in ("main", "protected"))
    note = (
        "Budget partition of one context, in the layer and head that keeps least of the value; the "
        f"paper's column is {', '.join(PARTS)} (its appendix; its {main.table} has {main.shown} "
        f"main and {protected.shown} protected slots at the same K):"
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
        f"{row['trials']} contexts; the paper: {papers_rank()}.\n\n{markdown(head, lines)}\n\n"
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
