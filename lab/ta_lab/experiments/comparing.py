"""Our rows beside the paper's figures: a verdict a figure, and one line of judgement; sponsorship
beside its ablation; ours beside each baseline's best setting."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from ..cases.metrics import wilson
from .counting import (
    Count,
    count_of,
    is_baseline,
    is_main,
    measures,
    method_name,
    same_arm,
    successes,
)
from .exact_tests import LEVEL, fisher, paired
from .experiment import Row
from .paper import Figure
from .running import KEPT, RIGHT
from .verdicts import (
    ABOVE,
    BELOW,
    BETTER,
    INCOMPARABLE,
    NO_FIGURE,
    REPRODUCED,
    SAME,
    WORSE,
    Order,
    overall,
)

COMPARABLE = 0.95  # of the full cache on the same cases; below it answers say little of methods


class Compared(NamedTuple):
    """A row beside a figure of the paper. ``answers`` None where nothing was asked.

    ``fair``: the full cache answers enough of the same cases to say something of methods."""

    row: Row
    figure: Figure
    ours: Count
    kept: str
    answers: str | None
    fair: bool


def full_share(row: Row, rows: Sequence[Row], measure: str) -> float | None:
    """Share of right answers of the full cache on the cases of a row; None where none was asked."""
    for other in rows:
        same = all(other[name] == row[name] for name in ("block", "protocol", "answered"))
        if other["method"] == "full" and same and measure in (*measures(other), "answers"):
            found = count_of(other, measure)
            return None if found.right is None else found.right / found.trials
    return None


def compare(rows: Sequence[Row], figures: Sequence[Figure]) -> list[Compared]:
    """Every row with every figure that is about it."""
    found = []
    for row in rows:
        for figure in figures:
            if not figure.about(row) or figure.measure not in (*measures(row), "answers"):
                continue
            counted = count_of(row, figure.measure)
            kept = _side(counted.kept, counted.trials, figure)
            full = full_share(row, rows, figure.measure)
            answers = _answers(full, figure, counted)
            fair = full is not None and full >= COMPARABLE
            found.append(Compared(row, figure, counted, kept, answers, fair))
    return found


def _answers(full: float | None, figure: Figure, counted: Count) -> str | None:
    if counted.right is None:
        return None
    if full is None or full < COMPARABLE:
        shown = "not run" if full is None else f"{100 * full:.0f}%"
        return f"{INCOMPARABLE} (full cache {shown}, 95% needed)"
    return _side(counted.right, counted.trials, figure)


def _side(successes: int, trials: int, figure: Figure) -> str:
    """Whether the paper's figure lies in our 95% interval, and on which side ours is if not."""
    if figure.unstated:
        return f"{INCOMPARABLE} ({figure.unstated} unstated)"
    low, high = wilson(successes, trials)
    if low <= figure.value / 100 <= high:
        return SAME
    return ABOVE if successes / trials > figure.value / 100 else BELOW


def judged(compared: Sequence[Compared]) -> list[Compared]:
    """The comparisons that count: the main cells, the method as printed.

    A row in this project's preset counts where the paper's does not exist for its method."""
    main = [item for item in compared if is_main(item.row)]
    printed = {item.row["method"] for item in main if item.row["preset"] == "paper"}
    return [
        item for item in main if item.row["preset"] == "paper" or item.row["method"] not in printed
    ]


def ablations(rows: Sequence[Row]) -> list[str]:
    """Fisher's exact test of every sponsored cell against its ablation, in words."""
    lines = []
    for without in rows:
        if without["sponsored"]:
            continue
        for row in rows:
            if row["sponsored"] and same_arm(row, without, but="sponsored"):
                lines.append(_tested(row, count_of(row), count_of(without)))
    return lines


def _tested(row: Row, ours: Count, ablation: Count) -> str:
    def test(what: str, first: int, second: int) -> str:
        p = fisher(first, ours.trials, second, ablation.trials)
        shares = f"{first}/{ours.trials} and {second}/{ablation.trials}"
        return f"{what} {shares}, p = {p:.2g}"

    parts = [test("kept whole", ours.kept, ablation.kept)]
    if ours.right is not None and ablation.right is not None:
        parts.append(test("answered", ours.right, ablation.right))
    name = f"{row['block']}, question {row['protocol']}, {method_name(row)}, K={row['budget']}"
    return f"{name}: {'; '.join(parts)}"


