"""Which anchor wins where values overlap."""

from __future__ import annotations

import bisect
import operator
from collections.abc import Iterable
from itertools import accumulate, compress

from ..types import Anchor, Span
from .detector import MAX_VALUE

WHOLE = "structure:block"
"""Rule of a value of several lines. No part of it is a value."""
TRUNCATED = "structure:unended"
"""Rule of a value that is longer than a value may be. What was read of it only tells that it is
there."""
MULTILINE = frozenset((WHOLE, TRUNCATED))
"""Rules of values whose parser decides (see ``formats.blocks``)."""
MOST = 0.95
"""Confidence up to which a second rule can raise a value."""
AGREED = 0.05
"""What a second detector adds to an announced value that it finds too."""
_START = operator.attrgetter("value.start")


def is_truncated(anchor: Anchor) -> bool:
    """Whether only the beginning of a value is known: it is reported and never kept."""
    return anchor.rule == TRUNCATED or len(anchor.value) > MAX_VALUE


def winners(anchors: Iterable[Anchor]) -> list[Anchor]:
    """As ``strongest``. Only anchors that overlap another are compared: most do not."""
    ordered = sorted(anchors, key=_START)
    starts = [anchor.value.start for anchor in ordered]
    reach = list(accumulate((anchor.value.end for anchor in ordered), max))
    before = [False, *map(operator.lt, starts[1:], reach)]  # overlaps one before it
    contested = [one or other for one, other in zip(before, [*before[1:], False])]
    if not any(contested):
        return ordered
    alone = [anchor for anchor, meets in zip(ordered, contested) if not meets]
    return sorted([*alone, *strongest(compress(ordered, contested))], key=_in_order)


def strongest(anchors: Iterable[Anchor]) -> list[Anchor]:
    """At most one anchor per value: where values overlap, the most confident one stays.

    A part stays beside its whole, such as a password in a connection string: both its label and its
    value lie inside another value. It is kept if the whole does not fit, and costs nothing if it
    does. Anchors of exactly the same value become one, with the longest of their labels. The result
    is ordered by value.
    """
    ordered = sorted(anchors, key=_preference)
    if any(anchor.rule in MULTILINE for anchor in ordered):
        ordered = _multiline(ordered)
    parts = _parts(ordered)
    if not parts:
        return _disjoint(ordered)
    wholes = _disjoint([anchor for anchor in ordered if id(anchor) not in parts])
    inner = strongest(anchor for anchor in ordered if id(anchor) in parts)  # parts have parts
    taken = {(anchor.value.start, anchor.value.end) for anchor in wholes}
    chosen = wholes + [a for a in inner if (a.value.start, a.value.end) not in taken]
    return sorted(chosen, key=_in_order)


def _in_order(anchor: Anchor) -> tuple[int, int]:
    return anchor.value.start, -anchor.value.end


def _multiline(anchors: list[Anchor]) -> list[Anchor]:
    """The values of several lines, and those that overlap none of them."""
    # what opens such a value stands between its label and it
    wholes = [
        Span(min(anchor.label.start, anchor.value.start), anchor.value.end)
        for anchor in anchors
        if anchor.rule in MULTILINE
    ]
    return [a for a in anchors if a.rule in MULTILINE or not any(map(a.value.overlaps, wholes))]


def _parts(anchors: list[Anchor]) -> set[int]:
    """Ids of anchors whose label and value lie inside another value."""
    by_start = sorted((a.value.start, a.value.end) for a in anchors)
    starts = [start for start, _ in by_start]
    reach = list(accumulate((end for _, end in by_start), max))
    parts = set()
    for anchor in anchors:
        label, value = anchor.label, anchor.value
        at = bisect.bisect_right(starts, min(label.start, value.start))
        inside = at and reach[at - 1] >= max(label.end, value.end)
        if inside and label.start < label.end:
            parts.add(id(anchor))
    return parts


def _disjoint(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Of overlapping anchors the first one; the result is ordered by value."""
    starts: list[int] = []
    kept: list[Anchor] = []
    for anchor in anchors:
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
    """The winner; more confident if it is announced and another detector agrees."""
    delimited = winner.delimited or other.delimited
    announced = winner.label or other.label
    agreed = AGREED if announced and _detector(winner) != _detector(other) else 0.0
    confidence = max(winner.confidence, min(MOST, winner.confidence + agreed))
    label = winner.label if len(other.label) <= len(winner.label) else other.label
    if (label, delimited, confidence) == (winner.label, winner.delimited, winner.confidence):
        return winner
    return winner._replace(label=label, confidence=confidence, delimited=delimited)


def _detector(anchor: Anchor) -> str:
    return anchor.rule.split(":", 1)[0]
