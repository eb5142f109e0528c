"""Interleaved timing: the arms take turns, so a slow moment of the machine hits all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """Seconds of one arm, a median a round, and its ratio to the peer, round by round.

    ``characters``: what an arm that reads text read in a round, 0 for others.
    """

    name: str
    seconds: tuple[float, ...]
    ratios: tuple[float, ...]
    characters: int = 0

    def row(self) -> dict[str, object]:
        """Median and range in milliseconds, and of the ratio; MB/s of arms that read text."""
        ms = [1e3 * s for s in self.seconds]
        speed = {"mb_per_s": self.characters / 1e3 / statistics.median(ms)}
        return {
            "name": self.name,
            "median_ms": statistics.median(ms),
            "range_ms": [min(ms), max(ms)],
            "ratio": statistics.median(self.ratios),
            "ratio_range": [min(self.ratios), max(self.ratios)],
            "rounds": len(ms),
            **(speed if self.characters else {}),
        }


def stopwatch(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that one call takes."""
    start = clock()
    work()
    return clock() - start


def interleave(
    arms: dict[str, Callable[[], float]], rounds: int, characters: int = 0
) -> list[Timing]:
    """Run every arm once a round; an arm returns its seconds. The first arm is the peer."""
    for arm in arms.values():
        arm()  # warm-up
    seconds: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(rounds):
        for name, arm in arms.items():
            seconds[name].append(arm())
    peer = next(iter(seconds.values()))
    return [Timing(name, tuple(s), _ratios(s, peer), characters) for name, s in seconds.items()]


def _ratios(seconds: Sequence[float], peer: Sequence[float]) -> tuple[float, ...]:
    return tuple(a / b for a, b in zip(seconds, peer, strict=True))
