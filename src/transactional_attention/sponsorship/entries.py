"""Sponsored spans with what was claimed of them."""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Span, SponsoredSpan
from .claims import Claim


@dataclass(slots=True)
class Entry:
    """A sponsored span with its claim. ``gap``: characters to the nearest claim of its wording.

    ``crowded``: its source had said too much by then. ``faded``: its protection ended by decay.
    ``replaced``: a later claim stands in its place, True where that one says so by its label.
    ``replaces``: values that this one replaces, once it has been ``judged``: what it takes back is
    decided when it is said, for good.
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
