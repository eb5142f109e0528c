"""What a registry notes of detected values: no text, only places, labels' words and hashes."""

from dataclasses import dataclass
from typing import NamedTuple

from ..types import SponsoredSpan
from .claims import Claim
from .floods import Repetition

OVER_CAP = "longer than the cap"
DENIED = "not permitted"
CORRECTED = "corrected later"
RELEASED = "released by the caller"
FADED = "faded"
QUOTA = "beyond the quota of its source"
"""Why a detected value is not sponsored."""


class Aside(NamedTuple):
    """A detected value that is not sponsored (any more), and why."""

    span: SponsoredSpan
    why: str


@dataclass(slots=True)
class Entry:
    """A sponsored span with its claim. ``gap``: characters to the nearest claim of its wording.

    ``crowded``: its source had said too much by then.
    """

    span: SponsoredSpan
    claim: Claim
    budget: float
    gap: int = 0
    crowded: bool = False
    asked: bool = False


class Books(NamedTuple):
    """All that a registry has noted.

    ``last``: indices of the entries that are the latest of their wording. ``said``: values in each
    message of an untrusted source, by the message's first token.
    """

    entries: list[Entry]
    aside: list[Aside]
    last: list[int]
    said: dict[int, int]
    repetition: Repetition
