"""Megabytes a second of every text detector, on prose and on dense configuration, on one core.

An arm reads another text each time, so that no value is weighed from memory; the arms take turns.
Seconds are of the process: what other programs take of the core does not count.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

from transactional_attention.detection.registry import build_detectors
from transactional_attention.detection.scanner import Scanner

from .texts import TEXTS
from .timing import Timing, interleave, stopwatch

TOGETHER = "ta: all of these together"
PEER = "detect-secrets"
PEER_MISSING = (
    "detect-secrets is not installed, so no peer is measured: "
    "pip install 'transactional-attention[bench]'"
)
SIZE = 16_384
TEXTS_OF_A_KIND = 16


def has_peer() -> bool:
    """Whether detect-secrets is installed."""
    return find_spec("detect_secrets") is not None


def detectors(*, rounds: int, size: int = SIZE) -> list[Timing]:
    """Seconds to read ``size`` characters, a text kind after the other; the peer of each kind is
    the detectors of ``ta`` together."""
    timings = []
    for kind, make in TEXTS.items():
        texts = [make(size, seed) for seed in range(TEXTS_OF_A_KIND)]
        works = {TOGETHER: _scan, **{name: _reader(name) for name in ("regex", "semantic")}}
        if has_peer():
            works[PEER] = _scan_peer
        arms = {
            f"{name}, {kind}": _arm(work, itertools.cycle(texts[3 * i :] + texts[: 3 * i]))
            for i, (name, work) in enumerate(works.items())
        }
        timings += interleave(arms, rounds, size)
    return timings


def _arm(work: Callable[[str], object], texts: Iterator[str]) -> Callable[[], float]:
    def arm() -> float:
        work(" ")  # what other arms remember of their last text is forgotten
        return stopwatch(partial(work, next(texts)), time.process_time)

    return arm


def _scan(text: str) -> None:
    Scanner(["values"]).feed(text, final=True)


def _reader(name: str) -> Callable[[str], object]:
    (detector,) = build_detectors([name])
    return detector.find


def _scan_peer(text: str) -> None:
    """What detect-secrets does with a file, with the detectors that it enables by default."""
    from detect_secrets.core.scan import scan_line  # noqa: PLC0415 - an extra
    from detect_secrets.settings import default_settings  # noqa: PLC0415

    with default_settings():
        for line in text.splitlines():
            list(scan_line(line))
