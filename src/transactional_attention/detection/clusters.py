"""Where values compete: only those that overlap, so only those are compared.

Most values overlap no other, and a value that stands alone always wins. Clusters of overlapping
values do not touch each other, so ``strongest`` may judge them together or one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from ..types import Anchor
from .competition import stronger, strongest

_START = attrgetter("value.start")


def winners(anchors: Iterable[Anchor]) -> list[Anchor]:
    """``strongest`` of anchors, asked of the overlapping ones alone."""
    settled: list[Anchor] = []
    contested: list[Anchor] = []
    cluster: list[Anchor] = []  # anchors that overlap one another
    reach = -1  # where their values end
    for anchor in sorted(anchors, key=_START):
        if anchor.value.start < reach:
            cluster.append(anchor)
            reach = max(reach, anchor.value.end)
            continue
        if len(cluster) == 1:
            settled.append(cluster[0])  # most values
        else:
            _settle(cluster, settled, contested)
        cluster, reach = [anchor], anchor.value.end
    _settle(cluster, settled, contested)
    if not contested:
        return settled
    return sorted([*settled, *strongest(contested)], key=_in_order)


def _settle(cluster: list[Anchor], settled: list[Anchor], contested: list[Anchor]) -> None:
    """Put a cluster's winner, or all of it where that takes more thought, with the others."""
    winner: Anchor | None = None
    if len(cluster) == 1:
        winner = cluster[0]
    elif len(cluster) == 2:
        winner = stronger(*cluster)
    if winner is not None:
        settled.append(winner)
    else:
        contested += cluster


def _in_order(anchor: Anchor) -> tuple[int, int]:
    return anchor.value.start, -anchor.value.end
