"""Figures of records: ``python -m ta_lab.benchmarks.figures FOLDER OUT``.

``FOLDER`` holds ``bench-NAME.json``; what it lacks is not drawn. The same record gives the same
file. Needs matplotlib (extra ``report``). No model is loaded."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from .prefill import PARTS, PATH
from .tables import model_name, size

Row = dict[str, Any]
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
PLAIN = ("#8a8a8a", "#b9b9b9", "#4a6fa5", "#7d5ba6", "#e59866", "#d4a017", "#6b4f2a", "#76b5c5")


def colour(name: str, order: int) -> str:
    """A method's own colour, or the next one of a plain arm."""
    return COLOURS.get(name, PLAIN[order % len(PLAIN)])


def panels(count: int, height: float, columns: int = 1) -> tuple[Any, list[Any]]:
    """A figure of ``count`` panels, each ``height`` inches high; and their axes. Raises InputError
    without matplotlib, or for no panel."""
    if not count:
        raise InputError("the records hold no rows for this figure")
    try:
        import matplotlib.pyplot as plt  # noqa: PLC0415  (an extra)
    except ImportError:
        raise InputError("figures need matplotlib: install the extra `report`") from None
    plt.rcParams["svg.fonttype"] = "none"
    plt.rcParams["svg.hashsalt"] = "transactional-attention"
    lines = -(-count // columns)
    figure, grid = plt.subplots(
        lines, columns, figsize=(7, lines * height), squeeze=False, layout="constrained"
    )
    axes = list(grid.flat)
    for spare in axes[count:]:
        spare.remove()
    return figure, axes[:count]


def by(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    """Rows that share what is named, in their order."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def dress(axes: Any, across: str, up: str = "", title: str = "") -> None:
    """Labels, a faint grid, no frame."""
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.set_title(title, fontsize=9)
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def log_scale(axis: Any, words: Callable[[float], str] = "{:,g}".format, base: int = 10) -> None:
    """A log scale on one axis, its marks in figures: 1, 2 and 5 of every power, or powers of 2."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator  # noqa: PLC0415

    getattr(axis.axes, f"set_{axis.axis_name}scale")("log", base=base)
    axis.set_major_locator(LogLocator(base, subs=(1, 2, 5) if base == 10 else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
    axis.set_minor_locator(NullLocator())


def save(figure: Any, out: Path) -> None:
    """Write a figure, and forget it."""
    import matplotlib.pyplot as plt  # noqa: PLC0415  (an extra)

    figure.savefig(out, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


OURS = "ours: "
SHADES = ("#0b7a3b", "#9ccc9c", "#4a6fa5", "#b9b9b9")  # of PARTS


def prefill_figure(models: Mapping[str, Sequence[Row]], out: Path) -> None:
    """What retention adds to a prefill: parts stacked, a bar a method, a panel a model.

    Beside a bar: the critical path, and its share of the bare forward."""
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


HEIGHT = 3.4


def memory_figure(rows: Iterable[Row], out: Path) -> None:
    """Peak bytes of keys and values against length, both on a log scale; dashes are computed.
    Raises InputError without matplotlib, or without rows."""
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


Record = dict[str, Any]
PREFILLS = ("prefill", "prefill-135m", "prefill-1b")


def draw(folder: Path, out: Path) -> list[Path]:
    """Every figure whose records a folder holds, the files in ``out``."""
    drawn = []
    for name, (make, read) in FIGURES.items():
        given = read(folder)
        if given:
            drawn.append(out / f"{name}.svg")
            make(given, drawn[-1])
    return drawn


def _middle_budget(steps: Sequence[Row], out: Path) -> None:
    budgets = sorted({row["budget"] for row in steps})
    decode_figure(steps, budgets[len(budgets) // 2], out)


def _sessions(folder: Path) -> dict[str, list[Row]]:
    found = filter(None, (_rows(folder, name) for name in ("agent", "agent-6k")))
    return {f"{len(rows[0]['first_ms'])} turns before the questions": rows for rows in found}


FIGURES: Mapping[str, tuple[Callable[[Any, Path], None], Callable[[Path], Any]]] = {
    "prefill": (prefill_figure, lambda folder: _by_model(folder, *PREFILLS)),
    "decode": (_middle_budget, lambda folder: _rows(folder, "decode")),
    "agent": (agent_figure, _sessions),
    "memory": (
        memory_figure,
        lambda folder: [*_rows(folder, "memory"), *_marks(_rows(folder, "stream"))],
    ),
    "peers": (peers_figure, lambda folder: _by_model(folder, "peers")),
}
"""What draws a figure, and what it is given of a folder."""


def _record(folder: Path, name: str) -> Record | None:
    path = folder / f"bench-{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _rows(folder: Path, name: str) -> list[Row]:
    return (_record(folder, name) or {"rows": []})["rows"]


def _by_model(folder: Path, *names: str) -> dict[str, Sequence[Row]]:
    records = (_record(folder, name) for name in names)
    return {model_name(record): record["rows"] for record in records if record is not None}


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
