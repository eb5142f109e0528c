"""Two settings on the same cases: how many each one alone got, and the exact sign test."""

from __future__ import annotations

from math import comb
from typing import NamedTuple


class Paired(NamedTuple):
    """``gained``: cases that only the first got; ``lost``: only the second; ``p`` two-sided."""

    gained: int
    lost: int
    p: float


def paired(first: str, second: str, kind: str) -> Paired:
    """Marks of one setting against those of another, case by case (McNemar's exact test).

    ``kind``: the letters that count (``marks``). Cases that one of them lacks are left out.
    """
    pairs = [(a in kind, b in kind) for a, b in zip(first, second, strict=False)]
    gained, lost = pairs.count((True, False)), pairs.count((False, True))
    tail = sum(comb(gained + lost, k) for k in range(min(gained, lost) + 1))
    return Paired(gained, lost, min(1.0, 2.0 * tail / 2 ** (gained + lost)))
