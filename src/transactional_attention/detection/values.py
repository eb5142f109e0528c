"""Values: the default detector. Parsers and forms propose, one scorer decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..types import Anchor
from .candidates import Proposal, candidates, proposal_of
from .decode import decode
from .features import features
from .formats import proposals as in_formats
from .formats.blocks import blocks
from .formats.tables import follow
from .scorer import WEIGHTS, load_network
from .shapes import forms

LIKELY = 0.05
"""Probability from which a value is reported. One below 50% is a guess and ranks below everything
above 50% (``trust.doubtful``)."""


class Values:
    """Values of any kind, recognised by what they and their surroundings look like."""

    name = "values"

    def __init__(self, minimum: float = LIKELY, weights: Path = WEIGHTS) -> None:
        """Raises InputError when the weights are missing or damaged."""
        self.minimum = minimum
        self.network = load_network(weights)

    def find(self, text: str) -> list[Anchor]:
        """Anchors of a complete text (see ``Detector``)."""
        return self.choose(text, whole_text(text), range(len(text)), 0)

    def choose(
        self, text: str, proposals: Sequence[Proposal], inside: range, origin: int
    ) -> list[Anchor]:
        """The likely values that begin ``inside``; ``origin``: offset of ``text`` in the text that
        the anchors count in."""
        offered = candidates(text, proposals, inside, self.network.boundaries)
        if not offered:
            return []
        margins = self.network.margins(*features(text, offered))
        return decode(offered, margins, self.minimum, origin, text)


def local(text: str) -> Iterator[Proposal]:
    """Proposals that depend only on nearby text."""
    yield from in_formats(text)
    yield from forms(text)


def whole_text(text: str) -> list[Proposal]:
    """All proposals in a complete text."""
    cells, _ = follow(text, 0, len(text), 0, None)
    lines = blocks(text, 0, len(text), final=True, rest=None)
    return [*local(text), *cells, *(proposal_of(b.anchor) for b in lines if b.anchor)]
