"""What a budget keeps, known before any utility: ``docs/guarantees.md`` as checks.

In: the value spans of one text, its length, a selection and K. Out: the smallest budget K* that
keeps every value, and a certificate a value. Admission reads no utility (``SpanSelection``), so a
certificate holds for every scorer, and until the next cut: what is admitted is held while decoding.
Budgets are worked out here on sets of positions, apart from the admission that they speak of.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..types import GUESS, Bools, Floats, SponsoredSpan
from .admission import YIELD_CONFIDENCE, Candidates
from .selection import SpanSelection

Status = Literal["guaranteed", "at risk", "does not fit"]
ROUNDING = 1e-9  # utilities are sums of a few terms around 1


@dataclass(frozen=True)
class Certificate:
    """What is known of one value at one budget, when the whole text is cut once.

    ``least``: from this budget on the value, and all that stand before it, are kept with their
    closing tokens; at most the text's length, as a text that fits is not cut. ``competitors``: of a
    value at risk, those that hold the room it needs; best first. ``kept``: whether the value itself
    is, though its closing token may not be.
    """

    span: SponsoredSpan
    status: Status
    least: int
    competitors: tuple[SponsoredSpan, ...] = ()
    kept: bool = False


def _needed(
    selection: SpanSelection,
    length: int,
    values: set[int],
    last: SponsoredSpan,
    labels: Set[int] = frozenset(),
    *,
    alone: bool = True,
) -> int:
    """Smallest budget that holds the positions of ``values``, ``last`` behind the others, beside
    the ends of a text of ``length`` tokens, with one slot left to decode; a doubtful one also
    beside the ``labels`` of sure ones, to which it leaves their room. ``alone``: no other."""
    unlikely = last.doubtful > GUESS and not selection.on_top
    free = selection.unlikely if unlikely else selection.doubtful
    crowded = 2 * len(values) if last.doubtful and not alone and len(values) > free else 0
    values = values | labels if last.doubtful else values
    sinks, recent = selection.sinks, selection.recent
    if last.confidence >= YIELD_CONFIDENCE:
        sinks, recent = min(sinks, 1), min(recent, 1)
    held = len(values) + _outside(range(min(selection.sinks, 1, length)), values)
    newest = range(max(length - recent, sinks), length)
    first = range(min(sinks, length))
    beside = len(values) + _outside(first, values) + _outside(newest, values)
    return max(beside, held + 1, crowded)


def _outside(positions: range, values: set[int]) -> int:
    return sum(p not in values for p in positions)


def in_order(spans: Sequence[SponsoredSpan]) -> list[SponsoredSpan]:
    """Spans as the selection meets them: best rank first, ties in the order found."""
    return sorted(spans, key=lambda span: span.rank, reverse=True)


def minimum_budget(selection: SpanSelection, length: int, spans: Sequence[SponsoredSpan]) -> int:
    """K*: all ``spans`` are kept with their closing tokens if and only if the budget is K* or more.

    The largest over the values, best rank first, of the tokens of this one and those before it
    beside the ends that do not yield to it. Spans are those of a text of ``length`` tokens, none
    empty. A selection takes no budget below its mandatory tokens.
    """
    certificates = certify(selection, length, spans, selection.mandatory)
    return max((c.least for c in certificates), default=max(selection.mandatory, 1))


def certify(
    selection: SpanSelection, length: int, spans: Sequence[SponsoredSpan], budget: int
) -> list[Certificate]:
    """A certificate for each of ``spans`` (inside ``length`` tokens, none empty), best rank first.

    Guaranteed: kept with its closing token, whatever the utilities say. At risk: the values before
    it leave no room, or none for its closing token; single tokens of it may still stay. Does not
    fit: it would be left out even if it were alone. A budget that takes the whole text keeps all;
    once decoding goes beyond it, values that it would have refused may leave.
    """
    zeros = np.zeros(length)
    found = selection.admission(Candidates(np.arange(length), length, zeros, zeros, spans), budget)
    admitted = {id(span) for span in found.admitted}
    unclosed = {id(span) for span, _ in found.unclosed}
    every: set[int] = set()
    labels: set[int] = set()
    least = max(selection.mandatory, 1)
    most = max(length, least)
    before: list[SponsoredSpan] = []
    certificates: list[Certificate] = []
    for span in in_order(spans):
        every.update(range(span.value.start, min(selection.extent(span).end, length)))
        needed = _needed(selection, length, every, span, labels, alone=not certificates)
        least = min(max(least, needed), most)
        if selection.choices.labels and not span.doubtful:
            labels.update(span.label)
        kept = budget >= length or id(span) in admitted
        status: Status = "guaranteed"
        if budget < length and (not kept or id(span) in unclosed):
            alone = _needed(selection, length, set(span.value), span) <= budget
            status = "at risk" if alone else "does not fit"
        competitors = tuple(before) if status == "at risk" else ()
        certificates.append(Certificate(span, status, least, competitors, kept))
        if kept:
            before.append(span)
    return certificates


def kept_by_vouchers(
    voucher: Floats, mandatory: Bools, low: float, high: float, budget: int
) -> Bools:
    """Tokens that token-wise selection keeps for every base utility in [low, high]; all [slot].

    The paper's theorem 2 with its missing conditions (docs/guarantees.md): a sponsored token stays
    when it, the mandatory tokens and those whose utility can reach its own are at most ``budget``.
    It holds at one step, for every partition of ``PartitionSelection``; B decays between steps.
    """
    rivals = np.sort(voucher[~mandatory])
    reach = voucher - (high - low) - ROUNDING
    count = len(rivals) - np.searchsorted(rivals, reach, "left") + int(mandatory.sum())
    return mandatory | ((voucher > 0) & (count <= budget))
