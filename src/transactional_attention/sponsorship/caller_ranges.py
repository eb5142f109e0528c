"""Spans that no detector finds: ranges that the caller names."""

from collections.abc import Callable, Iterable

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
    """Spans of ranges (tokens, priority, required), cut at the ``seen`` tokens read so far, each
    with its ``required``. Empty ranges and those that begin later are left out."""
    return [
        (caller_span(Span(span.start, min(span.end, seen)), priority, required), required)
        for span, priority, required in ranges
        if span.start < seen and len(span)
    ]
