"""StreamingLLM (2309.17453): the newest tokens; sinks are mandatory tokens of the method."""

from __future__ import annotations

from dataclasses import dataclass

from ...selection.utility import recency
from ...types import Floats
from . import Scorer, TokenView


@dataclass(frozen=True)
class Recency(Scorer):
    """Utility is the position itself."""

    def score(self, view: TokenView) -> Floats:
        """R = i / n."""
        return recency(view.positions, view.length)
