"""Panels of shares: values kept and questions answered, by budget, method, number and choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..cases.metrics import wilson
from ..experiments import Record, Row
from ..experiments.ablation import BASE, OURS, PRINTED, papers_most, setting_of, spread
from ..experiments.counting import count_of, is_main, method_name
from ..experiments.plan import CONTROLS
from .beside import cells_of
from .context_panels import TIGHT, LackingError
from .drawing import GREY, OWN, SERIES, legend_below, listed, look, shares_with_ends

APART = 0.05  # of a doubling, between methods, so that equal lines stay visible
FEW = ("ta", "ta-fast-semantic, as printed", "tova", "h2o", "snapkv", "streaming-llm")
TWIN = "ta+"
NUMBER = " = "


def main_rows(record: Record) -> list[Row]:
    """Cells of the needle under the main claim: question hidden, strict ledger. Raises LackingError
    when there are none."""
    found = [row for row in cells_of(record).rows if row["block"] == "needle" and is_main(row)]
    if not found:
        raise LackingError("no cells of needle")
    return found


def accuracy(axes: Any, record: Record, names: Sequence[str]) -> None:
    """Answers in percent with their 95% interval against K, log scale; full as a level line. Raises
    LackingError when none of the named methods has a budget."""
    rows = main_rows(record)
    chosen = [row for row in rows if method_name(row) in names and row["budget"] is not None]
    full = next((row for row in rows if row["method"] == "full"), None)
    if not chosen:
        raise LackingError("none of these methods")
    budgets = sorted({row["budget"] for row in chosen})
    with legend_below(axes):
        if full is not None:
            axes.axhline(_answered(full)[0], color=GREY, linestyle="--", label="full cache")
        for order, name in enumerate(names):
            own = [row for row in chosen if method_name(row) == name]
            own.sort(key=lambda row: row["budget"])
            aside = 2 ** (APART * (order - (len(names) - 1) / 2))
            if own:
                places, style = [row["budget"] * aside for row in own], look(name, order)
                shares = [_answered(row) for row in own]
                shares_with_ends(axes, places, shares, label=name, elinewidth=0.8, **style)
        axes.set_xscale("log", base=2)
        axes.set_xticks(budgets, [str(budget) for budget in budgets])
        axes.minorticks_off()
        axes.set(ylim=(-4, 104), xlabel="budget K", ylabel="exact answers, %")


def _answered(row: Row) -> tuple[float, float, float]:
    """Answers, or whole values where none was asked, in percent, and the interval's ends."""
    counted = count_of(row)
    return _share(counted.kept if counted.right is None else counted.right, counted.trials)


def _share(successes: int, trials: int) -> tuple[float, float, float]:
    low, high = wilson(successes, trials)
    return 100 * successes / trials, 100 * low, 100 * high


def _kept(row: Row) -> float:
    return 100 * count_of(row).kept / count_of(row).trials


def kept(axes: Any, record: Record) -> None:
    """Values kept whole by method at one K: as printed where a method was run so, too."""
    rows = [r for r in main_rows(record) if r["budget"] == TIGHT and not r["allow"]]
    if not rows:
        raise LackingError(f"no cell at K={TIGHT}")
    both = {(r["method"], r["sponsored"]) for r in rows if r["preset"] == "paper"}
    rows = [r for r in rows if r["preset"] == "paper" or (r["method"], r["sponsored"]) not in both]
    rows.sort(key=lambda row: row["method"] != "ta")
    names, shares = [method_name(row) for row in rows], [_kept(row) for row in rows]
    colours = [look(name, i)["color"] for i, name in enumerate(names)]
    axes.barh([name.replace(", without", ",\nwithout") for name in names], shares, color=colours)
    for i, share in enumerate(shares):
        axes.text(share + 1, i, f"{share:.0f}", va="center", fontsize=8)
    listed(axes, "whole values kept, %", size=7, end=108)


def methods(axes: Any, record: Record) -> None:
    """Exact answers by budget, of all methods."""
    names = dict.fromkeys(
        method_name(row)
        for row in main_rows(record)
        if row["method"] not in ("full", *CONTROLS) and row["sponsored"] and not row["allow"]
    )
    printed = [name for name in names if f"{name}, as printed" not in names]
    accuracy(axes, record, sorted(printed, key=lambda name: name != "ta"))


