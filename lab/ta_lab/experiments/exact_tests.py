"""Exact tests of two proportions, and of two settings on the same cases."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

LEVEL = 0.05  # two methods are told apart when Fisher's exact p is below it
TAIL = 0.025  # of a two-sided 95% interval
TIES = 1 + 1e-9  # tables as likely as the one seen, up to rounding


def fisher(first: int, first_trials: int, second: int, second_trials: int) -> float:
    """Two-sided p that two proportions are one (Fisher 1935): the sum over all tables with the same
    margins that are no likelier than the one seen."""
    successes, trials = first + second, first_trials + second_trials
    seen = comb(first_trials, first) * comb(second_trials, second)
    low, high = max(0, successes - second_trials), min(successes, first_trials)
    tables = (
        comb(first_trials, k) * comb(second_trials, successes - k) for k in range(low, high + 1)
    )
    return min(1.0, sum(t for t in tables if t <= seen * TIES) / comb(trials, successes))


class Paired(NamedTuple):
    """``gained``: cases that only the first got; ``lost``: only the second; ``p`` two-sided."""

    gained: int
    lost: int
    p: float


def paired(first: str, second: str, kind: str) -> Paired:
    """Marks of one setting against those of another, case by case (McNemar's exact test).

    ``kind``: the letters that count (``marks``). Cases that one of them lacks are left out."""
    pairs = [(a in kind, b in kind) for a, b in zip(first, second, strict=False)]
    gained, lost = pairs.count((True, False)), pairs.count((False, True))
    tail = sum(comb(gained + lost, k) for k in range(min(gained, lost) + 1))
    return Paired(gained, lost, min(1.0, 2.0 * tail / 2 ** (gained + lost)))


class Difference(NamedTuple):
    """Of two shares of the same cases, with its 95% interval, in [-1, 1]."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval does; it is where the sign test has a p under 0.05."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        return f"{100 * self.value:+.0f} [{100 * self.low:+.0f}, {100 * self.high:+.0f}]"


def difference(found: Paired, cases: int) -> Difference:
    """The share that the first got less that of the second.

    The interval is exact given the cases in which they differ: Clopper and Pearson's, of the share
    of these that the first got. Where they never differ it is 0 and says nothing."""
    apart = found.gained + found.lost
    if not apart:
        return Difference(0.0, 0.0, 0.0)
    low = 0.0 if not found.gained else _root(lambda s: _tail(found.gained, apart, s) - TAIL)
    high = 1.0 if not found.lost else 1 - _root(lambda s: _tail(found.lost, apart, s) - TAIL)
    low, high = ((2 * share - 1) * apart / cases for share in (low, high))
    return Difference((found.gained - found.lost) / cases, low, high)


def _tail(least: int, of: int, share: float) -> float:
    """Probability of so many successes or more."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(least, of + 1))


def _root(rising: Callable[[float], float]) -> float:
    """Where a rising function of [0, 1] crosses zero."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return low
