"""Ours beside the paper's: a verdict a figure, and sponsorship against its ablation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..cases.metrics import wilson
from .exact import fisher
from .experiment import Row
from .paper import Figure
from .views import Count, count_of, is_main, measures, method_name, same_arm

COMPARABLE = 0.95  # of the full cache on the same cases; below it answers say little of methods
SAME, ABOVE, BELOW = "as in the paper", "above", "below"
INCOMPARABLE = "not comparable"


class Compared(NamedTuple):
    """A row beside a figure of the paper. ``answers`` None where nothing was asked.

    ``fair``: the full cache answers enough of the same cases to say something of methods.
    """

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
            kept = _beside(counted.kept, counted.trials, figure)
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
    return _beside(counted.right, counted.trials, figure)


def _beside(successes: int, trials: int, figure: Figure) -> str:
    """Whether the paper's figure lies in our 95% interval, and on which side ours is if not."""
    if figure.unstated:
        return f"{INCOMPARABLE} ({figure.unstated} unstated)"
    low, high = wilson(successes, trials)
    if low <= figure.value / 100 <= high:
        return SAME
    return ABOVE if successes / trials > figure.value / 100 else BELOW


def judged(compared: Sequence[Compared]) -> list[Compared]:
    """The comparisons that count: the main cells, the method as printed.

    A row in this project's preset counts where the paper's does not exist for its method.
    """
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
