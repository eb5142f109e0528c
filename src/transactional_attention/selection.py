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
from numpy.typing import NDArray

from .config import Partition
from .types import Span, SponsoredSpan
from .utility import Floats, Ints

Bools = NDArray[np.bool_]


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
        first = int(np.searchsorted(self.positions, span.start))
        last = int(np.searchsorted(self.positions, span.end))
        return slice(first, last) if last - first == len(span) and len(span) else None


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
    chosen = np.zeros(len(utility), dtype=bool)
    order = np.lexsort((-np.arange(len(utility)), -utility))
    chosen[order[allowed[order]][: max(count, 0)]] = True
    return chosen


def ends(candidates: Candidates, sinks: int, recent: int) -> tuple[Bools, Bools]:
    """Slots of the first ``sinks`` and of the last ``recent`` tokens of the sequence."""
    positions = candidates.positions
    return positions < sinks, positions >= candidates.length - recent


@dataclass(frozen=True)
class SpanSelection:
    """Mandatory ends, then whole spans by rank, then labels, then tokens by utility.

    When a value would not fit, recent tokens yield down to 1, then sinks down to 1.
    """

    sinks: int
    recent: int

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget (before yielding)."""
        return self.sinks + self.recent

    def select(self, candidates: Candidates, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        least = np.logical_or(*ends(candidates, min(self.sinks, 1), min(self.recent, 1)))
        spans, admitted, refused = self._admit(candidates, least, budget)
        sinks, recent = self._yield(candidates, spans, budget)
        first, last = ends(candidates, sinks, recent)
        hold, keep = spans | first, spans | first | last
        for span in admitted:
            slots = candidates.slots_of(span.label)
            if slots is not None and self._fits_label(keep, hold, slots, budget):
                keep[slots] = hold[slots] = True
        keep |= top(candidates.utility, budget - int(keep.sum()), ~keep)
        gave = self.mandatory - sinks - recent
        return Selected(keep, hold, recent, tuple(admitted), tuple(refused), gave)

    @staticmethod
    def _admit(
        candidates: Candidates, least: Bools, budget: int
    ) -> tuple[Bools, list[SponsoredSpan], list[SponsoredSpan]]:
        """Whole spans, best rank first, while they fit beside the least mandatory tokens."""
        taken, spans = least.copy(), np.zeros(len(least), dtype=bool)
        admitted: list[SponsoredSpan] = []
        refused: list[SponsoredSpan] = []
        room = budget - int(taken.sum())
        free = budget - 1 - int(ends(candidates, 1, 0)[0].sum())  # one slot for the newest token
        for span in sorted(candidates.spans, key=lambda s: s.rank, reverse=True):
            slots = candidates.slots_of(span.value)
            if slots is None:
                continue
            need, held = int((~taken[slots]).sum()), int((~spans[slots]).sum())
            if need > room or held > free:
                refused.append(span)
                continue
            taken[slots] = spans[slots] = True
            room, free = room - need, free - held
            admitted.append(span)
        return spans, admitted, refused

    @staticmethod
    def _fits_label(keep: Bools, hold: Bools, slots: slice, budget: int) -> bool:
        """A label is kept when it fits whole and leaves a slot for the newest token."""
        need, held = (~keep[slots]).sum(), (~hold[slots]).sum()
        return bool(keep.sum() + need <= budget and hold.sum() + held < budget)

    def _yield(self, candidates: Candidates, spans: Bools, budget: int) -> tuple[int, int]:
        """Largest (sinks, recent) that fit beside the spans: recent gives way first."""
        sinks, recent = self.sinks, self.recent
        while np.logical_or(spans, np.logical_or(*ends(candidates, sinks, recent))).sum() > budget:
            if recent > 1:
                recent -= 1
            elif sinks > 1:
                sinks -= 1
            else:
                break
        return sinks, recent

    def victim(self, utility: Floats, voucher: Floats, hold: Bools, recent: Bools) -> Ints:
        """The slot of each row that gives way to a new token; arrays are [row, slot]."""
        return np.argmin(np.where(hold, np.inf, np.where(recent, 1e9 + utility, utility)), axis=-1)


@dataclass(frozen=True)
class PartitionSelection:
    """Algorithm 1: top-K by u = utility + V, with K_protected slots for sponsored tokens.

    ``quarter``: K_protected = K / 4, the paper's 12/4 at K = 16; ``strict``: none; ``audit``: half of
    what the sinks leave, the appendix's 4/6/6. The mandatory tokens are drawn from the main pool;
    what overflows the protected slots competes there too.
    """

    sinks: int
    recent: int
    partition: Partition

    @property
    def mandatory(self) -> int:
        """Tokens that are kept at every budget."""
        return self.sinks + self.recent

    def select(self, candidates: Candidates, budget: int) -> Selected:
        """Choose at most ``budget`` slots."""
        total = candidates.utility + candidates.voucher
        first, last = ends(candidates, self.sinks, self.recent)
        keep = first | last
        protected = self.num_protected(budget)
        keep |= top(total, budget - protected - int(keep.sum()), ~keep)
        keep |= top(
            total, min(protected, budget - int(keep.sum())), ~keep & (candidates.voucher > 0)
        )
        keep |= top(total, budget - int(keep.sum()), ~keep)
        whole = [s for s in candidates.spans if self._kept(candidates, s, keep)]
        cut = [s for s in candidates.spans if not self._kept(candidates, s, keep)]
        return Selected(keep, first, self.recent, tuple(whole), tuple(cut))

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
        total = np.where(hold | recent, np.inf, utility + voucher)
        budget = utility.shape[-1]
        reach = self.num_protected(budget) + 1
        order = np.argsort(total, axis=-1, kind="stable")[..., :reach]
        plain = np.take_along_axis(voucher, order, -1) <= 0
        plain &= np.isfinite(np.take_along_axis(total, order, -1))
        pick = np.where(plain.any(-1), plain.argmax(-1), 0)
        return np.take_along_axis(order, pick[..., None], -1)[..., 0]
