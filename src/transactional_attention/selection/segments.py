"""Segments beside a window: pinned ranges, whole pieces of text, and the newest tokens.

A value is held with the text around it, because a model answers from text, not from fragments
(docs/memory.md). It works on one row of plain arrays, as ``selection`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..types import ASKED, CALLER, QUESTION, Bools, Span, SponsoredSpan
from .admission import LiveTokens, Taken, ends
from .selection import Selected, Selection

SpanPieces = tuple[SponsoredSpan, Sequence[Span]]


@dataclass(frozen=True)
class SegmentSelection(Selection):
    """Ranges that the caller names, then pieces in the order of their spans, then the newest
    tokens.

    Pieces take room before the window. What the question asks for takes at most half of what
    named ranges leave; others, what it leaves of ``share``. A value is admitted with
    its pieces (``LiveTokens.pieces``) or not at all.
    """

    share: float

    def extent(self, span: SponsoredSpan) -> Span:
        """Tokens of a value and its closing token; of a span that is no value, its own."""
        value = span.rule not in (CALLER, ASKED, QUESTION)
        return Span(span.value.start, span.value.end + value)

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
        """Take the caller's ranges while one slot is left for decoding."""
        spans = [span for span in candidates.spans if span.rule == CALLER]
        for span, slots in zip(spans, candidates.slots_of_each([s.value for s in spans])):
            if slots is None:
                continue  # not all of it is read, or it was cut before it was named
            if taken.count_with(slots) < budget:
                taken.add(slots)
                yield span
            else:
                refused.append(span)


def _admitted(
    candidates: LiveTokens,
    pieces: Iterable[SpanPieces],
    keep: Taken,
    held: Bools,
    budget: int,
    refused: list[SponsoredSpan],
) -> Iterable[SponsoredSpan]:
    """Take pieces that fit whole. ``held`` [slot] gets those of their slots that lie before the
    window."""
    for span, parts in pieces:
        *around, value_slots = candidates.slots_of_each(parts)
        if value_slots is None or span.doubtful:
            refused.append(span)
            continue
        with_pieces = keep.copy()
        for slots in (value_slots, *around):
            if slots is not None:
                with_pieces.add(slots)
        if with_pieces.count > budget:
            refused.append(span)
            continue
        held |= with_pieces.mask & ~keep.mask
        keep.mask, keep.count = with_pieces.mask, with_pieces.count
        yield span


def _newest(taken: Bools, count: int) -> Bools:
    """The ``count`` newest slots that are not taken."""
    free = np.flatnonzero(~taken)
    newest = np.zeros(len(taken), bool)
    newest[free[len(free) - min(count, len(free)) :]] = True
    return newest
