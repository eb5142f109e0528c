"""METHODS: a name, and what it puts together. One line a method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .config import Retention
from .errors import UnknownNameError
from .scorers import Scorer
from .scorers.random_tokens import RandomTokens
from .scorers.recency import Recency
from .scorers.ta_fast import TAFast


@dataclass(frozen=True)
class Method:
    """A named combination of detectors, scorer and mandatory tokens.

    ``detectors`` run on the text. ``sinks`` and ``recent`` are the method's own mandatory tokens;
    ``None`` takes the preset's. ``observes``: what the scorer reads of a layer.
    """

    name: str
    summary: str
    source: str
    scorer: Callable[[Retention], Scorer]
    detectors: tuple[str, ...] = ()
    shapes: bool = False
    sinks: int | None = None
    recent: int | None = None
    unlimited: bool = False
    observes: str = "nothing"

    def detectors_for(self, retention: Retention) -> tuple[str, ...]:
        """Detectors of a preset: the default one adds value shapes to those of the paper."""
        extra = ("shapes",) if self.shapes and retention.preset == "default" else ()
        return (*self.detectors, *extra)


def _recency(retention: Retention) -> Scorer:
    return Recency()


def _random(retention: Retention) -> Scorer:
    return RandomTokens(retention.seed)


def _ta_fast(retention: Retention) -> Scorer:
    return TAFast(retention.weights)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("full", "the full cache, nothing evicted", "-", _recency, unlimited=True),
        Method("random", "tokens at random (control)", "this project", _random),
        Method("oracle", "the value's own span, given (control)", "this project", _ta_fast),
        Method(
            "streaming-llm", "4 sinks and the newest", "2309.17453", _recency, sinks=4, recent=1
        ),
        Method(
            "ta-fast-regex", "paper, TA-Fast-Regex", "2604.11288", _ta_fast, ("regex",), shapes=True
        ),
        Method(
            "ta-fast-semantic",
            "paper, TA-Fast-Semantic",
            "2604.11288",
            _ta_fast,
            ("semantic",),
            shapes=True,
        ),
    )
}


def get_method(name: str) -> Method:
    """The method of that name.

    Raises:
        UnknownNameError: with the closest names.
    """
    if name not in METHODS:
        raise UnknownNameError("method", name, METHODS)
    return METHODS[name]
