"""Which anchor wins: among those of one value, and among values when the budget is short."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import replace

from ..types import Anchor
from .opacity import opacity


def rank(anchor: Anchor, text: str) -> tuple[float, ...]:
    """Order under pressure, larger first: confidence, opacity of the value, newest.

    ``text`` is the text that the anchor's spans count in.
    """
    value = text[anchor.value.start : anchor.value.end]
    return (round(anchor.confidence, 6), round(opacity(value), 6), float(anchor.value.start))


def strongest(anchors: Iterable[Anchor]) -> list[Anchor]:
    """At most one anchor a value: of anchors whose values overlap the most confident stays.

    Anchors of the very same value become one, which keeps the longest label that any of them has.
    The result is in the order of the values.
    """
    starts: list[int] = []
    kept: list[Anchor] = []
    for anchor in sorted(anchors, key=_preference):
        at = bisect.bisect_left(starts, anchor.value.end)
        rival = kept[at - 1] if at else None
        if rival is None or rival.value.end <= anchor.value.start:
            starts.insert(at, anchor.value.start)
            kept.insert(at, anchor)
        elif rival.value == anchor.value:
            kept[at - 1] = _joined(rival, anchor)
    return kept


def _preference(anchor: Anchor) -> tuple[float, int, int, str]:
    return (-anchor.confidence, -len(anchor.value), anchor.value.start, anchor.rule)


def _joined(winner: Anchor, other: Anchor) -> Anchor:
    label = max(winner.label, other.label, key=len)
    return replace(winner, label=label, delimited=winner.delimited or other.delimited)
