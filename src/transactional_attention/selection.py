"""Utility, counts and mandatory tokens to kept slots.

Two selections share one interface: ``SpanSelection`` (default preset) admits whole values, best
first, then single tokens; ``PartitionSelection`` (paper preset) is algorithm 1 with the partition
of section 3.3. Both work on one row of plain arrays, sorted by position, and know nothing of
tensors, text or caches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .config import Choices, Partition
from .types import CALLER, Span, SponsoredSpan
from .utility import Bools, Floats, Ints, sponsored

# A value of this confidence may take the place of mandatory tokens: every one that is emitted is
# (``anchors.MIN_CONFIDENCE``). A detector or caller may go below it for what should only fill room.
YIELD_CONFIDENCE = 0.5
GUARD = 1e9  # above every utility


@dataclass(frozen=True)
class Candidates:
    """The live tokens of one row, in order of position; all arrays are [slot].

    ``length``: tokens the row has seen. ``utility`` holds no voucher; ``voucher`` is V (eq. 2).
    """

    positions: Ints
    length: int
    utility: Floats
    voucher: Floats
    spans: Sequence[SponsoredSpan] = ()

    def slots_of(self, span: Span) -> slice | None:
        """Slots that hold the span, or None when part of it is gone."""
        return self.slots_of_each([span])[0]

    def slots_of_each(self, spans: Sequence[Span]) -> list[slice | None]:
        """``slots_of`` many spans, looked up at once."""
        firsts = self.positions.searchsorted([span.start for span in spans]).tolist()
        lasts = self.positions.searchsorted([span.end for span in spans]).tolist()
        return [
            slice(first, last) if last - first == len(span) and len(span) else None
            for span, first, last in zip(spans, firsts, lasts, strict=True)
        ]


@dataclass(frozen=True)
class Selected:
    """What one row keeps. ``keep`` and ``hold`` are [slot] over the candidates.

    ``hold``: kept until the next cut, whatever the utility says. ``recent``: newest tokens that
    stay mandatory while decoding, after yielding.
    """

    keep: Bools
    hold: Bools
    recent: int
    admitted: tuple[SponsoredSpan, ...] = ()
    refused: tuple[SponsoredSpan, ...] = ()
    yielded: int = field(default=0)


def top(utility: Floats, count: int, allowed: Bools) -> Bools:
    """The ``count`` allowed slots of largest utility; the newest wins a tie."""
    chosen, slots = np.zeros(len(utility), dtype=bool), np.flatnonzero(allowed)
    count = min(count, len(slots))
    if count > 0:
        loss = -utility[slots]
        limit = np.partition(loss, count - 1)[count - 1]
        chosen[slots[loss < limit]] = True
        ties = slots[loss == limit]
        chosen[ties[len(ties) - count + np.count_nonzero(chosen) :]] = True
    return chosen


def ends(candidates: Candidates, sinks: int, recent: int) -> tuple[Bools, Bools]:
    """Slots of the first ``sinks`` and of the last ``recent`` tokens of the sequence."""
    positions = candidates.positions
    return positions < sinks, positions >= candidates.length - recent


def fits(slots: slice, keep: Bools, hold: Bools, budget: int) -> bool:
    """Whether a range fits whole beside ``keep``, and beside ``hold`` leaves one slot to decode."""
    return _count(keep, slots) <= budget and _count(hold, slots) < budget


def _shortened(slots: slice, keep: Bools, hold: Bools, budget: int) -> slice:
    """The longest beginning of a range that fits."""
    stop = slots.stop
    while stop > slots.start and not fits(slice(slots.start, stop), keep, hold, budget):
        stop -= 1
    return slice(slots.start, stop)


def _count(chosen: Bools, slots: slice) -> int:
    """How many are chosen with all of a range."""
    size = slots.stop - slots.start
    return int(np.count_nonzero(chosen) + size - np.count_nonzero(chosen[slots]))


def guarded(utility: Floats, hold: Bools, recent: Bools) -> Floats:
    """Utility with recent tokens above all others, and held ones above those; [row, slot]."""
    return np.where(hold, np.inf, np.where(recent, GUARD + utility, utility))


def least_budget(tokens: set[int], length: int, sinks: int, recent: int) -> int:
    """Smallest budget that holds ``tokens`` beside the ends, and leaves one slot to decode."""
    hold = tokens | set(range(min(sinks, length)))
    return max(len(hold | set(range(max(length - recent, 0), length))), len(hold) + 1)


@dataclass(frozen=True)
class SpanSelection:
    """Mandatory ends, then whole spans by rank, then labels, then tokens by utility.

    When a confident value would not fit, recent tokens yield down to 1, then sinks down to 1.
    Doubtful values, and then their labels, are admitted while values and labels hold at most
    ``doubtful`` tokens, or half of the budget: a long text always has more of them, and they would
    leave no other token. ``choices`` take back one or another of this.
    """

    sinks: int
    recent: int
    doubtful: int = 64
    choices: Choices = field(default_factory=Choices)

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget (before yielding)."""
        return self.sinks + self.recent

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit; the ends yield down to 1."""
        return least_budget(tokens, length, min(self.sinks, 1), min(self.recent, 1))

    def select(self, candidates: Candidates, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        spans, admitted, refused = self._admit(candidates, budget)
        sinks, recent = self._yield(candidates, spans, budget)
        first, last = ends(candidates, sinks, recent)
        hold, keep = spans | first, spans | first | last
        for span in admitted if self.choices.labels else ():
            slots = candidates.slots_of(span.label)
            if slots is None or (span.doubtful and self._crowds(hold, slots, budget)):
                continue
            if fits(slots, keep, hold, budget):
                keep[slots] = hold[slots] = True
        keep |= top(candidates.utility, budget - int(keep.sum()), ~keep)
        gave = self.mandatory - sinks - recent
        return Selected(keep, hold, recent, tuple(admitted), tuple(refused), gave)

    def _admit(
        self, candidates: Candidates, budget: int
    ) -> tuple[Bools, list[SponsoredSpan], list[SponsoredSpan]]:
        """Whole spans, best rank first, while they fit beside the mandatory tokens.

        For a confident span it is enough to fit beside those that cannot yield.
        """
        least = np.logical_or(*ends(candidates, min(self.sinks, 1), min(self.recent, 1)))
        full = np.logical_or(*ends(candidates, self.sinks, self.recent))
        hold = ends(candidates, min(self.sinks, 1), 0)[0]
        if not self.choices.yielding:
            least, hold = full.copy(), ends(candidates, self.sinks, 0)[0]
        spans = np.zeros(len(full), dtype=bool)
        admitted: list[SponsoredSpan] = []
        refused: list[SponsoredSpan] = []
        ranked = self._in_order(candidates)
        places = candidates.slots_of_each([span.value for span in ranked])
        for span, slots in zip(ranked, places, strict=True):
            if slots is None:
                continue
            beside = least if span.confidence >= YIELD_CONFIDENCE else full
            crowds = span.doubtful and self._crowds(spans, slots, budget)
            if crowds or not fits(slots, beside, hold, budget):
                refused.append(span)
                if crowds or self.choices.whole:
                    continue
                slots = _shortened(slots, beside, hold, budget)
            else:
                admitted.append(span)
            least[slots] = full[slots] = hold[slots] = spans[slots] = True
        return spans, admitted, refused

    def _in_order(self, candidates: Candidates) -> list[SponsoredSpan]:
        """Spans as they are admitted."""
        spans: Sequence[SponsoredSpan] = candidates.spans
        if not self.choices.outliving:
            labels = candidates.slots_of_each([span.label for span in spans])
            pairs = zip(spans, labels, strict=True)
            spans = [span for span, label in pairs if label is not None or not len(span.label)]
        if not self.choices.ranked:
            return sorted(spans, key=lambda s: (s.rule != CALLER, s.value.start))
        return sorted(spans, key=lambda s: s.rank, reverse=True)

    def _crowds(self, chosen: Bools, slots: slice, budget: int) -> bool:
        """Whether a range is more than doubtful values leave to others, beside what is chosen."""
        return _count(chosen, slots) > max(self.doubtful, budget // 2)

    def _yield(self, candidates: Candidates, spans: Bools, budget: int) -> tuple[int, int]:
        """Largest (sinks, recent) that fit beside the spans: recent gives way first."""
        sinks, recent = self.sinks, self.recent
        while self.choices.yielding:
            first, last = ends(candidates, sinks, recent)
            over = (spans | first | last).sum() > budget
            if over and recent > 1:
                recent -= 1
            elif (over or (spans | first).sum() >= budget) and sinks > 1:
                sinks -= 1
            else:
                break
        return sinks, recent

    def victim(self, utility: Floats, voucher: Floats, hold: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way to a new token; arrays are [row, slot]."""
        return np.argmin(guarded(utility, hold, recent), axis=-1)


