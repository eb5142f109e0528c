"""Segments beside a window: what is pinned, whole pieces of text, and the newest tokens.

A value is held with the text around it, for a model answers from text and not from fragments
(docs/memory.md). It works on one row of plain arrays, as ``selection`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..types import ASKED, CALLER, QUESTION, Bools, Floats, Ints, Span, SponsoredSpan
from .admission import LiveTokens, Taken, ends
from .selection import Selected, guarded, least_budget

SpanPieces = tuple[SponsoredSpan, Sequence[Span]]


@dataclass(frozen=True)
class SegmentSelection:
    """Ranges that the caller names, pieces in the order of their spans, then the newest tokens.

    Pieces take room that stands before the window: those that a text asks for which is read now at
    most half of what the named ranges leave, all others ``share`` of it. Values are admitted with
    their pieces (``LiveTokens.pieces``) or not at all.
    """

    sinks: int
    recent: int
    share: float

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget."""
        return self.sinks + self.recent

    def extent(self, span: SponsoredSpan) -> Span:
        """Tokens of a value and of the one that closes it; of what is no value, its own."""
        value = span.rule not in (CALLER, ASKED, QUESTION)
        return Span(span.value.start, span.value.end + value)

    def before(self, span: SponsoredSpan) -> tuple[Span, ...]:
        """Tokens of the label."""
        return (span.label,)

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit; the ends yield down to 1."""
        return least_budget(tokens, length, min(self.sinks, 1), min(self.recent, 1))

    def select(self, candidates: LiveTokens, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        first, _ = ends(candidates, self.sinks, 0)
        named, refused = Taken(first.copy()), list[SponsoredSpan]()
        admitted = list(self._named(candidates, named, budget, refused))
        room = budget - named.count
        size = room - room // 2
        keep = Taken(named.mask | _newest(named.mask, size))
        held = np.zeros(len(first), bool)
        pieces = list(zip(candidates.spans, candidates.pieces, strict=True))
        asked = [piece for piece in pieces if piece[0].rule == QUESTION]
        others = [piece for piece in pieces if piece[0].rule not in (QUESTION, CALLER)]
        admitted += _admitted(candidates, asked, keep, held, budget, refused)
        # the window takes what the question leaves, but for the share of all others
        beside = keep.count - named.count - size
        left = budget - keep.count - max(0, int(room * self.share) - beside)
        keep = Taken(keep.mask | _newest(keep.mask, max(0, left)))
        admitted += _admitted(candidates, others, keep, held, budget, refused)
        kept = keep.mask | _newest(keep.mask, budget - keep.count)
        return Selected(kept, named.mask | held, self.recent, tuple(admitted), tuple(refused))

    def _named(
        self, candidates: LiveTokens, taken: Taken, budget: int, refused: list[SponsoredSpan]
    ) -> Iterable[SponsoredSpan]:
        """Take what the caller names, as far as one slot is left to decode."""
        spans = [span for span in candidates.spans if span.rule == CALLER]
        for span, slots in zip(spans, candidates.slots_of_each([s.value for s in spans])):
            if slots is None:
                continue  # not all of it is read, or it was cut before it was named
            if taken.count_with(slots) < budget:
                taken.add(slots)
                yield span
            else:
                refused.append(span)

    def victim(self, utility: Floats, voucher: Floats, held: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way to a new token; arrays are [row, slot]."""
        return np.argmin(guarded(utility, held, recent), axis=-1)


def _admitted(
    candidates: LiveTokens,
    pieces: Iterable[SpanPieces],
    keep: Taken,
    held: Bools,
    budget: int,
    refused: list[SponsoredSpan],
) -> Iterable[SponsoredSpan]:
    """Take pieces that fit whole; of them ``held`` [slot] has what stands before the window."""
    for span, parts in pieces:
        *around, own = candidates.slots_of_each(parts)
        if own is None or span.doubtful:
            refused.append(span)
            continue
        both = keep.copy()
        for slots in (own, *around):
            if slots is not None:
                both.add(slots)
        if both.count > budget:
            refused.append(span)
            continue
        held |= both.mask & ~keep.mask
        keep.mask, keep.count = both.mask, both.count
        yield span


def _newest(taken: Bools, count: int) -> Bools:
    """The ``count`` newest slots that are not taken."""
    free = np.flatnonzero(~taken)
    found = np.zeros(len(taken), bool)
    found[free[len(free) - min(count, len(free)) :]] = True
    return found
