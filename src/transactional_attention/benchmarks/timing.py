"""Interleaved timing: the arms take turns, so a slow moment of the machine hits all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Seconds of one arm, a median a round, and its ratio to the peer, round by round."""

    name: str
    seconds: tuple[float, ...]
    ratios: tuple[float, ...]

    def row(self) -> dict[str, object]:
        """Median and range in milliseconds, and of the ratio."""
        ms = [1e3 * s for s in self.seconds]
        return {
            "name": self.name,
            "median_ms": statistics.median(ms),
            "range_ms": [min(ms), max(ms)],
            "ratio": statistics.median(self.ratios),
            "ratio_range": [min(self.ratios), max(self.ratios)],
            "rounds": len(ms),
        }


def stopwatch(work: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def interleave(arms: dict[str, Callable[[], float]], rounds: int) -> list[Timing]:
    """Run every arm once a round; an arm returns its seconds. The first arm is the peer."""
    for arm in arms.values():
        arm()  # warm-up
    seconds: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(rounds):
        for name, arm in arms.items():
            seconds[name].append(arm())
    peer = next(iter(seconds.values()))
    return [Timing(name, tuple(s), _ratios(s, peer)) for name, s in seconds.items()]


def _ratios(seconds: Sequence[float], peer: Sequence[float]) -> tuple[float, ...]:
    return tuple(a / b for a, b in zip(seconds, peer, strict=True))
