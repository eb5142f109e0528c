"""Figures from records alone: ``python -m ta_lab.report.page_figures RECORD OUT``.

Needs matplotlib (extra ``figures``). No model is loaded."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError, install_extra

from ..cases.sweep import over_depths
from .tables import pooled

COLOURS = {
    "full": "#8a8a8a",
    "oracle": "#b9b9b9",
    "ta": "#0b7a3b",
    "ta-fast-semantic": "#3a9d5d",
    "ta-fast-regex": "#9ccc9c",
    "streaming-llm": "#c0392b",
    "random": "#e59866",
    "values alone": "#c77f1a",
    "no labels": "#6a7fc1",
    "no closing tokens": "#8e5ea2",
}


def needle_figure(record: dict[str, Any], out: Path) -> None:
    """Exact answers in % against the budget, one line a method, with 95% intervals. Raises
    InputError without matplotlib, or for a record without rows."""
    answered = record.get("experiment") == "answered"
    rows = pooled(record) if answered else over_depths(record.get("rows") or [])
    if not rows:
        raise InputError("the record holds no rows")
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (an extra)
    except ImportError:
        raise InputError(
            f"figures need matplotlib: {install_extra('figures', of='./lab')}"
        ) from None

    plt.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "transactional-attention"}
    figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    for order, method in enumerate(methods):
        chosen = [row for row in rows if row["method"] == method]
        aside = 2 ** (0.07 * (order - (len(methods) - 1) / 2))  # so that equal lines stay visible
        budgets = [row["budget"] * aside for row in chosen]
        middle = [100 * row["accuracy"] for row in chosen]
        low, high = ([100 * row["ci95"][end] for row in chosen] for end in (0, 1))
        ends = [[m - x for m, x in zip(middle, low)], [x - m for m, x in zip(middle, high)]]
        line = "--" if method in ("full", "oracle") else "-"
        style = {"linestyle": line, "color": COLOURS.get(method), "label": method}
        axes.errorbar(budgets, middle, yerr=ends, markersize=4, capsize=3, marker="o", **style)
    budgets = sorted({row["budget"] for row in rows})
    axes.set_xscale("log", base=2)
    axes.set_xticks(budgets, [str(b) for b in budgets])
    axes.set(ylim=(-4, 104), xlabel="budget K (tokens per layer and kv head)")
    axes.set_ylabel("exact answers, %")
    axes.legend(fontsize=8, frameon=False, loc="center right")
    axes.set_title(_about(record, rows), fontsize=9)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(out, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def _about(record: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    origin = record["provenance"]
    if record.get("experiment") == "answered":
        asked = max(row["trials"] for row in rows)
        return f"{origin['model'].removesuffix('.gguf')}, 4,096 tokens, four forms, n={asked}"
    arguments = origin["arguments"]
    return (
        f"a value stated once in {arguments['context']:,} tokens, "
        f"question {arguments['protocol']}, {arguments['ledger']} ledger"
    )


if __name__ == "__main__":
    needle_figure(json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]))
