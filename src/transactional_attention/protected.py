"""Ranges that the caller names, as spans that stand before everything that is detected."""

from __future__ import annotations

from .errors import InputError
from .types import CALLER, Span, SponsoredSpan


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