WORDS = {SAME: REPRODUCED, ABOVE: BETTER, BELOW: WORSE}
_SHARE = re.compile(r"full cache .*?, 95% needed")


def judgement(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """The verdict by answers, or by values where none are asked; values kept; both orders."""
    chosen = judged(compare(rows, figures))
    if not chosen:
        return NO_FIGURE
    asked = [item for item in chosen if item.answers is not None]
    orders = {
        "answers": order([item for item in asked if item.fair], lambda item: item.ours.right or 0),
        "values kept": order(chosen, lambda item: item.ours.kept),
    }
    judging = orders["answers" if sum(orders["answers"]) else "values kept"]
    words = [_word(item.kept if item.answers is None else item.answers) for item in chosen]
    by = " by answers" if len(asked) == len(chosen) else "" if asked else " by values kept"
    parts = [overall(words, f"figures of the paper{by}", reversed_order=judging.reversed > 0)]
    if asked:
        kept = Counter(_word(item.kept) for item in chosen).most_common()
        parts.append(f"whole values kept: {', '.join(f'{number} {name}' for name, number in kept)}")
    parts += [
        f"the order of methods by {what} {found}" for what, found in orders.items() if sum(found)
    ]
    return f"Judgement: {'; '.join(parts)}."


def _word(verdict: str) -> str:
    return WORDS.get(verdict, _SHARE.sub("full cache under 95%", verdict))


def order(chosen: Sequence[Compared], successes: Callable[[Compared], int]) -> Order:
    """Pairs of methods of one cell that the paper tells apart, and whether ours does so, too."""
    cells: dict[tuple[object, ...], list[Compared]] = {}
    for item in chosen:
        cell = (item.figure.table, item.row["block"], item.row["budget"], item.figure.measure)
        cells.setdefault(cell, []).append(item)
    pairs = (pair for items in cells.values() for pair in combinations(items, 2))
    return Order.of((a.figure.value - b.figure.value, _apart(a, b, successes)) for a, b in pairs)


def _apart(first: Compared, second: Compared, successes: Callable[[Compared], int]) -> float:
    """Difference of two shares; 0 where so few cases do not tell them apart."""
    ours = [(successes(item), item.ours.trials) for item in (first, second)]
    if fisher(*ours[0], *ours[1]) >= LEVEL:
        return 0.0
    return ours[0][0] / ours[0][1] - ours[1][0] / ours[1][1]


OURS = (("ta", "default"), ("ta-fast-semantic", "paper"), ("ta-fast-regex", "paper"))
AHEAD, ALIKE, BEHIND = "ahead", "not told apart", "behind"


class Line(NamedTuple):
    """A baseline's best cell beside ours, by answers or by whole values kept."""

    best: Row
    settings: int
    by: str
    ours: dict[str, tuple[Row, str]]


def against_best(rows: Sequence[Row]) -> list[Line]:
    """One for each baseline, kind of cases and K where ``ta`` or TA-Fast stands, too.

    A baseline has every setting of it that a record holds: question hidden or shown, strict ledger
    or on top, its own ends or 4 sinks and the tail. Ours has one: hidden, strict."""
    main: dict[tuple[str, int, bool], list[Row]] = {}
    for row in rows:
        if is_main(row) and row["sponsored"] and (row["method"], row["preset"]) in OURS:
            main.setdefault(_place(row), []).append(row)
    found: list[Line] = []
    for place, own in main.items():
        full = full_share(own[0], rows, "answers")
        by = RIGHT if full is not None and full >= COMPARABLE else KEPT
        baselines: dict[str, list[Row]] = {}
        for row in rows:
            if _place(row) == place and is_baseline(row["method"]):
                baselines.setdefault(row["method"], []).append(row)
        for cells in baselines.values():
            best = max(cells, key=lambda row: successes(row, by) / count_of(row).trials)
            ours = {method_name(row): (row, _beside(row, best, by)) for row in own}
            found.append(Line(best, len(cells), by, ours))
    return found


def _place(row: Row) -> tuple[str, int, bool]:
    return row["block"], row["budget"], row["answered"]


def _beside(row: Row, best: Row, by: str) -> str:
    ours, theirs = ("".join(one["marks"].values()) for one in (row, best))
    found = paired(ours, theirs, by)
    if found.p >= LEVEL:
        return ALIKE
    return AHEAD if found.gained > found.lost else BEHIND
