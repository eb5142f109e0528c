"""How figures of benchmarks look: axes, colours, files that are the same for the same record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from ..report.page_figures import COLOURS

Row = dict[str, Any]
PLAIN = ("#8a8a8a", "#b9b9b9", "#4a6fa5", "#7d5ba6", "#e59866", "#d4a017", "#6b4f2a", "#76b5c5")


def colour(name: str, order: int) -> str:
    """A method's own colour, or the next one of a plain arm."""
    return COLOURS.get(name, PLAIN[order % len(PLAIN)])


def panels(count: int, height: float, columns: int = 1) -> tuple[Any, list[Any]]:
    """A figure of ``count`` panels, each ``height`` inches high; and their axes.

    Raises:
        InputError: without matplotlib, or for no panel.
    """
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
