"""Exact tests of two proportions, and of two settings on the same cases."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

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
