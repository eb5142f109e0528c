"""What a budget keeps, known before any utility: ``docs/guarantees.md`` as checks.

In: the value spans of one text, its length, a selection and K. Out: the smallest budget K* that
keeps every value, and a certificate for each value. Admission reads no utility (``SpanSelection``),
so a certificate holds for every scorer until the next cut: what is admitted is held while decoding.
Budgets are computed here on sets of positions, independently of the admission that they
describe.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..detection.detector import EVEN
from ..types import GUESS, Bools, Floats, SponsoredSpan
from .admission import LiveTokens
from .selection import SpanSelection

Status = Literal["guaranteed", "at risk", "does not fit"]
ROUNDING = 1e-9  # utilities are sums of a few terms around 1


@dataclass(frozen=True)
class Certificate:
    """What is known of one value at one budget, when the whole text is cut once.

    ``least``: the budget from which this value and all that rank above it are kept with their
    closing tokens; at most the text's length, because a text that fits is not cut. ``competitors``:
    of a value at risk, the values that hold the room it needs, best first. ``kept``: whether the
    value itself is kept, though its closing token may not be.
    """

    span: SponsoredSpan
    status: Status
    least: int
    competitors: tuple[SponsoredSpan, ...] = ()
    kept: bool = False


def _needed(
    selection: SpanSelection, length: int, taken: set[int], last: SponsoredSpan, num_before: int = 0
) -> int:
    """Smallest budget that holds the positions ``taken``, the ends of the text that do not give way
    to ``last``, and one slot for decoding. ``num_before``: tokens of a doubtful value and of those
    above it, unless it is the first."""
    unlikely = last.doubtful > GUESS and not selection.on_top
    free = selection.unlikely if unlikely else selection.doubtful
    crowded = 2 * num_before if last.doubtful and num_before > free else 0
    sinks, recent = selection.sinks, selection.recent
    if last.confidence >= EVEN:
        sinks, recent = min(sinks, 1), min(recent, 1)
    held = len(taken) + _outside(range(min(selection.sinks, 1, length)), taken)
    newest = range(max(length - recent, sinks), length)
    first = range(min(sinks, length))
    beside = len(taken) + _outside(first, taken) + _outside(newest, taken)
    return max(beside, held + 1, crowded)


def _outside(positions: range, values: set[int]) -> int:
    return sum(p not in values for p in positions)


def in_order(spans: Sequence[SponsoredSpan]) -> list[SponsoredSpan]:
    """Spans as the selection meets them: best rank first, ties in the order found."""
    return sorted(spans, key=lambda span: span.rank, reverse=True)


def minimum_budget(selection: SpanSelection, length: int, spans: Sequence[SponsoredSpan]) -> int:
    """K*: all ``spans`` are kept with their closing tokens if and only if the budget is at least
    K*.

    It is the largest, over the values, of the room for the value, those above it, and the ends that
    do not give way to it. Spans belong to a text of ``length`` tokens and are not empty. A
    selection takes no budget below its mandatory tokens.
    """
    certificates = certify(selection, length, spans, selection.mandatory)
    return max((c.least for c in certificates), default=max(selection.mandatory, 1))


def certify(
    selection: SpanSelection, length: int, spans: Sequence[SponsoredSpan], budget: int
) -> list[Certificate]:
    """A certificate for each of ``spans`` (inside ``length`` tokens, none empty), best rank first.

    Guaranteed: kept with its closing token, whatever the utilities are. At risk: the values above
    it leave no room for it, or none for its closing token; single tokens of it may still stay. Does
    not fit: it would be rejected even if it were alone. A budget that holds the whole text keeps
    everything; once decoding exceeds it, values that it would have rejected may leave.
    """
    zeros = np.zeros(length)
    offered = LiveTokens(np.arange(length), length, zeros, zeros, spans)
    admission = selection.admission(offered, budget)
    admitted = {id(span) for span in admission.admitted}
    unclosed = {id(span) for span, _ in admission.unclosed}
    tokens: set[int] = set()
    labelled: set[int] = set()  # with the labels of sure values, which doubtful ones leave room
    least = max(selection.mandatory, 1)
    most = max(length, least)
    before: list[SponsoredSpan] = []
    competitors: tuple[SponsoredSpan, ...] = ()
    certificates: list[Certificate] = []
    for span in in_order(spans):
        extent = range(span.value.start, min(selection.extent(span).end, length))
        tokens.update(extent)
        labelled.update(extent)
        taken, num_before = (
            labelled if span.doubtful else tokens,
            len(tokens) if certificates else 0,
        )
        least = min(max(least, _needed(selection, length, taken, span, num_before)), most)
        if selection.choices.labels and not span.doubtful:
            labelled.update(span.label)
        kept = budget >= length or id(span) in admitted
        status: Status = "guaranteed"
        if budget < length and (not kept or id(span) in unclosed):
            alone = _needed(selection, length, set(span.value), span) <= budget
            status = "at risk" if alone else "does not fit"
        at_risk = status == "at risk"
        if at_risk and len(competitors) < len(before):
            competitors = tuple(before)
        found_before = competitors if at_risk else ()
        certificates.append(Certificate(span, status, least, found_before, kept))
        if kept:
            before.append(span)
    return certificates


def kept_by_vouchers(
    voucher: Floats, mandatory: Bools, low: float, high: float, budget: int
) -> Bools:
    """Tokens that token-wise selection keeps for every base utility in [low, high]; all [slot].

    The paper's theorem 2 with its missing conditions (docs/guarantees.md): a sponsored token stays
    if it, the mandatory tokens and those whose utility can reach its own number at most ``budget``.
    This holds at one step, for every partition of ``PartitionSelection``; B decays between
    steps.
    """
    rivals = np.sort(voucher[~mandatory])
    reach = voucher - (high - low) - ROUNDING
    count = len(rivals) - np.searchsorted(rivals, reach, "left") + int(mandatory.sum())
    return mandatory | ((voucher > 0) & (count <= budget))
