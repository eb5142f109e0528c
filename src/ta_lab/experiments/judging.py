"""One line of judgement on cells: figures, whole values, and the order of methods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

from .comparing import ABOVE, BELOW, SAME, Compared, compare, judged
from .exact import fisher
from .experiment import Row
from .paper import Figure
from .verdicts import BETTER, NO_FIGURE, REPRODUCED, WORSE, overall

LEVEL = 0.05  # two methods are told apart here when Fisher's exact p is below it
WORDS = {SAME: REPRODUCED, ABOVE: BETTER, BELOW: WORSE}
_SHARE = re.compile(r"full cache .*?, 95% needed")


class Order(NamedTuple):
    """Pairs of methods that the paper tells apart: as there, the other way round, alike here."""

    holds: int
    reversed: int
    alike: int

    def __str__(self) -> str:
        apart = f"holds in {self.holds} of {sum(self)} pairs"
        return f"{apart}, {self.reversed} reversed, {self.alike} not told apart"


def judgement(rows: Sequence[Row], figures: Sequence[Figure]) -> str:
    """The verdict by answers, or by values where none are asked; values kept; both orders."""
    chosen = judged(compare(rows, figures))
    if not chosen:
        return NO_FIGURE
    asked = [item for item in chosen if item.answers is not None]
    orders = {
        "answers": order([item for item in asked if item.fair], _answered),
        "values kept": order(chosen, _kept),
    }
    judging = orders["answers" if sum(orders["answers"]) else "values kept"]
    words = [_word(item.kept if item.answers is None else item.answers) for item in chosen]
    by = " by answers" if len(asked) == len(chosen) else "" if asked else " by values kept"
    parts = [overall(words, f"figures of the paper{by}", reversed_order=judging.reversed > 0)]
    if asked:
        parts.append(f"whole values kept: {_tally([item.kept for item in chosen])}")
    parts += [
        f"the order of methods by {what} {found}" for what, found in orders.items() if sum(found)
    ]
    return f"Judgement: {'; '.join(parts)}."


def _word(verdict: str) -> str:
    return WORDS.get(verdict, _SHARE.sub("full cache under 95%", verdict))


def _tally(verdicts: Sequence[str]) -> str:
    counted = Counter(map(_word, verdicts))
    return ", ".join(f"{number} {name}" for name, number in counted.most_common())


def _kept(item: Compared) -> int:
    return item.ours.kept


def _answered(item: Compared) -> int:
    return item.ours.right or 0


def order(chosen: Sequence[Compared], successes: Callable[[Compared], int]) -> Order:
    """Pairs of methods of one cell that the paper tells apart, and whether ours does so, too."""
    cells: dict[tuple[object, ...], list[Compared]] = {}
    for item in chosen:
        cell = (item.figure.table, item.row["block"], item.row["budget"], item.figure.measure)
        cells.setdefault(cell, []).append(item)
    found: Counter[str] = Counter()
    for items in cells.values():
        for first, second in combinations(items, 2):
            theirs = first.figure.value - second.figure.value
            if theirs:
                ours = _apart(first, second, successes)
                found["alike" if not ours else "holds" if theirs * ours > 0 else "reversed"] += 1
    return Order(found["holds"], found["reversed"], found["alike"])


def _apart(first: Compared, second: Compared, successes: Callable[[Compared], int]) -> float:
    """Difference of two shares; 0 where so few cases do not tell them apart."""
    ours = [(successes(item), item.ours.trials) for item in (first, second)]
    if fisher(*ours[0], *ours[1]) >= LEVEL:
        return 0.0
    return ours[0][0] / ours[0][1] - ours[1][0] / ours[1][1]
