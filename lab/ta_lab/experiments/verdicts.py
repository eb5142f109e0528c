"""Verdicts in words, from one a figure to one line.

``reproduced``, ``better`` or ``worse`` where every figure that can be compared is that, and the
order of methods is not reversed; ``mixed`` with the counts otherwise; ``not comparable`` with the
reasons where fewer than half of the figures can be compared. What is no performance has words of
its own, that for agreement first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

SAME, ABOVE, BELOW = "as in the paper", "above", "below"
INCOMPARABLE = "not comparable"
REPRODUCED, BETTER, WORSE = "reproduced", "better", "worse"
OUTCOMES = (REPRODUCED, BETTER, WORSE)
DIFFERS = "differs"  # what is neither better nor worse: a count, or whether a number moves anything


def incomparable(reason: str) -> str:
    """The verdict on a figure that ours cannot stand beside."""
    return f"{INCOMPARABLE} ({reason})"


NO_FIGURE = f"Judgement: {incomparable('the paper has no number for these cells')}."


def overall(
    found: Sequence[str],
    of: str = "figures of the paper",
    *,
    words: Sequence[str] = OUTCOMES,
    reversed_order: bool = False,
) -> str:
    """The verdict and the counts behind it, from one verdict a figure.

    ``found``: of ``words``, or ``incomparable(reason)``; not empty. ``of``: what they are
    about. ``reversed_order``: some methods stand the other way round than in the paper."""
    counted = Counter(word for word in found if word in words)
    told = ", ".join(f"{counted[word]} {word}" for word in words if counted[word])
    total, fair = f"{len(found)} {of}", sum(counted.values())
    left = len(found) - fair
    others = (word.removeprefix(f"{INCOMPARABLE} (") for word in found if word not in words)
    reasons = "; ".join(dict.fromkeys(word.removesuffix(")") for word in others))
    if 2 * fair < len(found):
        beside = f", {told}" if told else ""
        return f"{incomparable(reasons)}: {left} of {total}{beside}"
    beside = f", {left} {incomparable(reasons)}" if left else ""
    if len(counted) > 1:
        return f"mixed: {told} of {total}{beside}"
    (word,) = counted
    if word == words[0] and reversed_order:
        return f"mixed, the order of methods does not hold: {told} of {total}{beside}"
    return f"{word}: {fair} of {total}{beside}"


class Order(NamedTuple):
    """Pairs of methods that the paper tells apart: as there, the other way round, alike here."""

    holds: int
    reversed: int
    alike: int

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> Order:
        """Of differences, the paper's and ours of each pair; ours is 0 where it is chance."""
        apart = [theirs * ours for theirs, ours in pairs if theirs]
        holds, turned = sum(both > 0 for both in apart), sum(both < 0 for both in apart)
        return cls(holds, turned, len(apart) - holds - turned)

    def __str__(self) -> str:
        apart = f"holds in {self.holds} of {sum(self)} pairs"
        return f"{apart}, {self.reversed} reversed, {self.alike} not told apart"
