"""Utility, counts and mandatory tokens to kept slots.

``Selection`` is what all share. ``SpanSelection`` (default preset) admits whole values, best
first, then single tokens; ``PartitionSelection`` (paper preset) is algorithm 1 with the partition
of section 3.3. All work on one row of plain arrays sorted by position, and know nothing of
tensors, text or caches.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..config import Choices, Partition
from ..types import CALLER, Bools, Floats, Ints, Span, SponsoredSpan
from .admission import (
    Admission,
    AdmissionLimits,
    LiveTokens,
    Offer,
    Taken,
    admit,
    ends,
    fits,
    nearest,
)
from .utility import sponsored

GUARD = 1e9  # above every utility
LEAD = 8  # tokens before a value, of which its label may be a part or missing


@dataclass(frozen=True)
class Selected:
    """What one row keeps. ``keep`` and ``held`` are [slot] over the live tokens.

    ``held``: kept until the next cut, whatever the utility says. ``recent``: newest tokens that
    stay mandatory while decoding. ``yielded``: mandatory tokens that gave way to values.
    """

    keep: Bools
    held: Bools
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


def guarded(utility: Floats, held: Bools, recent: Bools) -> Floats:
    """Utility with recent tokens above all others, and held ones above those; [row, slot]."""
    return np.where(held, np.inf, np.where(recent, GUARD + utility, utility))


def least_budget(tokens: set[int], length: int, sinks: int, recent: int) -> int:
    """Smallest budget that holds ``tokens`` and the ends, and leaves one slot for decoding."""
    hold = tokens | set(range(min(sinks, length)))
    return max(len(hold | set(range(max(length - recent, 0), length))), len(hold) + 1)


@dataclass(frozen=True)
class Selection:
    """How one row is cut to a budget; its first ``sinks`` and last ``recent`` tokens are kept."""

    sinks: int
    recent: int

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget, before any gives way."""
        return self.sinks + self.recent

    def extent(self, span: SponsoredSpan) -> Span:
        """Tokens of a value, with those that are held with it: its own."""
        return span.value

    def before(self, span: SponsoredSpan) -> tuple[Span, ...]:
        """Tokens that tell a model what a value is, in order of admission: its label."""
        return (span.label,)

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit; the ends give way down to 1 token
        each."""
        return least_budget(tokens, length, min(self.sinks, 1), min(self.recent, 1))

    def select(self, candidates: LiveTokens, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        raise NotImplementedError

    def victim(self, utility: Floats, voucher: Floats, held: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way to a new token; arrays are [row, slot]."""
        return np.argmin(guarded(utility, held, recent), axis=-1)


