"""Fisher's exact test of two proportions."""

from __future__ import annotations

from math import comb

TIES = 1 + 1e-9  # tables as likely as the one seen, up to rounding


def fisher(first: int, first_trials: int, second: int, second_trials: int) -> float:
    """Two-sided p that two proportions are one (Fisher 1935): the sum over all tables with the same
    margins that are no likelier than the one seen.
    """
    successes, trials = first + second, first_trials + second_trials
    seen = comb(first_trials, first) * comb(second_trials, second)
    low, high = max(0, successes - second_trials), min(successes, first_trials)
    tables = (
        comb(first_trials, k) * comb(second_trials, successes - k) for k in range(low, high + 1)
    )
    return min(1.0, sum(t for t in tables if t <= seen * TIES) / comb(trials, successes))
