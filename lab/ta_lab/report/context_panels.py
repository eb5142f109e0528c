"""Panels of one context: ranks of the value by attention, what is kept, anchors and vouchers."""

from __future__ import annotations

from typing import Any

from ..experiments import Record, Row
from ..experiments.paper import figure
from .drawing import (
    FAINT,
    GREY,
    LINE,
    OWN,
    SERIES,
    along_context,
    by_layer,
    legend_below,
    listed,
    plain_numbers,
)

TIGHT = 16
PLACE = "depth 0.5"
ENDS = {"value": OWN, "sinks": SERIES[0], "window": SERIES[1], "other": LINE}
ROLES = {"value": OWN, "anchor": SERIES[1], "label": SERIES[0], "other": LINE}
NEWLINE = "↵"
LONGEST = 16  # characters of a token on an axis
WINDOWED = ("tova", "streaming-llm", "ta-fast-semantic", "ta")


class LackingError(LookupError):
    """A record that has no rows for a panel."""


def parts(record: Record, part: str) -> list[Row]:
    """Rows of a part. Raises LackingError when there are none."""
    found = [row for row in record["rows"] if row.get("part") == part and "refused" not in row]
    if not found:
        raise LackingError(f"no rows of its part {part}")
    return found


def papers_share() -> float:
    """The paper's rank of the value as a share of all tokens, in percent."""
    return 100 * figure("audit", "rank").value / figure("audit", "ranked").value


def share_that_got_more(axes: Any, record: Record) -> None:
    """The rank of the value by layer, as a share of all tokens."""
    layers = parts(record, "rank")[0]["layers"]
    places = [layer["layer"] for layer in layers]
    shares = [100 * layer["before"]["median"] / layer["positions"] for layer in layers]
    with legend_below(axes, 2):
        axes.bar(places, shares, color=SERIES[0])
        axes.axhline(50, color=GREY, linestyle="--", label="chance")
        axes.axhline(papers_share(), color=SERIES[3], linestyle=":", label="the paper's")
        axes.set_ylim(0, 100)
        by_layer(axes, places, "tokens that got more, %")


def ranks(axes: Any, record: Record) -> None:
    """The rank of the value by layer, before and after the question."""
    layers = parts(record, "rank")[0]["layers"]
    places = [layer["layer"] for layer in layers]
    with legend_below(axes):
        for when, marker, colour in (("before", "o", SERIES[0]), ("after", "s", SERIES[1])):
            found = [layer[when]["median"] for layer in layers]
            axes.plot(places, found, marker, color=colour, label=f"{when} the question")
        axes.axhline(TIGHT, color=OWN, linestyle="--", label=f"K={TIGHT}")
        axes.set_yscale("log")
        plain_numbers(axes.yaxis)
        by_layer(axes, places, "rank")


def _covered(record: Record) -> tuple[Row, list[Row]]:
    """The context with the value in its middle, and what methods keep of it."""
    found = next((row for row in parts(record, "coverage") if row["name"] == PLACE), None)
    if found is None:
        raise LackingError(f"no coverage at {PLACE}")
    return found, [kept for kept in found["kept"] if kept["partition"] != "audit"]


def _name(row: Row) -> str:
    return row["method"] + ", as printed" * (row["preset"] == "paper")


def spent(axes: Any, record: Record) -> None:
    """What K goes to, method by method."""
    kept = sorted(_covered(record)[1], key=lambda one: one["method"] != "ta")
    known = [part for part in ENDS if part != "other"]
    sizes = [{part: int(one[part]) for part in known} for one in kept]
    left = [0] * len(kept)
    with legend_below(axes, 4):
        for part, colour in ENDS.items():
            widths = [
                own.get(part, max(0, int(one["kept"]) - sum(own.values())))
                for one, own in zip(kept, sizes, strict=True)
            ]
            axes.barh([_name(one) for one in kept], widths, left=left, color=colour, label=part)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        listed(axes, "tokens", size=7.5)


def windows(axes: Any, record: Record) -> None:
    """What is held at both ends of the context, wide enough to be seen, and where the value is."""
    row, found = _covered(record)
    kept = [one for one in found if one["method"] in WINDOWED]
    size, middle = row["tokens"], sum(row["value"]) / 2
    for i, one in enumerate(kept):
        whole = one["value"] == one["of_value"]
        sinks, window = (max(one[end], size / 60) if one[end] else 0 for end in ("sinks", "window"))
        axes.barh(i, size, color=LINE, height=0.5)
        axes.barh(i, sinks, color=SERIES[0], height=0.5)
        axes.barh(i, window, left=size - window, color=SERIES[1], height=0.5)
        axes.plot(middle, i, "o", color=OWN, fillstyle="full" if whole else "none")
        said = f"{one['value']} of {one['of_value']} value tokens"
        axes.text(middle, i - 0.36, said, ha="center", fontsize=7)
    along_context(axes, [_name(one) for one in kept], 0.7)


