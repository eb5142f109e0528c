"""The paper's figure 1: dormant tokens, what is evicted, what is sponsored, accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...experiments import Record, Row
from ...experiments.paper import figure
from ...experiments.views import count_of, method_name
from ..drawing import GREY, LINE, OWN, SERIES, dress_bars, legend_below
from .base import Draw, Figure, LackingError, Records, drawn, look, parts
from .lines import accuracy, main_rows

TIGHT = 16
PLACE = "depth 0.5"
ENDS = (("value", OWN), ("sinks", SERIES[0]), ("window", SERIES[1]), ("other", LINE))


def hero(records: Records) -> Figure:
    """Panels a to d."""
    unstated = figure("audit", "rank").unstated
    panels = (
        drawn(records, "hero-a", "a. Is the value dormant?", "Rank of the value's tokens by "
              "cumulative attention before the question, per layer, as a share of all tokens; "
              f"half is chance. The paper: {papers_share():.0f}%, {unstated} unstated.", "audit",
              _ranks),
        drawn(records, "hero-b", f"b. Kept whole at K={TIGHT}", "Share of contexts in which every "
              "layer and head holds all of the value when the question comes.", "needle", _kept,
              height=4.4),
        drawn(records, "hero-c", f"c. What K={TIGHT} is spent on", "Tokens kept of one context, "
              "value in the middle, in the head that keeps least of it.", "audit", _spent),
        drawn(records, "hero-d", "d. Exact answers", "By budget; bars are 95% intervals.",
              "needle", _answers),
    )  # fmt: skip
    return Figure("hero", "Figure 1: at a glance", panels)


def papers_share() -> float:
    """The paper's rank of the value as a share of all tokens, in percent."""
    return 100 * figure("audit", "rank").value / figure("audit", "ranked").value


def _ranks(record: Record) -> Draw:
    layers = parts(record, "rank")[0]["layers"]
    shares = [100 * layer["before"]["median"] / layer["positions"] for layer in layers]

    def draw(axes: Any) -> None:
        with legend_below(axes, 2):
            axes.bar([layer["layer"] for layer in layers], shares, color=SERIES[0])
            axes.axhline(50, color=GREY, linestyle="--", label="chance")
            axes.axhline(papers_share(), color=SERIES[3], linestyle=":", label="the paper's")
            axes.set_ylim(0, 100)
            axes.set_xticks([layer["layer"] for layer in layers])
            axes.grid(visible=False, axis="x")
            axes.set_xlabel("layer")
            axes.set_ylabel("tokens that got more, %")

    return draw


def _kept(record: Record) -> Draw:
    rows = [r for r in main_rows(record, "needle") if r["budget"] == TIGHT and not r["allow"]]
    if not rows:
        raise LackingError(f"no cell at K={TIGHT}")
    rows = _printed(rows)
    counts = [count_of(row) for row in rows]
    shares = [100 * counted.kept / counted.trials for counted in counts]

    def draw(axes: Any) -> None:
        names = [method_name(row) for row in rows]
        colours = [look(name, i)["color"] for i, name in enumerate(names)]
        axes.barh(
            [name.replace(", without", ",\nwithout") for name in names], shares, color=colours
        )
        for i, share in enumerate(shares):
            axes.text(share + 1, i, f"{share:.0f}", va="center", fontsize=8)
        dress_bars(axes, 108, "whole values kept, %", 7)

    return draw


def _printed(rows: Sequence[Row]) -> list[Row]:
    """Without this project's build of methods that were run as printed, too; `ta` first."""
    both = {(r["method"], r["sponsored"]) for r in rows if r["preset"] == "paper"}
    chosen = [
        r for r in rows if r["preset"] == "paper" or (r["method"], r["sponsored"]) not in both
    ]
    return sorted(chosen, key=lambda row: row["method"] != "ta")


def _spent(record: Record) -> Draw:
    found = [row for row in parts(record, "coverage") if row["name"] == PLACE]
    if not found:
        raise LackingError(f"no coverage at {PLACE}")
    kept = [k for k in found[0]["kept"] if k["partition"] != "audit"]
    kept.sort(key=lambda k: k["method"] != "ta")

    def draw(axes: Any) -> None:
        names = [k["method"] + ", as printed" * (k["preset"] == "paper") for k in kept]
        left = [0] * len(kept)
        with legend_below(axes, 4):
            for part, colour in ENDS:
                sizes = [_size(k, part) for k in kept]
                axes.barh(names, sizes, left=left, color=colour, label=part)
                left = [a + b for a, b in zip(left, sizes, strict=True)]
            axes.invert_yaxis()
            axes.grid(visible=False, axis="y")
            axes.tick_params(axis="y", labelsize=7.5)
            axes.set_xlabel("tokens")

    return draw


def _size(kept: Row, part: str) -> int:
    if part != "other":
        return int(kept[part])
    return max(0, int(kept["kept"] - kept["value"] - kept["sinks"] - kept["window"]))


def _answers(record: Record) -> Draw:
    rows = main_rows(record, "needle")
    wanted = ("ta-fast-semantic, as printed", "tova", "h2o", "snapkv", "streaming-llm")
    return accuracy(rows, ["ta", *wanted])