@dataclass(frozen=True)
class PartitionSelection:
    """Algorithm 1: top-K by u = utility + V, with K_protected slots for sponsored tokens.

    ``quarter``: K_protected = K / 4, the paper's 12/4 at K = 16; ``strict``: none; ``audit``: half
    of what the sinks leave, the appendix's 4/6/6. The mandatory tokens are drawn from the main
    pool; what overflows the protected slots competes there too. Ranges that the caller names are
    mandatory.
    """

    sinks: int
    recent: int
    partition: Partition

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget."""
        return self.sinks + self.recent

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit."""
        return least_budget(tokens, length, self.sinks, self.recent)

    def select(self, candidates: Candidates, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        total = sponsored(candidates.utility, candidates.voucher)
        first, last = ends(candidates, self.sinks, self.recent)
        keep, hold = first | last, first.copy()
        for span in sorted(candidates.spans, key=lambda s: s.rank, reverse=True):
            slots = candidates.slots_of(span.value) if span.rule == CALLER else None
            if slots is not None and fits(slots, keep, hold, budget):
                keep[slots] = hold[slots] = True
        protected = self.num_protected(budget)
        keep |= top(total, budget - protected - int(keep.sum()), ~keep)
        keep |= top(
            total, min(protected, budget - int(keep.sum())), ~keep & (candidates.voucher > 0)
        )
        keep |= top(total, budget - int(keep.sum()), ~keep)
        whole = [s for s in candidates.spans if self._kept(candidates, s, keep)]
        cut = [s for s in candidates.spans if not self._kept(candidates, s, keep)]
        return Selected(keep, hold, self.recent, tuple(whole), tuple(cut))

    @staticmethod
    def _kept(candidates: Candidates, span: SponsoredSpan, keep: Bools) -> bool:
        slots = candidates.slots_of(span.value)
        return slots is not None and bool(keep[slots].all())

    def num_protected(self, budget: int) -> int:
        """K_protected of a budget."""
        if self.partition == "strict":
            return 0
        return budget // 4 if self.partition == "quarter" else (budget - self.sinks) // 2

    def victim(self, utility: Floats, voucher: Floats, hold: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way: lowest u outside the protected slots' picks."""
        total = guarded(sponsored(utility, voucher), hold, recent)
        budget = utility.shape[-1]
        reach = self.num_protected(budget) + 1
        order = np.argsort(total, axis=-1, kind="stable")[..., :reach]
        plain = np.take_along_axis(voucher, order, -1) <= 0
        plain &= np.take_along_axis(total, order, -1) < GUARD / 2
        pick = np.where(plain.any(-1), plain.argmax(-1), 0)
        return np.take_along_axis(order, pick[..., None], -1)[..., 0]