def printed_row(record: Record) -> Row:
    """The row of the method as the paper prints it. Raises LackingError when it was not run."""
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


def _by_token(axes: Any, row: Row, label: str) -> None:
    """Tokens as the axis shows them; each with its position, so that none coincide."""
    names = [
        f"{piece.strip()[:LONGEST] or NEWLINE}  {row['first'] + i:,}"
        for i, piece in enumerate(row["pieces"])
    ]
    axes.set_yticks(range(len(names)), names, fontsize=7)
    listed(axes, label)


def anchor(axes: Any, record: Record) -> None:
    """What each token around the value is."""
    row = printed_row(record)
    roles = [_role(row, row["first"] + i) for i in range(len(row["pieces"]))]
    with legend_below(axes, 4):
        for role, colour in ROLES.items():
            at = [i for i, found in enumerate(roles) if found == role]
            if at:
                axes.barh(at, [1] * len(at), color=colour, label=role)
        _by_token(axes, row, "")
        axes.set_xticks([])


def vouchers(axes: Any, record: Record) -> None:
    """The voucher of each token around the value."""
    row = printed_row(record)
    axes.barh(range(len(row["voucher"])), row["voucher"], color=OWN)
    _by_token(axes, row, "voucher V")


def utility(axes: Any, record: Record) -> None:
    """The utility of each token around the value, by itself and by its voucher."""
    row = printed_row(record)
    # the K-th largest utility of the context: what a token must reach
    needed = next((u for rank, u in row["curve"]["with"] if rank >= row["budget"]), None)
    places = range(len(row["base"]))
    with legend_below(axes, 3):
        axes.barh(places, row["base"], color=SERIES[0], label="by itself")
        axes.barh(places, row["voucher"], left=row["base"], color=OWN, label="voucher")
        if needed is not None:
            axes.axvline(needed, color=SERIES[3], linestyle="--", label=f"rank {row['budget']}")
        axes.set_xscale("symlog", linthresh=1)
        plain_numbers(axes.xaxis)
        _by_token(axes, row, "utility u")


def selection(axes: Any, record: Record) -> None:
    """All of the context, kept tokens as strokes."""
    rows = parts(record, "mechanism")
    size = rows[0]["value"][1] - rows[0]["value"][0]
    told = []
    for i, row in enumerate(rows):
        axes.hlines(i, 0, row["tokens"], color=LINE, linewidth=9)
        inside = [p for p in row["kept"] if _role(row, p) == "value"]
        rest = [p for p in row["kept"] if _role(row, p) != "value"]
        axes.vlines(rest, i - 0.2, i + 0.2, color=GREY, linewidth=1)
        axes.vlines(inside, i - 0.3, i + 0.3, color=OWN, linewidth=1.6)
        told.append(f"{len(inside)} of {size} value tokens")
    for i, (row, said) in enumerate(zip(rows, told, strict=True)):
        axes.text(row["tokens"], i - 0.34, said, ha="right", fontsize=7.5, color=FAINT)
    along_context(axes, [_name(row) for row in rows], 0.6)


def sponsored(axes: Any, record: Record) -> None:
    """Utility of all tokens by rank, with and without vouchers, and the value's tokens on it."""
    row = printed_row(record)
    first, last = (end - row["first"] for end in row["value"])
    base, voucher = row["base"][first:last], row["voucher"][first:last]
    own = {"without": base, "with": [b + v for b, v in zip(base, voucher, strict=True)]}
    with legend_below(axes, 2):
        for name, colour in (("without", GREY), ("with", OWN)):
            curve = zip(*row["curve"][name], strict=True)
            axes.plot(*curve, color=colour, label=f"{name} vouchers")
            axes.plot(row["ranks"][name], own[name], "o", color=colour, markersize=5)
        axes.axvline(row["budget"], color=SERIES[3], linestyle="--", label=f"K={row['budget']}")
        axes.set_xscale("log")
        axes.set_yscale("symlog", linthresh=1)
        plain_numbers(axes.xaxis)
        plain_numbers(axes.yaxis)
        axes.set(xlabel="rank by utility", ylabel="utility")
