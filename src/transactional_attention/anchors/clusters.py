"""Where values compete: only those that overlap, so only those are compared.

Most values overlap no other, and a value that stands alone always wins. Clusters of overlapping
values do not touch each other, so ``strongest`` may judge them together or one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from ..types import Anchor
from .competition import strongest

_START = attrgetter("value.start")


def winners(anchors: Iterable[Anchor]) -> list[Anchor]:
    """``strongest`` of anchors, asked of the overlapping ones alone."""
    alone: list[Anchor] = []
    contested: list[Anchor] = []
    reach, before = -1, None  # where the values so far end; the anchor last read, if it is alone
    for anchor in sorted(anchors, key=_START):
        value = anchor.value
        if value.start >= reach:
            if before is not None:
                alone.append(before)
            before, reach = anchor, value.end
            continue
        if before is not None:
            contested.append(before)
            before = None
        contested.append(anchor)
        reach = max(reach, value.end)
    if before is not None:
        alone.append(before)
    if not contested:
        return alone
    return sorted([*alone, *strongest(contested)], key=_in_order)


def _in_order(anchor: Anchor) -> tuple[int, int]:
    return anchor.value.start, -anchor.value.end
