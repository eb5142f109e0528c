"""The paper's figure 3: why scores by attention and windows miss the value, and vouchers do not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...experiments import Record, Row
from ...experiments.audit_table import papers_rank
from ..drawing import GREY, LINE, OWN, SERIES, legend_below, plain_numbers
from .base import Draw, Figure, LackingError, Records, drawn, parts
from .hero import PLACE, TIGHT
from .mechanism import printed_row

WINDOWED = ("tova", "streaming-llm", "ta-fast-semantic", "ta")


def failure(records: Records) -> Figure:
    """Panels a to c."""
    panels = (
        drawn(records, "failure-a", "a. By cumulative attention", "Median rank of the value's "
              "tokens, 1 has received most, before and after the question; under the line is kept "
              f"at K={TIGHT}. The paper: {papers_rank()}.", "audit", _ranks),
        drawn(records, "failure-b", "b. By window", "What is held at both ends of the context, and "
              "where the value stands (drawn wider than it is).", "audit", _windows),
        drawn(records, "failure-c", "c. By sponsorship", "Utility of all tokens by rank, with and "
              "without vouchers, and the value's tokens on it.", "mechanism", _sponsored),
    )  # fmt: skip
    return Figure("failure", f"Figure 3: why baselines fail at K={TIGHT}", panels)


def _ranks(record: Record) -> Draw:
    layers = parts(record, "rank")[0]["layers"]

    def draw(axes: Any) -> None:
        places = [layer["layer"] for layer in layers]
        with legend_below(axes):
            for when, marker, colour in (("before", "o", SERIES[0]), ("after", "s", SERIES[1])):
                ranks = [layer[when]["median"] for layer in layers]
                axes.plot(places, ranks, marker, color=colour, label=f"{when} the question")
            axes.axhline(TIGHT, color=OWN, linestyle="--", label=f"K={TIGHT}")
            axes.set_yscale("log")
            plain_numbers(axes.yaxis)
            axes.set_xticks(places)
            axes.grid(visible=False, axis="x")
            axes.set_xlabel("layer")
            axes.set_ylabel("rank")

    return draw


def _windows(record: Record) -> Draw:
    found = [row for row in parts(record, "coverage") if row["name"] == PLACE]
    if not found:
        raise LackingError(f"no coverage at {PLACE}")
    row = found[0]
    kept = [k for k in row["kept"] if k["method"] in WINDOWED and k["partition"] != "audit"]

    def draw(axes: Any) -> None:
        names = [k["method"] + ", as printed" * (k["preset"] == "paper") for k in kept]
        size, middle = row["tokens"], sum(row["value"]) / 2
        for i, k in enumerate(kept):
            whole = k["value"] == k["of_value"]
            axes.barh(i, size, color=LINE, height=0.5)
            axes.barh(i, _wide(k["sinks"], size), color=SERIES[0], height=0.5)
            wide = _wide(k["window"], size)
            axes.barh(i, wide, left=size - wide, color=SERIES[1], height=0.5)
            axes.plot(middle, i, "o", color=OWN, fillstyle="full" if whole else "none")
            axes.text(middle, i - 0.36, f"{k['value']} of {k['of_value']} value tokens",
                      ha="center", fontsize=7)  # fmt: skip
        axes.set_yticks(range(len(kept)), names, fontsize=7.5)
        axes.set_ylim(len(kept) - 0.5, -0.7)
        axes.grid(visible=False)
        axes.set_xlabel("position in the context")

    return draw


def _wide(tokens: int, size: int) -> float:
    """A few of thousands of tokens, wide enough to be seen."""
    return max(tokens, size / 60) if tokens else 0


def _sponsored(record: Record) -> Draw:
    row = printed_row(record)

    def draw(axes: Any) -> None:
        with legend_below(axes, 2):
            for name, colour in (("without", GREY), ("with", OWN)):
                ranks, utilities = zip(*row["curve"][name], strict=True)
                axes.plot(ranks, utilities, color=colour, label=f"{name} vouchers")
                axes.plot(*_points(row, name), "o", color=colour, markersize=5)
            axes.axvline(row["budget"], color=SERIES[3], linestyle="--", label=f"K={row['budget']}")
            axes.set_xscale("log")
            axes.set_yscale("symlog", linthresh=1)
            plain_numbers(axes.xaxis)
            plain_numbers(axes.yaxis)
            axes.set_xlabel("rank by utility")
            axes.set_ylabel("utility")

    return draw


def _points(row: Row, name: str) -> tuple[list[int], Iterable[float]]:
    """Ranks and utilities of the value's tokens."""
    low = row["value"][0] - row["first"]
    size = row["value"][1] - row["value"][0]
    base = row["base"][low : low + size]
    added = row["voucher"][low : low + size] if name == "with" else [0.0] * size
    return row["ranks"][name], [b + v for b, v in zip(base, added, strict=True)]
