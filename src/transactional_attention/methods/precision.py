"""How many of the kept pairs stay in full precision, and what the others are held in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from ..config import Format
from ..types import Floats, Ints
from .observation import Seen


@dataclass(frozen=True)
class Precision:
    """What must be held, and the newest tokens, stay in full precision; all else is ``format``.

    Both formats take one byte a number and one scale for each token of a kv head. A method that
    keeps more in full precision overrides ``shares``, and ``weigh`` where layers differ.
    """

    format: Format = "int8"

    def weigh(self, seen: Seen) -> torch.Tensor | None:
        """What a layer asks for, [row], read with the scores after a prompt's attention."""
        return None

    def shares(self, budgets: Ints, weights: Floats | None) -> Ints:
        """Pairs in full precision at least, [table, row or 1].

        ``budgets`` [table]: K of each; ``weights`` [layer, row]: what ``weigh`` gave.
        """
        return np.zeros((len(budgets), 1), np.int64)
