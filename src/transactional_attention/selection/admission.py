"""Which spans of one row are admitted whole: best first, while they fit beside the mandatory ends.

In: live tokens, and offers of spans, best first. Out: the slots that values take, with their
closing tokens, and the values that were rejected. Whatever else is kept is decided in
``selection``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..config import Choices
from ..detection.detector import EVEN
from ..types import GUESS, Bools, Floats, Ints, Span, SponsoredSpan

UNCLOSED = 1 / 3  # what a value is worth less without its closing token (docs/real-models.md)
Offer = tuple[SponsoredSpan, slice, slice | None, slice | None]
"""A span; the slots of its value; those of the value with its closing token; and those of its label
or, if it has none, of the words before it."""


@dataclass(frozen=True)
class LiveTokens:
    """The live tokens of one row, ordered by position; all arrays are [slot].

    ``length``: tokens that the row has seen. ``utility`` is without vouchers; ``voucher`` is V (eq.
    2). ``pieces`` (memory): for each span the ranges held with it, the span itself last.
    """

    positions: Ints
    length: int
    utility: Floats
    voucher: Floats
    spans: Sequence[SponsoredSpan] = ()
    pieces: Sequence[Sequence[Span]] = ()

    def slots_of(self, span: Span) -> slice | None:
        """Slots that hold the span; None if part of it is gone."""
        return self.slots_of_each([span])[0]

    def slots_of_each(self, spans: Sequence[Span]) -> list[slice | None]:
        """``slots_of`` for many spans at once."""
        firsts = self.positions.searchsorted([span.start for span in spans]).tolist()
        lasts = self.positions.searchsorted([span.end for span in spans]).tolist()
        return [
            slice(first, last) if 0 < span.end - span.start == last - first else None
            for span, first, last in zip(spans, firsts, lasts, strict=True)
        ]


def ends(candidates: LiveTokens, sinks: int, recent: int) -> tuple[Bools, Bools]:
    """Slots of the first ``sinks`` and of the last ``recent`` tokens of the sequence."""
    positions = candidates.positions
    return positions < sinks, positions >= candidates.length - recent


class Taken:
    """Slots that are taken: ``mask`` [slot] and their number, which is kept up to date because a
    long text asks for room thousands of times."""

    def __init__(self, mask: Bools) -> None:
        self.mask, self.count = mask, int(np.count_nonzero(mask))

    def copy(self) -> Taken:
        """An independent copy."""
        return Taken(self.mask.copy())

    def add(self, slots: slice) -> None:
        """Take a range."""
        self.count = self.count_with(slots)
        self.mask[slots] = True

    def count_with(self, slots: slice) -> int:
        """How many would be taken together with a range."""
        size = slots.stop - slots.start
        return self.count + size - int(np.count_nonzero(self.mask[slots]))


def fits(slots: slice, keep: Taken, hold: Taken, budget: int) -> bool:
    """Whether a range fits whole beside ``keep``, and leaves one slot for decoding beside
    ``hold``."""
    return keep.count_with(slots) <= budget and hold.count_with(slots) < budget


def nearest(slots: slice, keep: Taken, hold: Taken, budget: int) -> slice:
    """The end of a range, as much of it as fits."""
    start = slots.start
    while start < slots.stop and not fits(slice(start, slots.stop), keep, hold, budget):
        start += 1
    return slice(start, slots.stop)


@dataclass(frozen=True)
class AdmissionLimits:
    """The limits of an admission: K, the mandatory ends, and what doubtful values may take.

    ``crowd``: number of slots from which on doubtful values are rejected. ``unlikely``: the same
    for those below 20% or superseded.
    """

    budget: int
    sinks: int
    recent: int
    crowd: int
    unlikely: int
    choices: Choices

    def crowds(self, span: SponsoredSpan, taken: Taken, slots: slice) -> bool:
        """Whether a doubtful span would exceed its limit beside what is taken. It never does if
        nothing is taken: then it is the best that is known of the text."""
        limit = self.unlikely if span.doubtful > GUESS else self.crowd
        return bool(span.doubtful and taken.count) and taken.count_with(slots) > limit


class Occupied(NamedTuple):
    """What a value has to fit beside. ``full``: all ends. ``least``: the ends that do not give way
    to a value. ``hold``: what is held while decoding."""

    full: Taken
    least: Taken
    hold: Taken


class Admission:
    """Decides value by value which spans of one row are kept whole; ``offer`` each, best first.

    A value is ``admitted`` if it fits into K beside the first and last tokens, which are always
    kept, and otherwise ``refused``. ``unclosed``: admitted values for whose closing token (the
    quote or line end after them) there was no room. ``spans`` [slot]: which slots admitted values
    take.
    """

    def __init__(self, candidates: LiveTokens, limits: AdmissionLimits) -> None:
        self.limits, self.budget = limits, limits.budget
        sinks, recent = limits.sinks, limits.recent
        full = np.logical_or(*ends(candidates, sinks, recent))
        least, hold = full.copy(), ends(candidates, sinks, 0)[0]
        if limits.choices.ends_may_yield:
            least = np.logical_or(*ends(candidates, min(sinks, 1), min(recent, 1)))
            hold = ends(candidates, min(sinks, 1), 0)[0]
        self._beside = Occupied(Taken(full), Taken(least), Taken(hold))
        # With the labels of sure values that are admitted, to which doubtful ones leave room.
        self._labelled = Occupied(*(taken.copy() for taken in self._beside))
        self._spans = Taken(np.zeros(len(full), dtype=bool))
        self.admitted: list[SponsoredSpan] = []
        self.refused: list[SponsoredSpan] = []
        self.unclosed: list[tuple[SponsoredSpan, slice]] = []

    @property
    def spans(self) -> Bools:
        """Slots of admitted values."""
        return self._spans.mask

    def offer(
        self, span: SponsoredSpan, value: slice, closed: slice | None, label: slice | None
    ) -> None:
        """Admit a value, with its closing token if ``closed`` is given and fits, or reject it."""
        if closed is not None and self._has_room(closed, span):
            self._take(closed)
        elif self._has_room(value, span):
            self._take(value)
            if closed is not None:
                self.unclosed.append((span, closed))
        else:
            self.refused.append(span)
            if not self.limits.choices.whole and not self._crowds(value, span):
                self._take(self._shortened(value, span))
            return
        self.admitted.append(span)
        if label is not None and not span.doubtful and self.limits.choices.labels:
            for taken in self._labelled:
                taken.add(label)

    def close(self, offers: Sequence[Offer]) -> None:
        """Add closing tokens to values that were admitted without, best first, while they fit."""
        admitted = {id(span) for span in self.admitted}
        for span, _, closed, _ in offers:
            if id(span) not in admitted or closed is None:
                continue
            if self._has_room(closed, span):
                self._take(closed)
            else:
                self.unclosed.append((span, closed))

    @property
    def complete(self) -> bool:
        """Whether only doubtful values were rejected."""
        return all(span.doubtful for span in self.refused)

    @property
    def worth(self) -> float:
        """Number of likely values; one without its closing token counts less."""
        sure = sum(not span.doubtful for span in self.admitted)
        return sure - UNCLOSED * sum(not span.doubtful for span, _ in self.unclosed)

    def _crowds(self, slots: slice, span: SponsoredSpan) -> bool:
        return self.limits.crowds(span, self._spans, slots)

    def _has_room(self, slots: slice, span: SponsoredSpan) -> bool:
        if self._crowds(slots, span):
            return False
        return self._fits(slots, span, self._labelled if span.doubtful else self._beside)

    def _fits(self, slots: slice, span: SponsoredSpan, beside: Occupied) -> bool:
        keep = beside.least if span.confidence >= EVEN else beside.full
        return fits(slots, keep, beside.hold, self.budget)

    def _shortened(self, slots: slice, span: SponsoredSpan) -> slice:
        """The longest beginning of a range that fits."""
        stop = slots.stop
        while stop > slots.start and not self._fits(slice(slots.start, stop), span, self._beside):
            stop -= 1
        return slice(slots.start, stop)

    def _take(self, slots: slice) -> None:
        for taken in (*self._beside, *self._labelled, self._spans):
            taken.add(slots)


def admit(candidates: LiveTokens, offers: Sequence[Offer], limits: AdmissionLimits) -> Admission:
    """Admit whole spans with their closing tokens while they fit; ``offers``: best rank first.

    Doubtful values leave room for the labels of likely ones: a model that holds values without
    labels confuses them, or answers that it was told none.

    If that would reject a likely value, admit all values first and closing tokens afterwards, best
    first; use whichever keeps more.
    """
    closed = Admission(candidates, limits)
    for offer in offers:
        closed.offer(*offer)
    if closed.complete:
        return closed
    bare = Admission(candidates, limits)
    for span, value, _, label in offers:
        bare.offer(span, value, None, label)
    bare.close(offers)
    return bare if bare.worth >= closed.worth else closed
