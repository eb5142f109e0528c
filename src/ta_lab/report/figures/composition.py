"""The paper's figure 5: sponsorship on top of other methods."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...experiments import Record, Row
from ...experiments.views import count_of
from ..drawing import GREY, OWN, legend_below
from .base import Draw, Figure, LackingError, Records, drawn
from .lines import main_rows

TWIN = "ta+"
BUDGETS = (16, 64)
CAPTION = "Exact answers of each method alone and of its twin with sponsorship, same cases, same K."


def composition(records: Records) -> Figure:
    """A panel for a tight and one for a wider budget."""
    panels = tuple(
        drawn(records, f"composition-{k}", f"K={k}", CAPTION, "composition",
              partial(_pairs, budget=k), height=3.2)
        for k in BUDGETS
    )  # fmt: skip
    return Figure("composition", "Figure 5: composition", panels)


def _pairs(record: Record, budget: int) -> Draw:
    rows = [row for row in main_rows(record, "needle") if row["budget"] == budget]
    twins = [row for row in rows if row["method"].startswith(TWIN)]
    by_name = {row["method"]: row for row in rows}
    names = [t["method"].removeprefix(TWIN) for t in twins]
    names = [name for name in names if name in by_name]
    if not names:
        raise LackingError(f"no method beside its twin at K={budget}")

    def draw(axes: Any) -> None:
        places = range(len(names))
        with legend_below(axes, 2):
            for shift, prefix, label, colour in (
                (-0.19, "", "alone", GREY),
                (0.19, TWIN, "with sponsorship", OWN),
            ):
                shares = _shares([by_name[prefix + name] for name in names])
                at = [place + shift for place in places]
                axes.barh(at, shares, height=0.36, color=colour, label=label)
                for place, share in zip(at, shares, strict=True):
                    axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7.5)
            axes.set_yticks(places, names)
            axes.invert_yaxis()
            axes.set_xlim(0, 108)
            axes.grid(visible=False, axis="y")
            axes.set_xlabel("exact answers, %")

    return draw


def _shares(rows: Sequence[Row]) -> list[float]:
    counts = [count_of(row) for row in rows]
    return [100 * (c.kept if c.right is None else c.right) / c.trials for c in counts]
