"""Interleaved timing: the arms take turns, so a slow moment of the machine hits all of them.

The clock is the host's, or events of a CUDA stream."""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch

from transactional_attention.errors import InputError, UnsupportedError

T = TypeVar("T")


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
            "ratio_ci95": median_interval(self.ratios),
            "rounds": len(ms),
        }


def median_interval(values: Sequence[float]) -> list[float] | None:
    """Two of the values between which their median lies in 95% of such samples or more.

    The least number of values that lie below the median is counted as heads of a fair coin. None
    for fewer than six values, of which even the range is too narrow."""
    size, ordered = len(values), sorted(values)
    outside = [sum(math.comb(size, i) for i in range(k)) / 2**size for k in range(size // 2 + 1)]
    rank = sum(2 * share <= 0.05 for share in outside) - 1
    return [ordered[rank - 1], ordered[size - rank]] if rank > 0 else None


def stopwatch(work: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turn(items: Sequence[Any], arm: int) -> Iterator[Any]:
    """The items over and over, from another one on for every arm: none are at the same text."""
    first = 3 * arm % len(items)
    return itertools.cycle([*items[first:], *items[:first]])


def in_rounds(arms: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """What every arm gives, which runs once a round, after the others."""
    outputs: dict[str, list[T]] = {name: [] for name in arms}
    for _ in range(rounds):
        for name, arm in arms.items():
            outputs[name].append(arm())
    return outputs


def timings(seconds: Mapping[str, Sequence[float]]) -> list[Timing]:
    """Of seconds by name, turn by turn; the first name is the peer."""
    peer = next(iter(seconds.values()))
    return [Timing(name, tuple(series), ratios(series, peer)) for name, series in seconds.items()]


def interleave(arms: Mapping[str, Callable[[], float]], rounds: int) -> list[Timing]:
    """Run every arm once a round; an arm returns its seconds. The first arm is the peer."""
    in_rounds(arms, 1)  # warm-up
    return timings(in_rounds(arms, rounds))


def interleave_parts(
    arms: Mapping[str, Callable[[], Mapping[str, float]]], rounds: int
) -> list[Timing]:
    """The same for arms that return seconds by name, several at once; the first name is the
    peer."""
    in_rounds(arms, 1)  # warm-up
    each = in_rounds(arms, rounds).values()
    return timings(
        {part: [one[part] for one in samples] for samples in each for part in samples[0]}
    )


def ratios(seconds: Sequence[float], peer: Sequence[float]) -> tuple[float, ...]:
    """Seconds over the peer's, turn by turn."""
    return tuple(a / b for a, b in zip(seconds, peer, strict=True))


def find_device(name: str) -> torch.device:
    """The device of a name, ``cpu`` or ``cuda``. Raises InputError for another name. Raises
    UnsupportedError for ``cuda`` on a machine without such a device."""
    if name not in ("cpu", "cuda"):
        raise InputError(f"--device must be cpu or cuda, got {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise UnsupportedError(
            "--device cuda: there is no CUDA device on this machine, nothing was measured; "
            "use --device cpu"
        )
    return torch.device(name)


def describe(device: torch.device) -> dict[str, Any]:
    """What a record says of a device: its kind, and the card."""
    if device.type != "cuda":
        return {"device": device.type}
    card = torch.cuda.get_device_properties(device)
    return {
        "device": "cuda",
        "card": card.name,
        "card_bytes": card.total_memory,
        "cuda": torch.version.cuda,
    }


def seconds(work: Callable[[], object], device: torch.device) -> float:
    """Seconds of one call: wall time on the host, time between two events on a CUDA device.

    The device is idle when it begins, so gaps in which it waits for the host count as well."""
    if device.type != "cuda":
        return stopwatch(work)
    torch.cuda.synchronize(device)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    torch.cuda.synchronize(device)
    return start.elapsed_time(end) / 1e3
