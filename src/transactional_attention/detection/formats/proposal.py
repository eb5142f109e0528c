"""What a parser says: this may be a value, and that is its label; nothing of how sure it is."""

from __future__ import annotations

from ...types import Anchor, Span

Place = tuple[int, int]


def proposed(label: Place, value: Place, rule: str, *, delimited: bool) -> Anchor:
    """A proposal as an anchor without confidence; a label behind its value stays there."""
    start, end = label
    end = end if start >= value[1] else max(start, min(end, value[0]))
    return Anchor(Span(start, end), Span(*value), 0.0, f"structure:{rule}", delimited)
