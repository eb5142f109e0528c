"""Exact answers by budget, one line a method: what two of the figures draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...cases.metrics import wilson
from ...experiments import Record, Row
from ...experiments.views import count_of, is_main, method_name
from ..beside import cells_of
from ..drawing import GREY, legend_below
from .base import Draw, LackingError, look

APART = 0.05  # of a doubling, between methods, so that equal lines stay visible


def main_rows(record: Record, block: str) -> list[Row]:
    """Cells of a block under the main claim: question hidden, strict ledger.

    Raises:
        LackingError: when there are none.
    """
    found = [row for row in cells_of(record).rows if row["block"] == block and is_main(row)]
    if not found:
        raise LackingError(f"no cells of {block}")
    return found


def accuracy(rows: Sequence[Row], names: Sequence[str]) -> Draw:
    """Answers in percent with their 95% interval against K, log scale; full as a level line.

    Raises:
        LackingError: when none of the named methods has a budget.
    """
    chosen = [row for row in rows if method_name(row) in names and row["budget"] is not None]
    full = next((row for row in rows if row["method"] == "full"), None)
    if not chosen:
        raise LackingError("none of these methods")
    budgets = sorted({row["budget"] for row in chosen})

    def draw(axes: Any) -> None:
        with legend_below(axes):
            if full is not None:
                axes.axhline(_share(full)[0], color=GREY, linestyle="--", label="full cache")
            for order, name in enumerate(names):
                _line(axes, [r for r in chosen if method_name(r) == name], name, order, len(names))
            axes.set_xscale("log", base=2)
            axes.set_xticks(budgets, [str(budget) for budget in budgets])
            axes.minorticks_off()
            axes.set_ylim(-4, 104)
            axes.set_xlabel("budget K")
            axes.set_ylabel("exact answers, %")

    return draw


def _line(axes: Any, rows: Sequence[Row], name: str, order: int, count: int) -> None:
    if not rows:
        return
    rows = sorted(rows, key=lambda row: row["budget"])
    aside = 2 ** (APART * (order - (count - 1) / 2))
    shares = [_share(row) for row in rows]
    middle = [share for share, _, _ in shares]
    spread = [
        [share - low for share, low, _ in shares],
        [high - share for share, _, high in shares],
    ]
    axes.errorbar(
        [row["budget"] * aside for row in rows],
        middle,
        yerr=spread,
        label=name,
        markersize=4,
        capsize=2,
        elinewidth=0.8,
        **look(name, order),
    )


def _share(row: Row) -> tuple[float, float, float]:
    """Answers, or whole values where none was asked, in percent, and the interval's ends."""
    counted = count_of(row)
    right = counted.kept if counted.right is None else counted.right
    low, high = wilson(right, counted.trials)
    return 100 * right / counted.trials, 100 * low, 100 * high
