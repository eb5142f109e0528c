"""Figures with bars: the parts of a prefill by method, the ratios of peers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..report.page_figures import COLOURS
from .overhead import PATH
from .parts import PARTS
from .plotting import PLAIN, Row, by, dress, log_scale, panels, save

OURS = "ours: "
SHADES = ("#0b7a3b", "#9ccc9c", "#4a6fa5", "#b9b9b9")  # of PARTS


def prefill_figure(models: Mapping[str, Sequence[Row]], out: Path) -> None:
    """What retention adds to a prefill: parts stacked, a bar a method, a panel a model.

    Beside a bar: the critical path, and its share of the bare forward.
    """
    cells = _cells(models, "tokens", "budget")
    methods = [_methods(rows) for _, rows in cells]
    figure, found = panels(len(cells), 0.8 + 0.35 * max(map(len, methods), default=0))
    for axes, (title, rows), names in zip(found, cells, methods, strict=True):
        own = {row["name"]: row for row in rows}
        for place, method in enumerate(names):
            _stack(axes, place, method, own)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.margins(x=0.25)
        dress(axes, "ms", title=title)
    handles, parts = found[0].get_legend_handles_labels()
    figure.legend(
        handles, parts, loc="outside lower center", ncols=len(parts), fontsize=8, frameon=False
    )
    save(figure, out)


def peers_figure(models: Mapping[str, Sequence[Row]], out: Path) -> None:
    """Ratios with their range, kvpress's presses beside ours: a panel for prefill and for steps."""
    cells = _cells(models, "tokens", "budget", "what")
    figure, found = panels(len(cells), 3.0)
    for axes, (title, rows) in zip(found, cells, strict=True):
        peer, *others = rows
        for place, row in enumerate(others):
            low, high = row["ratio_range"]
            ours = str(row["name"]).startswith(OURS)
            axes.errorbar(
                [row["ratio"]],
                [place],
                xerr=[[row["ratio"] - low], [high - row["ratio"]]],
                marker="o",
                markersize=4,
                capsize=3,
                color=COLOURS["ta"] if ours else PLAIN[2],
            )
        axes.axvline(1, color=PLAIN[0], linewidth=1, linestyle="--")
        axes.set_yticks(range(len(others)), [row["name"] for row in others])
        axes.invert_yaxis()
        log_scale(axes.xaxis)
        dress(axes, f"time, over that of: {peer['name']}", title=title)
    save(figure, out)


def _cells(models: Mapping[str, Sequence[Row]], *names: str) -> list[tuple[str, list[Row]]]:
    """Title and rows of every panel."""
    found = []
    for model, rows in models.items():
        for (tokens, budget, *what), own in by(rows, *names).items():
            found.append((", ".join([model, f"{tokens:,} tokens, K = {budget}", *what]), own))
    return found


def _methods(rows: Iterable[Row]) -> list[str]:
    named = (str(row["name"]).partition(": ") for row in rows)
    return [method for method, _, part in named if part == PATH]


def _stack(axes: Any, place: int, method: str, rows: Mapping[str, Row]) -> None:
    left = 0.0
    for part, shade in zip(PARTS, SHADES, strict=True):
        width = rows[f"{method}: {part}"]["median_ms"]
        label = None if place else part
        axes.barh(place, width, left=left, height=0.6, color=shade, label=label)
        left += width
    path = rows[f"{method}: {PATH}"]
    said = f" {path['median_ms']:.2f} ms, {100 * path['ratio']:.2g}%"
    axes.text(left, place, said, va="center", fontsize=8)