@dataclass(frozen=True)
class SpanSelection(Selection):
    """Mandatory ends, then whole spans by rank with their closing tokens, then labels, then the
    words before values, then single tokens by utility.

    If a confident value does not fit, recent tokens give way down to 1, then sinks down to 1.
    Doubtful values, and then their labels, are admitted while all values and labels together hold
    at most ``doubtful`` tokens, or half of the budget: a long text always has more of them, and
    they would leave no room for anything else. For values below 20% or superseded the limit is
    ``unlikely`` tokens, or half of the budget, unless questions ride on top of K: then the newest
    tokens are the question. Neither limit applies to the first value that is held. ``choices``
    switch parts of this off. ``on_top``: whether questions ride on top of K.
    """

    doubtful: int = 64
    unlikely: int = 16
    choices: Choices = field(default_factory=Choices)
    on_top: bool = False

    def extent(self, span: SponsoredSpan) -> Span:
        """Tokens of a value and its closing token: the one after it, which shows a model where a
        copy of the value ends (docs/real-models.md). The text may end before it."""
        return Span(span.value.start, span.value.end + self.choices.keep_closing_token)

    def before(self, span: SponsoredSpan) -> tuple[Span, ...]:
        """Tokens that tell a model what a value is, in order of admission: its label, then the
        words before it."""
        return span.label, Span(max(span.value.start - LEAD, 0), span.value.start)

    def lead(self, span: SponsoredSpan) -> Span:
        """Which of them is admitted first: the label; or, if a value has none and words may take
        all of K, the words before it."""
        label, *words = self.before(span)
        return words[0] if self.on_top and words and not len(label) else label

    def select(self, candidates: LiveTokens, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        limits, admission = self._limits(budget), self.admission(candidates, budget)
        sinks, recent = self._yield(candidates, admission.spans, budget)
        first, last = ends(candidates, sinks, recent)
        hold, keep = Taken(admission.spans | first), Taken(admission.spans | first | last)
        admitted = admission.admitted if self.choices.labels else []
        words = [(self.lead(span), *self.before(span)[1:]) for span in admitted]
        for rank, of_each in enumerate(zip(*words, strict=True)):
            room = self.room(budget) if rank else budget
            for span, slots in zip(admitted, candidates.slots_of_each(of_each), strict=True):
                if slots is None or limits.crowds(span, hold, slots):
                    continue
                part = nearest(slots, keep, hold, room) if rank else slots
                if fits(part, keep, hold, room):
                    keep.add(part)
                    hold.add(part)
        kept = keep.mask | top(candidates.utility, budget - keep.count, ~keep.mask)
        gave = self.mandatory - sinks - recent
        return Selected(
            kept, hold.mask, recent, tuple(admission.admitted), tuple(admission.refused), gave
        )

    def admission(self, candidates: LiveTokens, budget: int) -> Admission:
        """Which spans are held whole."""
        return admit(candidates, self._offers(candidates), self._limits(budget))

    def room(self, budget: int) -> int:
        """Tokens that words before values, and everything admitted before them, may take together.

        All of K if a question rides on top; otherwise half, because the question needs room among
        the newest tokens.
        """
        return budget if self.on_top else budget // 2

    def _limits(self, budget: int) -> AdmissionLimits:
        crowd = max(self.doubtful, budget // 2)
        unlikely = crowd if self.on_top else max(self.unlikely, budget // 2)
        return AdmissionLimits(budget, self.sinks, self.recent, crowd, unlikely, self.choices)

    def _offers(self, candidates: LiveTokens) -> list[Offer]:
        """Spans that are held whole, in order of admission."""
        spans: Sequence[SponsoredSpan] = candidates.spans
        if not self.choices.survives_label:
            labels = candidates.slots_of_each([span.label for span in spans])
            pairs = zip(spans, labels, strict=True)
            spans = [span for span, label in pairs if label is not None or not len(span.label)]
        if self.choices.ranked:
            ranked = sorted(spans, key=lambda s: s.rank, reverse=True)
        else:
            ranked = sorted(spans, key=lambda s: (s.rule != CALLER, s.value.start))
        values = candidates.slots_of_each([span.value for span in ranked])
        closed = candidates.slots_of_each([self.extent(span) for span in ranked])
        leads = candidates.slots_of_each([self.lead(span) for span in ranked])
        offers = zip(ranked, values, closed, leads, strict=True)
        return [(s, value, ended, lead) for s, value, ended, lead in offers if value is not None]

    def _yield(self, candidates: LiveTokens, spans: Bools, budget: int) -> tuple[int, int]:
        """Largest (sinks, recent) that fit beside the spans; recent tokens give way first."""
        sinks, recent = self.sinks, self.recent
        while self.choices.ends_may_yield:
            first, last = ends(candidates, sinks, recent)
            over = (spans | first | last).sum() > budget
            if over and recent > 1:
                recent -= 1
            elif (over or (spans | first).sum() >= budget) and sinks > 1:
                sinks -= 1
            else:
                break
        return sinks, recent


@dataclass(frozen=True)
class PartitionSelection(Selection):
    """Algorithm 1: the K largest u = utility + V, with K_protected slots for sponsored tokens.

    ``quarter``: K_protected = K / 4, the paper's 12/4 at K = 16. ``strict``: none. ``audit``: half
    of what the sinks leave, the appendix's 4/6/6. Mandatory tokens come out of the main pool;
    sponsored tokens beyond the protected slots compete there too. Ranges that the caller names are
    mandatory. The paper's L tokens have no closing token.
    """

    partition: Partition

    def least_budget(self, tokens: set[int], length: int) -> int:
        """Smallest budget at which required ``tokens`` fit."""
        return least_budget(tokens, length, self.sinks, self.recent)

    def select(self, candidates: LiveTokens, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        total = sponsored(candidates.utility, candidates.voucher)
        first, last = ends(candidates, self.sinks, self.recent)
        taken, held = Taken(first | last), Taken(first.copy())
        for span in sorted(candidates.spans, key=lambda s: s.rank, reverse=True):
            slots = candidates.slots_of(span.value) if span.rule == CALLER else None
            if slots is not None and fits(slots, taken, held, budget):
                taken.add(slots)
                held.add(slots)
        keep, hold = taken.mask, held.mask
        protected = self.num_protected(budget)
        keep |= top(total, budget - protected - int(keep.sum()), ~keep)
        keep |= top(
            total, min(protected, budget - int(keep.sum())), ~keep & (candidates.voucher > 0)
        )
        keep |= top(total, budget - int(keep.sum()), ~keep)
        whole: list[SponsoredSpan] = []
        cut: list[SponsoredSpan] = []
        for span in candidates.spans:
            slots = candidates.slots_of(span.value)
            kept = slots is not None and keep[slots].all()
            (whole if kept else cut).append(span)
        return Selected(keep, hold, self.recent, tuple(whole), tuple(cut))

    def num_protected(self, budget: int) -> int:
        """K_protected of a budget."""
        if self.partition == "strict":
            return 0
        return budget // 4 if self.partition == "quarter" else (budget - self.sinks) // 2

    def victim(self, utility: Floats, voucher: Floats, held: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way: lowest u outside the protected slots."""
        total = guarded(sponsored(utility, voucher), held, recent)
        budget = utility.shape[-1]
        reach = self.num_protected(budget) + 1
        order = np.argsort(total, axis=-1, kind="stable")[..., :reach]
        plain = np.take_along_axis(voucher, order, -1) <= 0
        plain &= np.take_along_axis(total, order, -1) < GUARD / 2
        pick = np.where(plain.any(-1), plain.argmax(-1), 0)
        return np.take_along_axis(order, pick[..., None], -1)[..., 0]
