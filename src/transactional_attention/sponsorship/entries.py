"""Sponsored spans, each with its claim, and values that are not sponsored, each with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..types import Span, SponsoredSpan
from .claims import Claim

OVER_CAP = "longer than the cap"
DENIED = "not permitted"
CORRECTED = "corrected later"
RELEASED = "released by the caller"
FADED = "faded"
QUOTA = "beyond the quota of its source"
COPY = "said elsewhere, too"
"""Why a detected value is not sponsored."""


class Excluded(NamedTuple):
    """A detected value that is not sponsored, or no longer, and why."""

    span: SponsoredSpan
    why: str


@dataclass(slots=True)
class Entry:
    """A sponsored span with its claim.

    ``gap``: characters to the nearest claim of the same wording. ``crowded``: its source had stated
    too much in one message by then. ``asked``: a question asked for its label. ``faded``: its
    protection ended by decay. ``judged``: it was decided which values it replaces; that is decided
    once, when it is stated. ``replaces``: those values. ``replaced``: a later claim replaces it,
    True if that one names the same label.
    """

    span: SponsoredSpan
    claim: Claim
    budget: float
    gap: int = 0
    crowded: bool = False
    asked: bool = False
    faded: bool = False
    judged: bool = False
    replaced: bool | None = None
    replaces: tuple[Span, ...] = ()
