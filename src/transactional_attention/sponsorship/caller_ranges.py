"""Ranges that the caller names, as spans that stand before everything that is detected."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import InputError
from ..types import CALLER, Span, SponsoredSpan


def caller_span(value: Span, priority: float) -> SponsoredSpan:
    """A span that stands before everything that is detected."""
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
        rank=(1e6 + priority, 1.0, float(value.start)),
    )


def caller_spans(
    ranges: Iterable[tuple[Span, float, bool]], seen: int
) -> list[tuple[SponsoredSpan, bool]]:
    """Spans of (tokens, priority, required), as far as ``seen`` tokens; with ``required``."""
    return [
        (caller_span(Span(span.start, min(span.end, seen)), priority), required)
        for span, priority, required in ranges
        if span.start < seen and len(span)
    ]
