"""Interleaved timing: the arms take turns, so a slow moment of the machine hits all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from torch.profiler import record_function


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
    arms: Mapping[str, Callable[[], float]], rounds: int, characters: int = 0
) -> list[Timing]:
    """Run every arm once a round; an arm returns its seconds. The first arm is the peer."""

    def named(name: str, arm: Callable[[], float]) -> Callable[[], dict[str, float]]:
        return lambda: {name: arm()}

    return interleave_parts({n: named(n, arm) for n, arm in arms.items()}, rounds, characters)


def interleave_parts(
    arms: Mapping[str, Callable[[], Mapping[str, float]]], rounds: int, characters: int = 0
) -> list[Timing]:
    """The same for arms that return seconds by name, several at once; the first name is the peer.

    A profiler sees every arm under its name.
    """
    for arm in arms.values():
        arm()  # warm-up
    seconds: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, arm in arms.items():
            with record_function(name):
                found = arm()
            for part, spent in found.items():
                seconds.setdefault(part, []).append(spent)
    peer = next(iter(seconds.values()))
    return [Timing(name, tuple(s), ratios(s, peer), characters) for name, s in seconds.items()]


def ratios(seconds: Sequence[float], peer: Sequence[float]) -> tuple[float, ...]:
    """Seconds over the peer's, turn by turn."""
    return tuple(a / b for a, b in zip(seconds, peer, strict=True))
