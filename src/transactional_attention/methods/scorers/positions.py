"""Scores of positions alone: the newest tokens, and tokens at random (control)."""

from dataclasses import dataclass

import numpy as np

from ...selection.utility import recency
from ...types import Floats
from . import Scorer, TokenView


class Recency(Scorer):
    """StreamingLLM (2309.17453): utility is the position; sinks are mandatory tokens."""

    def score(self, view: TokenView) -> Floats:
        """R = i / n."""
        return recency(view.positions, view.length)


@dataclass(frozen=True)
class RandomTokens(Scorer):
    """Utility is a hash of seed, row and position (splitmix64), uniform in [0, 1)."""

    seed: int

    def score(self, view: TokenView) -> Floats:
        """A token's score never changes, so later cuts agree with earlier ones."""
        row = np.asarray(view.row, dtype=np.uint64)
        x = np.asarray(view.positions).astype(np.uint64) + np.uint64(self.seed % 2**32 << 20)
        with np.errstate(over="ignore"):
            x = (x + row * np.uint64(0xD1342543DE82EF95)) * np.uint64(0x9E3779B97F4A7C15)
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return (x ^ (x >> np.uint64(31))).astype(np.float64) / 2.0**64
