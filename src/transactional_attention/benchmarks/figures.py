"""Figures of records: ``python -m transactional_attention.benchmarks.figures FOLDER OUT``.

``FOLDER`` holds ``bench-NAME.json``; what it lacks is not drawn. Needs matplotlib (extra
``report``). No model is loaded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..evaluation.figures import COLOURS

Row = dict[str, Any]
PLAIN = ("#8a8a8a", "#b9b9b9", "#4a6fa5", "#7d5ba6", "#e59866")


def memory_figure(rows: Iterable[Row], out: Path) -> None:
    """Peak bytes of keys and values against length, both on a log scale; dashes are computed.

    Raises:
        InputError: without matplotlib, or without rows.
    """
    lines: dict[str, list[Row]] = {}
    for row in rows:
        lines.setdefault(_title(row), []).append(row)
    axes, figure = _axes(bool(lines))
    for order, (name, own) in enumerate(sorted(lines.items())):
        own = sorted(own, key=lambda row: row["tokens"])
        colour = _colour(own[0]["name"], order)
        points = [(row["tokens"], row["kv_peak_bytes"]) for row in own]
        axes.plot(*zip(*points, strict=True), "--", color=colour, linewidth=1)
        solid = [(row["tokens"], row["kv_peak_bytes"]) for row in own if row.get("measured", True)]
        if solid:
            axes.plot(*zip(*solid, strict=True), "-o", color=colour, markersize=4, label=name)
    _dress(axes, "tokens read", "peak bytes of keys and values")
    _save(figure, out)


def decode_figure(rows: Iterable[Row], budget: int, out: Path) -> None:
    """Milliseconds of a decode step against n for one K, both on a log scale, with ranges."""
    lines: dict[str, list[Row]] = {}
    for row in rows:
        if row["budget"] == budget:
            lines.setdefault(_arm(row["name"]), []).append(row)
    axes, figure = _axes(bool(lines))
    for order, (name, own) in enumerate(lines.items()):
        own = sorted(own, key=lambda row: row["tokens"])
        low = [row["median_ms"] - row["range_ms"][0] for row in own]
        high = [row["range_ms"][1] - row["median_ms"] for row in own]
        axes.errorbar(
            [row["tokens"] for row in own],
            [row["median_ms"] for row in own],
            yerr=[low, high],
            marker="o",
            markersize=4,
            capsize=3,
            color=_colour(name, order),
            label=name,
        )
    _dress(axes, "tokens before the step", "ms a step")
    axes.set_title(f"K = {budget}", fontsize=9)
    _save(figure, out)


def _title(row: Row) -> str:
    return str(row["name"]) + ("" if row.get("budget") is None else f", K = {row['budget']}")


def _arm(name: str) -> str:
    """An arm's name without the number of its tokens, which is the axis."""
    head, _, tail = name.partition(", ")
    return f"{head} of n tokens" if tail.endswith("random tokens") and head[0].isupper() else head


def _colour(name: str, order: int) -> str:
    return COLOURS.get(name, PLAIN[order % len(PLAIN)])


def _axes(found: bool) -> tuple[Any, Any]:
    if not found:
        raise InputError("the records hold no rows for this figure")
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (an extra)
    except ImportError:
        raise InputError("figures need matplotlib: install the extra `report`") from None
    plt.rcParams["svg.fonttype"] = "none"
    plt.rcParams["svg.hashsalt"] = "transactional-attention"
    figure, axes = plt.subplots(figsize=(7, 3.4))
    return axes, figure


def _dress(axes: Any, across: str, up: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)


def _save(figure: Any, out: Path) -> None:
    import matplotlib.pyplot as plt  # noqa: PLC0415  (an extra)

    figure.savefig(out, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def draw(folder: Path, out: Path) -> list[Path]:
    """Every figure whose records a folder holds, the files in ``out``."""
    found = {path.stem: json.loads(path.read_text()) for path in folder.glob("bench-*.json")}
    drawn = []
    memory = [*_rows(found, "bench-memory"), *_marks(_rows(found, "bench-stream"))]
    if memory:
        drawn.append(out / "memory.svg")
        memory_figure(memory, drawn[-1])
    steps = _rows(found, "bench-decode")
    if steps:
        budgets = sorted({row["budget"] for row in steps})
        drawn.append(out / "decode.svg")
        decode_figure(steps, budgets[len(budgets) // 2], drawn[-1])
    return drawn


def _rows(found: dict[str, Any], name: str) -> list[Row]:
    return found[name]["rows"] if name in found else []


def _marks(rows: Iterable[Row]) -> list[Row]:
    """The long reading's last mark at every doubling, beside what ``memory`` measured."""
    chosen = []
    for row in rows:
        named = {"name": row["name"], "budget": row["budget"]}
        last = 0
        for mark in row["marks"]:
            if mark["tokens"] >= 2 * last:
                last = mark["tokens"]
                chosen.append({**named, **mark})
    return chosen


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1]), Path(sys.argv[2])):
        print(path)
