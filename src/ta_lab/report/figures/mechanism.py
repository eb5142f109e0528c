"""The paper's figure 2: anchor, voucher, utility and selection of one real context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transactional_attention.config import Sponsorship

from ...experiments import Record, Row
from ..drawing import FAINT, GREY, LINE, OWN, SERIES, legend_below, plain_numbers
from .base import Draw, Figure, LackingError, Records, drawn, parts

TALL = 3.6
NEWLINE = "↵"
LONGEST = 16  # characters of a token on an axis


def mechanism(records: Records) -> Figure:
    """Panels 1 to 4."""
    printed = Sponsorship()
    words = (
        ("1", "1. Anchor", "What each token around the value is; the value is masked.", _anchor),
        ("2", "2. Vouchers", f"Equation 2 as printed: {printed.budget:g} x {printed.token_decay:g} "
         f"to the distance, over {printed.span_length} tokens.", _vouchers),
        ("3", "3. Utility", "Equation 3: what the token has by itself, and its voucher.", _utility),
        ("4", "4. Selection", "All of the context, kept tokens as strokes.", _selection),
    )  # fmt: skip
    panels = tuple(
        drawn(records, f"mechanism-{number}", title, caption, "mechanism", make,
              height=TALL if number != "4" else 2.2)
        for number, title, caption, make in words
    )  # fmt: skip
    return Figure("mechanism", "Figure 2: the mechanism in four steps", panels)


def printed_row(record: Record) -> Row:
    """The row of the method as the paper prints it.

    Raises:
        LackingError: when it was not run.
    """
    for row in parts(record, "mechanism"):
        if row["preset"] == "paper":
            return row
    raise LackingError("no method as printed")


def _role(row: Row, position: int) -> str:
    if row["value"][0] <= position < row["value"][1]:
        return "value"
    if position == row["anchor"]:
        return "anchor"
    label = row["label"]
    return "label" if label and label[0] <= position < label[1] else "other"


COLOURS = {"value": OWN, "anchor": SERIES[1], "label": SERIES[0], "other": LINE}


def _names(row: Row) -> list[str]:
    """Tokens as the axis shows them; each with its position, so that none coincide."""
    return [
        f"{piece.strip()[:LONGEST] or NEWLINE}  {row['first'] + i:,}"
        for i, piece in enumerate(row["pieces"])
    ]


def _dressed(axes: Any, names: Sequence[str], label: str) -> None:
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(label)


def _anchor(record: Record) -> Draw:
    row = printed_row(record)
    roles = [_role(row, row["first"] + i) for i in range(len(row["pieces"]))]

    def draw(axes: Any) -> None:
        with legend_below(axes, 4):
            for role, colour in COLOURS.items():
                at = [i for i, found in enumerate(roles) if found == role]
                if at:
                    axes.barh(at, [1] * len(at), color=colour, label=role)
            _dressed(axes, _names(row), "")
            axes.set_xticks([])

    return draw


def _vouchers(record: Record) -> Draw:
    row = printed_row(record)

    def draw(axes: Any) -> None:
        axes.barh(range(len(row["voucher"])), row["voucher"], color=OWN)
        _dressed(axes, _names(row), "voucher V")

    return draw


def _utility(record: Record) -> Draw:
    row = printed_row(record)
    # the K-th largest utility of the context: what a token must reach
    needed = next((u for rank, u in row["curve"]["with"] if rank >= row["budget"]), None)

    def draw(axes: Any) -> None:
        places = range(len(row["base"]))
        with legend_below(axes, 3):
            axes.barh(places, row["base"], color=SERIES[0], label="by itself")
            axes.barh(places, row["voucher"], left=row["base"], color=OWN, label="voucher")
            if needed is not None:
                axes.axvline(needed, color=SERIES[3], linestyle="--", label=f"rank {row['budget']}")
            axes.set_xscale("symlog", linthresh=1)
            plain_numbers(axes.xaxis)
            _dressed(axes, _names(row), "utility u")

    return draw


def _selection(record: Record) -> Draw:
    rows = parts(record, "mechanism")

    def draw(axes: Any) -> None:
        names = [row["method"] + ", as printed" * (row["preset"] == "paper") for row in rows]
        for i, row in enumerate(rows):
            axes.hlines(i, 0, row["tokens"], color=LINE, linewidth=9)
            inside = [p for p in row["kept"] if _role(row, p) == "value"]
            rest = [p for p in row["kept"] if _role(row, p) != "value"]
            axes.vlines(rest, i - 0.2, i + 0.2, color=GREY, linewidth=1)
            axes.vlines(inside, i - 0.3, i + 0.3, color=OWN, linewidth=1.6)
        size = rows[0]["value"][1] - rows[0]["value"][0]
        for i, row in enumerate(rows):
            whole = sum(_role(row, p) == "value" for p in row["kept"])
            axes.text(row["tokens"], i - 0.34, f"{whole} of {size} value tokens", ha="right",
                      fontsize=7.5, color=FAINT)  # fmt: skip
        axes.set_yticks(range(len(rows)), names, fontsize=7.5)
        axes.set_ylim(len(rows) - 0.5, -0.6)
        axes.grid(visible=False)
        axes.set_xlabel("position in the context")

    return draw
