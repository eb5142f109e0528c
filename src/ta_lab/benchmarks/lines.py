"""Figures with lines: memory against length, a step against n, the first token against the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .plotting import Row, by, colour, dress, log_scale, panels, save
from .tables import size

HEIGHT = 3.4


def memory_figure(rows: Iterable[Row], out: Path) -> None:
    """Peak bytes of keys and values against length, both on a log scale; dashes are computed.

    Raises:
        InputError: without matplotlib, or without rows.
    """
    lines: dict[str, list[Row]] = {}
    for row in rows:
        lines.setdefault(_title(row), []).append(row)
    figure, (axes,) = panels(min(len(lines), 1), HEIGHT)
    for order, (name, own) in enumerate(sorted(lines.items())):
        own = sorted(own, key=lambda row: row["tokens"])
        shade = colour(own[0]["name"], order)
        points = [(row["tokens"], row["kv_peak_bytes"]) for row in own]
        axes.plot(*zip(*points, strict=True), "--", color=shade, linewidth=1)
        solid = [(row["tokens"], row["kv_peak_bytes"]) for row in own if row.get("measured", True)]
        if solid:
            axes.plot(*zip(*solid, strict=True), "-o", color=shade, markersize=4, label=name)
    _across_tokens(axes)
    log_scale(axes.yaxis, size)
    dress(axes, "tokens read", "peak bytes of keys and values")
    save(figure, out)


def decode_figure(rows: Iterable[Row], budget: int, out: Path) -> None:
    """Milliseconds of a decode step against n for one K, both on a log scale, with ranges."""
    lines: dict[str, list[Row]] = {}
    for row in rows:
        if row["budget"] == budget:
            lines.setdefault(_arm(row["name"]), []).append(row)
    figure, (axes,) = panels(min(len(lines), 1), HEIGHT)
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
            color=colour(name, order),
            label=name,
        )
    _across_tokens(axes)
    log_scale(axes.yaxis)
    dress(axes, "tokens before the step", "ms a step", f"K = {budget}")
    save(figure, out)


def agent_figure(sessions: Mapping[str, Sequence[Row]], out: Path) -> None:
    """Milliseconds to the first token of every turn, a panel a session, a line an arm."""
    cells = [
        (f"{title}, {tokens:,} tokens in all", own)
        for title, rows in sessions.items()
        for (tokens,), own in by(rows, "tokens").items()
    ]
    figure, found = panels(len(cells), HEIGHT - 0.6)
    for axes, (title, own) in zip(found, cells, strict=True):
        for order, row in enumerate(own):
            turns = range(1, len(row["first_ms"]) + 1)
            shade = colour(row["name"], order)
            axes.plot(turns, row["first_ms"], "-o", color=shade, markersize=3, label=_title(row))
        log_scale(axes.yaxis)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(fontsize=8, frameon=False)
        dress(axes, "turn", "ms to the first token", title)
    save(figure, out)


def _title(row: Row) -> str:
    return str(row["name"]) + ("" if row.get("budget") is None else f", K = {row['budget']}")


def _arm(name: str) -> str:
    """An arm's name without a number of tokens: n is the axis, K stands above."""
    head, _, tail = name.partition(", ")
    if not tail.endswith("tokens"):
        return name
    if head.startswith("sliding"):
        return head
    return f"{head} of {'n' if tail.endswith('random tokens') else 'K'} tokens"


def _across_tokens(axes: Any) -> None:
    log_scale(axes.xaxis, "{:,.0f}".format, base=2)
    axes.legend(fontsize=8, frameon=False)