def pairs(axes: Any, record: Record, budget: int) -> None:
    """Each method alone and with sponsorship."""
    by_name = {row["method"]: row for row in main_rows(record) if row["budget"] == budget}
    twins = [name.removeprefix(TWIN) for name in by_name if name.startswith(TWIN)]
    names = [name for name in twins if name in by_name]
    if not names:
        raise LackingError(f"no method beside its twin at K={budget}")
    arms = ((-0.19, "", "alone", GREY), (0.19, TWIN, "with sponsorship", OWN))
    with legend_below(axes, 2):
        for shift, prefix, label, colour in arms:
            shares = [_answered(by_name[prefix + name])[0] for name in names]
            at = [place + shift for place in range(len(names))]
            axes.barh(at, shares, height=0.36, color=colour, label=label)
            for place, share in zip(at, shares, strict=True):
                axes.text(share + 1, place, f"{share:.0f}", va="center", fontsize=7.5)
        axes.set_yticks(range(len(names)), names)
        listed(axes, "exact answers, %", end=108)


def _settings(record: Record) -> list[Row]:
    return [row for row in record["rows"] if row.get("trials") and row["method"] != "full"]


def _varied(rows: Sequence[Row]) -> list[tuple[Row, str, str, str]]:
    """Rows of one number that was varied: its method, its name and its value."""
    placed = [(row, setting_of(row)) for row in rows]
    found = [(row, at) for row, at in placed if at.cases == PRINTED and NUMBER in at.title]
    return [(row, at.method, *at.title.split(NUMBER, 1)) for row, at in found]  # type: ignore[misc]


def spreads(axes: Any, record: Record) -> None:
    """Whole values kept, least to most, while one number varies."""
    rows, found = _settings(record), {}
    for _, method, what, _ in _varied(rows):
        between = spread(rows, method, what)
        if between is not None:
            found[f"{what} ({method})"] = between
    if not found:
        raise LackingError("no number that was varied")
    for i, (low, high) in enumerate(found.values()):
        axes.plot([low, high], [i, i], color=OWN, linewidth=5, solid_capstyle="round")
    axes.set_yticks(range(len(found)), list(found), fontsize=7)
    axes.set_xlim(-4, 104)
    listed(axes, "whole values kept, %")


def sponsor_budget(axes: Any, record: Record) -> None:
    """Whole values kept by the number that moves most in the paper."""
    counts = [
        (float(value), count_of(row))
        for row, _, what, value in _varied(_settings(record))
        if what == papers_most()
    ]
    if not counts:
        raise LackingError(f"no {papers_most()} that was varied")
    counts.sort()
    shares = [_share(counted.kept, counted.trials) for _, counted in counts]
    shares_with_ends(axes, [value for value, _ in counts], shares, marker="o", color=OWN)
    axes.set(ylim=(-4, 104), xlabel="sponsor budget B", ylabel="whole values kept, %")


def choices(axes: Any, record: Record) -> None:
    """Whole values kept by ``ta`` with one choice taken back, and unchanged."""
    rows = [row for row in _settings(record) if row["block"].startswith(OURS)]
    if not rows:
        raise LackingError("none of our choices")
    titles = [t for t in dict.fromkeys(setting_of(r).title for r in rows) if t and t != BASE]
    means = [_means(rows, title) for title in titles]
    with legend_below(axes, 2):
        axes.barh(titles, [mean for mean, _ in means], color=SERIES[0], label="taken back")
        for i, (_, base) in enumerate(means):
            label = "unchanged" if i == 0 else None
            axes.plot([base, base], [i - 0.4, i + 0.4], color=GREY, linewidth=2, label=label)
        listed(axes, "whole values kept, %,\nmean over kinds of cases", size=7, end=104)


def _means(rows: Sequence[Row], title: str) -> tuple[float, float]:
    """Of the kinds of cases that a setting was run on: its mean, and the unchanged one's there."""
    shares: dict[str, dict[str, float]] = {}
    for row in rows:
        place = setting_of(row)
        shares.setdefault(place.cases, {})[place.title] = _kept(row)
    both = [own for own in shares.values() if {title, BASE} <= own.keys()]
    if not both:
        raise LackingError(f"no unchanged setting beside {title}")
    mean, base = (sum(own[name] for own in both) / len(both) for name in (title, BASE))
    return mean, base
