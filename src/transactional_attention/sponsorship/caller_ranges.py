"""Spans that no detector finds: ranges that the caller names, and random ones (control)."""

from collections.abc import Callable, Iterable

import numpy as np

from ..errors import InputError
from ..types import CALLER, NAMED, REQUIRED, Rank, Span, SponsoredSpan

Displacement = Callable[[SponsoredSpan, int, int, int], SponsoredSpan]


def caller_span(value: Span, priority: float, required: bool = True) -> SponsoredSpan:
    """A span that ranks above everything that is detected, and above all other spans if
    ``required``."""
    if not len(value):
        raise InputError("a protected range must cover at least one token")
    return SponsoredSpan(
        label=Span(value.start, value.start),
        value=value,
        anchor=max(value.start - 1, 0),
        budget=0.0,
        confidence=1.0,
        rule=CALLER,
        source="unknown",
        rank=Rank(REQUIRED if required else NAMED, priority, place=float(value.start)),
    )


def caller_spans(
    ranges: Iterable[tuple[Span, float, bool]], seen: int
) -> list[tuple[SponsoredSpan, bool]]:
    """Spans of ranges (tokens, priority, required), cut at the ``seen`` tokens read so far; each
    with ``required``."""
    return [
        (caller_span(Span(span.start, min(span.end, seen)), priority, required), required)
        for span, priority, required in ranges
        if span.start < seen and len(span)
    ]


def displaced(span: SponsoredSpan, length: int, seed: int, row: int) -> SponsoredSpan:
    """Control: the span moved to a uniformly random place among ``length`` tokens. Rank, size and
    rule stay.

    The same seed, row and span give the same place. Places may overlap each other, and by chance
    the value itself. In a later turn, a place whose tokens are gone is not kept.
    """
    size = len(span.value)
    generator = np.random.default_rng((seed, row, span.value.start, size))
    start = int(generator.integers(0, max(length - size, 0) + 1))
    return span._replace(
        label=Span(start, start),
        value=Span(start, start + size),
        anchor=max(start - 1, 0),
    )
