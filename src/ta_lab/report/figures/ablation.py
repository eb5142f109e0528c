"""The paper's figure 6: how much each number matters; and each choice of ours taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...cases.metrics import wilson
from ...experiments import Record, Row
from ...experiments.ablation_table import BASE, OURS, PRINTED, papers_most, setting_of, spread
from ...experiments.paper import figure
from ...experiments.views import count_of
from ..drawing import GREY, OWN, SERIES, dress_bars, legend_below
from .base import Draw, Figure, LackingError, Records, drawn

NUMBER = " = "


def ablation(records: Records) -> Figure:
    """Spread of every number, the one that the paper calls critical in detail, our choices."""
    least, most = (figure("ablation", m, block=papers_most()) for m in ("least", "most"))
    panels = (
        drawn(records, "ablation-spread", "Spread of each number", "Whole values kept, least to "
              "most, while one number varies and the others stay as printed.", "ablation", _spreads,
              height=3.8),
        drawn(records, "ablation-budget", f"The {papers_most()}", "Whole values kept by B, K=16; "
              f"the paper has {least.shown}% to {most.shown}%.", "ablation", _budget),
        drawn(records, "ablation-choices", "Our choices, one taken back", "Whole values kept by "
              "`ta` on the cases that each choice was made for; the line is the unchanged one.",
              "ablation", _choices, height=4.4),
    )  # fmt: skip
    return Figure("ablation", "Figure 6: sensitivity", panels)


def _settings(record: Record) -> list[Row]:
    return [row for row in record["rows"] if row.get("trials") and row["method"] != "full"]


def _spreads(record: Record) -> Draw:
    rows = _settings(record)
    found = {}
    for row in rows:
        place = setting_of(row)
        if place.cases == PRINTED and NUMBER in place.title:
            what = place.title.partition(NUMBER)[0]
            between = spread(rows, place.method, what)
            if between is not None:
                found[f"{what} ({place.method})"] = between
    if not found:
        raise LackingError("no number that was varied")

    def draw(axes: Any) -> None:
        for i, (low, high) in enumerate(found.values()):
            axes.plot([low, high], [i, i], color=OWN, linewidth=5, solid_capstyle="round")
        axes.set_yticks(range(len(found)), list(found), fontsize=7)
        axes.set_xlim(-4, 104)
        axes.invert_yaxis()
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("whole values kept, %")

    return draw


def _budget(record: Record) -> Draw:
    chosen = []
    for row in _settings(record):
        place = setting_of(row)
        what, _, value = place.title.partition(NUMBER)
        if place.cases == PRINTED and what == papers_most():
            chosen.append((float(value), count_of(row)))
    if not chosen:
        raise LackingError(f"no {papers_most()} that was varied")
    chosen.sort()

    def draw(axes: Any) -> None:
        shares = [100 * c.kept / c.trials for _, c in chosen]
        ends = [wilson(c.kept, c.trials) for _, c in chosen]
        low = [share - 100 * end[0] for share, end in zip(shares, ends, strict=True)]
        high = [100 * end[1] - share for share, end in zip(shares, ends, strict=True)]
        axes.errorbar([b for b, _ in chosen], shares, yerr=[low, high], marker="o", markersize=4,
                      capsize=2, color=OWN)  # fmt: skip
        axes.set_ylim(-4, 104)
        axes.set_xlabel("sponsor budget B")
        axes.set_ylabel("whole values kept, %")

    return draw


def _choices(record: Record) -> Draw:
    rows = [row for row in _settings(record) if row["block"].startswith(OURS)]
    if not rows:
        raise LackingError("none of our choices")
    cases = list(dict.fromkeys(setting_of(row).cases for row in rows))
    titles = [t for t in dict.fromkeys(setting_of(r).title for r in rows) if t and t != BASE]
    means = {title: _mean(rows, cases, title) for title in titles}

    def draw(axes: Any) -> None:
        with legend_below(axes, 2):
            axes.barh(titles, [m for m, _ in means.values()], color=SERIES[0], label="taken back")
            for i, (_, base) in enumerate(means.values()):
                axes.plot([base, base], [i - 0.4, i + 0.4], color=GREY, linewidth=2,
                          label="unchanged" if i == 0 else None)  # fmt: skip
            dress_bars(axes, 104, "whole values kept, %,\nmean over kinds of cases", 7)

    return draw


def _mean(rows: Sequence[Row], cases: Sequence[str], title: str) -> tuple[float, float]:
    """Of the kinds of cases that a setting was run on: its mean, and the unchanged one's there."""
    shares: dict[str, dict[str, float]] = {}
    for row in rows:
        place, counted = setting_of(row), count_of(row)
        shares.setdefault(place.cases, {})[place.title] = 100 * counted.kept / counted.trials
    both = [shares[case] for case in cases if {title, BASE} <= shares[case].keys()]
    if not both:
        raise LackingError(f"no unchanged setting beside {title}")
    return tuple(sum(one[name] for one in both) / len(both) for name in (title, BASE))  # type: ignore[return-value]
