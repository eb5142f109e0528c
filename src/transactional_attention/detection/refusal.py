"""Lines that are no values: those of a block that was not found whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..types import Anchor
from .detector import Undivided


def admitted(anchors: Iterable[Anchor], refused: Sequence[Undivided], shift: int) -> list[Anchor]:
    """The anchors but for those inside refused lines. What the lines name themselves, a setting in
    a script, is a value of its own, unless the lines are parts of one value.

    ``shift``: how much further on than the lines the anchors' text counts.
    """
    if not refused:
        return list(anchors)
    return [a for a in anchors if not any(_is_refused(a, lines, shift) for lines in refused)]


def _is_refused(anchor: Anchor, lines: Undivided, shift: int) -> bool:
    first, stop = lines.body + shift, (lines.stop or lines.body) + shift
    if not first <= anchor.value.start < stop:
        return False
    return lines.sealed or not first <= anchor.label.start < anchor.label.end
