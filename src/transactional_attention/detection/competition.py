"""Which anchor wins: among those of one value, and among values when the budget is short."""

from __future__ import annotations

import bisect
import operator
from collections.abc import Iterable
from itertools import accumulate, compress

from ..types import Anchor, Span
from .detector import MAX_VALUE

WHOLE = "structure:block"
"""Rule of a value of several lines, of which no part is a value."""
TRUNCATED = "structure:unended"
"""Rule of one that is longer than a value may be: what is read of it says that it is there."""
MULTILINE = frozenset((WHOLE, TRUNCATED))
"""Rules of values whose parser decides (see ``formats.blocks``)."""
MOST = 0.95
"""Confidence that a second rule can lend at most."""
AGREED = 0.05
"""What it adds that a second detector finds a value that is announced."""
_START = operator.attrgetter("value.start")


def is_truncated(anchor: Anchor) -> bool:
    """Whether no more than the begin of a value is known: it is reported and never kept."""
    return anchor.rule == TRUNCATED or len(anchor.value) > MAX_VALUE


def winners(anchors: Iterable[Anchor]) -> list[Anchor]:
    """``strongest`` of anchors, asked of those alone that overlap another: most do not."""
    every = sorted(anchors, key=_START)
    starts = [anchor.value.start for anchor in every]
    reach = list(accumulate((anchor.value.end for anchor in every), max))
    before = [False, *map(operator.lt, starts[1:], reach)]  # overlaps one before it
    contested = [one or other for one, other in zip(before, [*before[1:], False])]
    if not any(contested):
        return every
    alone = [anchor for anchor, meets in zip(every, contested) if not meets]
    return sorted([*alone, *strongest(compress(every, contested))], key=_in_order)


def strongest(anchors: Iterable[Anchor]) -> list[Anchor]:
    """At most one anchor a value: of anchors whose values overlap the most confident stays.

    A part (a password in a connection string) stays beside its whole: the label and the value of a
    part both lie inside another value. It is kept where the whole does not fit, and costs nothing
    where it does. Anchors of the very same value become one, which keeps the longest label that
    any of them has. The result is in the order of the values.
    """
    every = sorted(anchors, key=_preference)
    if any(anchor.rule in MULTILINE for anchor in every):
        every = _multiline(every)
    parts = _parts(every)
    if not parts:
        return _disjoint(every)
    wholes = _disjoint([anchor for anchor in every if id(anchor) not in parts])
    inner = strongest(anchor for anchor in every if id(anchor) in parts)  # parts have parts
    taken = {(anchor.value.start, anchor.value.end) for anchor in wholes}
    both = wholes + [a for a in inner if (a.value.start, a.value.end) not in taken]
    return sorted(both, key=_in_order)


def _in_order(anchor: Anchor) -> tuple[int, int]:
    return anchor.value.start, -anchor.value.end


def _multiline(anchors: list[Anchor]) -> list[Anchor]:
    """Those whose values overlap none of several lines, and these."""
    # what opens such a value stands between its label and it
    wholes = [
        Span(min(anchor.label.start, anchor.value.start), anchor.value.end)
        for anchor in anchors
        if anchor.rule in MULTILINE
    ]
    return [a for a in anchors if a.rule in MULTILINE or not any(map(a.value.overlaps, wholes))]


def _parts(anchors: list[Anchor]) -> set[int]:
    """Identities of anchors whose label and value lie inside the value of another."""
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
    """The first of overlapping anchors, in the order of their values."""
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
    """The winner, surer where it is announced and another detector agrees."""
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
