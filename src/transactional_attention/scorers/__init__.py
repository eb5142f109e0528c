"""Observation to base utility, one file a method.

A scorer sees positions and counts, and later what it declares in ``observes``; it never sees
vouchers or the budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..utility import Floats, Ints


@dataclass(frozen=True)
class TokenView:
    """What a scorer may know of the tokens; arrays are [row, slot] or [slot].

    ``length`` is the number of tokens seen, broadcastable. ``row`` distinguishes rows of a batch.
    """

    positions: Ints
    length: Ints | int
    anchor: NDArray[np.bool_]
    frequency: Floats
    row: Ints | int


class Scorer(Protocol):
    """Base utility per token, larger is kept."""

    @property
    def observes(self) -> str:
        """What is read of a layer: ``nothing``, or attention, keys, values, hidden states."""
        ...

    def score(self, view: TokenView) -> Floats:
        """Utility with the shape of ``view.positions``."""
        ...
