"""What one sequence sponsors, in which order, and until when.

The registry outlives the eviction of an anchor's own tokens: a value stays although ``key:`` was
evicted. A protection ends when the caller releases it, when the value is corrected, when its source
exceeds its quota, by an optional decay, or when the value itself lost a token at a cut. The
registry stores no text, only places, words of labels and hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..config import Sponsorship
from ..types import Floats, Ints, Span, SponsoredSpan
from .claims import Claim
from .entries import DENIED, OVER_CAP, RELEASED, Entry, Excluded
from .floods import Repetition
from .ordering import factor, judge, ranked
from .trust import UNTRUSTED, doubtful, value_rank
from .vouchers import anchor_shares, vouchers

FADES_BELOW = 1.0  # of a budget of 15: after 26 steps of 0.9


class RegistryState(NamedTuple):
    """Everything that a registry knows.

    ``last``: indices of the entries that are the latest of their wording. ``message_counts``:
    number of values in each message of an untrusted source, by the message's first token.
    """

    entries: list[Entry]
    excluded: list[Excluded]
    last: list[int]
    message_counts: dict[int, int]
    repetition: Repetition


class SponsorRegistry:
    """The sponsored spans of one sequence, in the order found, with their budgets B.

    ``budget``: K, because suspicious values of tools may hold only a share of it; None for no
    limit.
    """

    def __init__(self, numbers: Sponsorship, budget: int | None = None) -> None:
        self.numbers, self.budget = numbers, budget
        self._excluded: list[Excluded] = []
        self._entries: dict[Span, Entry] = {}  # by value
        self._seen: set[Span] = set()
        self._repetition = Repetition()
        self._last: dict[int, Entry] = {}
        self._message_counts: dict[int, int] = {}
        self._ranked: tuple[list[SponsoredSpan], list[Excluded]] | None = None

    def copy(self) -> SponsorRegistry:
        """An independent registry with the same spans (beams, forks)."""
        entries, excluded, last, counts, repetition = self.state()
        entries = [replace(entry) for entry in entries]
        state = RegistryState(entries, list(excluded), last, dict(counts), repetition.copy())
        return SponsorRegistry.resumed(self.numbers, self.budget, state)

    def state(self) -> RegistryState:
        """Everything it knows, for ``resumed``; not a copy."""
        entries = list(self._entries.values())
        last = [i for i, e in enumerate(entries) if self._last.get(e.claim.template) is e]
        return RegistryState(entries, self._excluded, last, self._message_counts, self._repetition)

    @classmethod
    def resumed(
        cls, numbers: Sponsorship, budget: int | None, state: RegistryState
    ) -> SponsorRegistry:
        """A registry that continues from a state."""
        other = cls(numbers, budget)
        other._excluded, other._message_counts = state.excluded, state.message_counts
        other._entries = {entry.span.value: entry for entry in state.entries}
        other._last = {state.entries[i].claim.template: state.entries[i] for i in state.last}
        other._seen = {span.value for span in other.known}
        other._repetition = state.repetition
        return other

    # what is known

    @property
    def spans(self) -> list[SponsoredSpan]:
        """What is sponsored now, in the order found, each with its present rank."""
        return self._order()[0]

    @property
    def excluded(self) -> list[Excluded]:
        """What was detected and is not sponsored, with reasons."""
        return [*self._excluded, *self._order()[1]]

    @property
    def over_cap(self) -> list[SponsoredSpan]:
        """Values longer than their cap."""
        return [item.span for item in self._excluded if item.why == OVER_CAP]

    @property
    def known(self) -> list[SponsoredSpan]:
        """Every value that is remembered, sponsored or not."""
        entries = self._entries.values()
        return [*(entry.span for entry in entries), *(item.span for item in self._excluded)]

    def words(self) -> list[str]:
        """The words of the labels."""
        return [entry.claim.words for entry in self._entries.values()]

    def anchor_positions(self) -> Ints:
        """Positions of anchors (S = 1 in the paper)."""
        return np.array(sorted({s.anchor for s in self.spans if len(s.label)}), dtype=np.int64)

    def vouchers(self, positions: Ints, observed: Floats | None = None) -> Floats:
        """V of the positions at the present budgets.

        ``observed``: attention that the positions receive; if given, each budget is multiplied by
        its anchor's share of it.
        """
        spans = self.spans
        budgets = [span.budget for span in spans]
        if observed is not None:
            shares = anchor_shares(spans, positions, observed)
            budgets = [b * share for b, share in zip(budgets, shares, strict=True)]
        return vouchers(positions, spans, budgets, self.numbers)

    # what is found

    def add(
        self,
        span: SponsoredSpan,
        cap: int | None,
        claim: Claim | None = None,
        message: int = 0,
        permitted: bool = True,
    ) -> None:
        """Register a span once. One that is longer than ``cap`` tokens, or not permitted, is
        excluded.

        ``claim``: what it says; without one its rank stays as it is. ``message``: the first token
        of the message that it stands in.
        """
        if span.value in self._seen:
            return
        self._seen.add(span.value)
        if not permitted or (cap is not None and len(span.value) > cap):
            self._excluded.append(Excluded(span, OVER_CAP if permitted else DENIED))
            return
        entry = Entry(span, claim or Claim(span.value.start), span.budget)
        if claim is not None:
            self._count(entry, message)
        self._entries[span.value] = entry
        self._ranked = None

    def _count(self, entry: Entry, message: int) -> None:
        template = entry.claim.template
        entry.gap = self._repetition.note(template, entry.claim.place)
        before = self._last.get(template)
        if before is not None and entry.gap > 0:
            before.gap = min(before.gap, entry.gap)
        self._last[template] = entry
        if entry.span.source in UNTRUSTED:
            count = self._message_counts[message] = self._message_counts.get(message, 0) + 1
            entry.crowded = count > self.numbers.untrusted_rate

    def rank_alone(self, span: SponsoredSpan, claim: Claim) -> SponsoredSpan:
        """A span that is not registered, with the rank that it would have if it were the only
        one."""
        rank = value_rank(span.source, span.rule, span.confidence, claim.opacity, claim.place)
        return span._replace(rank=rank, doubtful=doubtful(rank))

    # what ends

    def drop_missing(self, held: Callable[[list[SponsoredSpan]], Sequence[bool]]) -> None:
        """Forget spans that are no longer held whole, so that the registry stays as small as the
        cache.

        ``held``: tells for each span whether it is.
        """
        spans = [entry.span for entry in self._entries.values()]
        gone = [s.value for s, stays in zip(spans, held(spans), strict=True) if not stays]
        self._take_out(gone)
        around = held([item.span for item in self._excluded])
        stay = [item for item, stays in zip(self._excluded, around, strict=True) if stays]
        self._seen.difference_update(gone, (item.span.value for item in self._excluded))
        self._seen.update(item.span.value for item in stay)
        self._excluded = stay
        self._ranked = None

    def _take_out(self, values: Iterable[Span]) -> list[Entry]:
        """Remove entries."""
        taken = []
        for value in values:
            entry = self._entries.pop(value, None)
            if entry is not None:
                taken.append(entry)
                if self._last.get(entry.claim.template) is entry:
                    del self._last[entry.claim.template]
        return taken

    def drop(self, spans: Sequence[Span]) -> None:
        """Forget values that were read at the border of two texts: they will be read again."""
        values = set(spans)
        for entry in self._take_out(values):
            for value in entry.replaces:  # it will be judged anew
                old = self._entries.get(value)
                if old is not None:
                    old.replaced = None
        self._excluded = [item for item in self._excluded if item.span.value not in values]
        self._seen -= values
        self._ranked = None

    def release(self, tokens: Span) -> list[SponsoredSpan]:
        """End the protection of every value that overlaps a range of tokens; returns those
        values."""
        entries = [e for e in self._entries.values() if e.span.value.overlaps(tokens)]
        self._take_out([entry.span.value for entry in entries])
        self._excluded += [Excluded(entry.span, RELEASED) for entry in entries]
        self._ranked = None
        return [entry.span for entry in entries]

    def decay(self) -> None:
        """B <- 0.9 B for every anchor (paper, algorithm 1, line 10)."""
        for entry in self._entries.values():
            entry.budget *= self.numbers.step_decay
        self._ranked = None

    def fade(self) -> list[SponsoredSpan]:
        """One step or turn of the optional decay; returns the values whose protection it ends."""
        self.decay()
        ends = [e for e in self._entries.values() if e.budget < FADES_BELOW and not e.faded]
        for entry in ends:
            entry.faded = True
        return [entry.span for entry in ends]

    def mention(self, words: str, *, asked: bool) -> None:
        """Note that a later text contains ``words`` (``content_words``). Labels in it count as
        asked for if ``asked``, and their decay begins again."""
        text = f" {words} "
        for entry in self._entries.values():
            if entry.claim.words and f" {entry.claim.words} " in text:
                entry.asked = entry.asked or asked
                entry.budget, entry.faded = entry.span.budget, False
                self._ranked = None

    # the order

    def _order(self) -> tuple[list[SponsoredSpan], list[Excluded]]:
        """``ranked`` of what is known; most orders follow a cut, not new text."""
        if self._ranked is None:
            entries = list(self._entries.values())
            factors = [factor(entry, self._repetition) for entry in entries]
            judge(entries, factors)
            share = self.numbers.untrusted_share
            quota = None if self.budget is None else share * self.budget
            self._ranked = ranked(entries, factors, self._repetition, quota)
        return self._ranked
