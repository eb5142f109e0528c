"""RocketKV, stage 1 (2502.14051; card alone, its code is under a non-commercial licence)."""

from __future__ import annotations

from dataclasses import dataclass

from .snap_kv import SnapKV

KERNEL = 63


@dataclass(frozen=True)
class RocketKV(SnapKV):
    """S_j = maximum over 63 neighbours of the last window's attention to them, per kv head.

    SnapKV with a wide maximum pool, so that whole stretches stay; the last w tokens are always
    kept, decoding as in SnapKV. The group's query heads are averaged where the authors sum: the
    order is the same. w = min(8, K/2), theirs is 32.

    Stage 2 is out of reach of eviction: it keeps all that stage 1 left, and at every step reads
    only a part of it, chosen by that step's query. What is not read now may be read next, so
    nothing can be freed. Nor is K the authors' budget, which counts what a step reads: their
    stage 1 holds n / (n / budget)^r tokens, more than that.
    """

    kernel: int = KERNEL
    maximum: bool = True
