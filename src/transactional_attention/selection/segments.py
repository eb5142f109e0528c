"""Segments beside a window: what is pinned, whole pieces of text, and the newest tokens.

A value is held with the text around it, for a model answers from text and not from fragments
(docs/memory.md). It works on one row of plain arrays, as ``selection`` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..types import CALLER, Bools, Floats, Ints, Span, SponsoredSpan
from .admission import Candidates, Taken, ends
from .selection import Selected, guarded, least_budget


@dataclass(frozen=True)
class SegmentSelection:
    """Ranges that the caller names, then pieces by rank in the room of the memory, then the newest
    tokens.

    ``room``: tokens of K that pieces may take where they stand before the window; ``pinned``: what
    is held beside K. Values are admitted with their pieces (``Candidates.pieces``) or not at all.
    """

    sinks: int
    recent: int
    room: int

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget."""
        return self.sinks + self.recent

    def extent(self, span: SponsoredSpan) -> Span:
        """Tokens of a value and of the one that closes it."""
        return Span(span.value.start, span.value.end + (span.rule != CALLER))

    def before(self, span: SponsoredSpan) -> tuple[Span, ...]:
        """Tokens of the label."""
        return (span.label,)

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit; the ends yield down to 1."""
        return least_budget(tokens, length, min(self.sinks, 1), min(self.recent, 1))

    def select(self, candidates: Candidates, budget: int) -> Selected:
        """Choose at most ``budget`` slots; spans come in the order in which they are admitted."""
        first, _ = ends(candidates, self.sinks, 0)
        hold = Taken(first.copy())
        admitted: list[SponsoredSpan] = []
        refused: list[SponsoredSpan] = []
        named = [span for span in candidates.spans if span.rule == CALLER]
        for span, slots in zip(named, candidates.slots_of_each([s.value for s in named])):
            # a part of what was read once may be gone: the rest is not asked for
            if slots is None:
                continue
            fits = hold.count_with(slots) < budget
            (admitted if fits else refused).append(span)
            if fits:
                hold.add(slots)
        room = budget - hold.count
        window = _newest(hold.mask, max(room - self.room, min(room, self.recent)))
        taken = Taken(hold.mask | window)
        pieces = zip(candidates.spans, candidates.pieces, strict=True)
        for span, parts in pieces:
            if span.rule == CALLER:
                continue
            found = candidates.slots_of_each(parts)
            whole = [slots for slots in found[-1:] if slots is not None]
            whole += [slots for slots in found[:-1] if slots is not None] if whole else []
            if not whole:
                refused.append(span)
                continue
            both = taken.copy()
            for slots in whole:
                both.add(slots)
            if both.count > budget:
                refused.append(span)
                continue
            admitted.append(span)
            taken = both
            for slots in whole:
                hold.add(slots)
        # in the window they are held as the newest tokens are
        held = hold.mask & ~window
        keep = taken.mask | _newest(taken.mask, budget - taken.count)
        return Selected(keep, held, self.recent, tuple(admitted), tuple(refused))

    def victim(self, utility: Floats, voucher: Floats, hold: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way to a new token; arrays are [row, slot]."""
        return np.argmin(guarded(utility, hold, recent), axis=-1)


def _newest(taken: Bools, count: int) -> Bools:
    """The ``count`` newest slots that are not taken."""
    free = np.flatnonzero(~taken)
    found = np.zeros(len(taken), bool)
    found[free[len(free) - min(count, len(free)) :]] = True
    return found
