"""A formal claim that is executed: instances, which meet its condition, which contradict it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from transactional_attention.config import Sponsorship
from transactional_attention.selection.admission import Candidates
from transactional_attention.selection.selection import PartitionSelection, SpanSelection
from transactional_attention.sponsorship.vouchers import vouchers
from transactional_attention.types import Floats, Span, SponsoredSpan

from .experiment import Row

NUMBERS = Sponsorship()
LENGTH = 400  # tokens of a text, where nothing else is said
SINKS, WINDOW, SPAN = 1, 2, NUMBERS.span_length  # of the paper


class Instance(NamedTuple):
    """One case of a claim: what it is, whether its condition is met, whether it then holds."""

    what: Row
    met: bool
    holds: bool


@dataclass(frozen=True)
class Claim:
    """``line``: of the paper's source. ``stated`` and ``corrected`` yield instances of what the
    paper says and of what holds in its place; ``sound``: that in words (docs/guarantees.md)."""

    name: str
    line: int
    paper: str
    stated: Callable[[], Iterator[Instance]]
    sound: str
    corrected: Callable[[], Iterator[Instance]]


def checked(instances: Iterator[Instance]) -> Row:
    """How many instances there are, how many meet the condition, and the first that breaks it."""
    tried = met = broken = 0
    first: Row | None = None
    for what, condition, holds in instances:
        tried, met = tried + 1, met + condition
        if condition and not holds:
            broken, first = broken + 1, first or what
    return {"tried": tried, "met": met, "broken": broken, "counterexample": first}


# scenes: a text of tokens with values in it, no tokenizer and no model


def span(start: int, length: int, rank: float = 0.0, confidence: float = 0.9) -> SponsoredSpan:
    """A value whose anchor stands right before it."""
    return SponsoredSpan(
        label=Span(start, start),
        value=Span(start, start + length),
        anchor=start - 1,
        budget=NUMBERS.budget,
        confidence=confidence,
        rule="claim",
        source="unknown",
        rank=(rank,),
    )


def scene(spans: Sequence[SponsoredSpan], *, faded: float = 1.0, utility: Floats | None = None,
          length: int = LENGTH) -> Candidates:  # fmt: skip
    """All tokens of a text, none evicted; recency at its weight where no utility is given.

    ``faded``: what is left of every sponsor budget.
    """
    positions = np.arange(length)
    voucher = vouchers(positions, spans, [faded * s.budget for s in spans], NUMBERS)
    own = 0.5 * positions / length if utility is None else utility
    return Candidates(positions, length, own, voucher, tuple(spans))


def whole(
    found: Candidates, selection: PartitionSelection | SpanSelection, budget: int
) -> list[bool]:
    """Whether each value of a scene is kept whole."""
    keep = selection.select(found, budget).keep
    return [bool(keep[s.value.start : s.value.end].all()) for s in found.spans]
