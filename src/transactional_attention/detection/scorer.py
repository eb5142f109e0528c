"""The scorer: how likely a span of text is a value that somebody states.

A small network adds the rows of a table that belong to the hashed features of a candidate
(``features``); two small layers make log odds of the sum. It is trained by ``ta train characters``
on this project's own texts and calibrated on held-out wordings (Platt, 1999).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..models.tensors import load_tensors
from ..types import Floats, Floats32
from .boundaries import Boundaries
from .features import BUCKETS

WEIGHTS = Path(__file__).parent / "weights" / "values.safetensors"
REMEDY = "reinstall transactional-attention, or train it anew: ta train characters --out FILE"
BATCH = 128  # candidates that are in work at once: their rows fit into a cache of the processor

Indices = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Network:
    """The trained numbers: a table in 8 bits with a scale a column, two layers, the calibration.

    ``table`` [BUCKETS, width], ``scale`` [width], ``numbers`` [NUMBERS, width], ``bias`` [width],
    ``inner`` [width, width], ``inner_bias`` [width], ``outer`` [width], ``platt`` [2].
    ``boundaries``: what finds the candidates.
    """

    table: npt.NDArray[np.int8]
    scale: Floats32
    numbers: Floats32
    bias: Floats32
    inner: Floats32
    inner_bias: Floats32
    outer: Floats32
    platt: Floats32
    boundaries: Boundaries

    def __post_init__(self) -> None:
        width = self.scale.size
        shapes = (self.table.shape, self.inner.shape, self.outer.shape, self.platt.shape)
        if shapes != ((BUCKETS, width), (width, width), (width,), (2,)):
            raise InputError(f"the weights of the detector have other shapes: {REMEDY}")

    def logits(self, rows: Indices, numbers: Floats32) -> Floats:
        """Output of the network [candidate], before calibration."""
        parts = [
            self._forward(rows[at : at + BATCH], numbers[at : at + BATCH])
            for at in range(0, len(rows), BATCH)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _forward(self, rows: Indices, numbers: Floats32) -> Floats:
        # In float64: how many candidates are read at once must not show in six decimals.
        numbers = numbers.astype(np.float64)
        # One feature of all candidates after another, so that long rows of numbers are added.
        table_rows = np.take(self.table, rows.T, axis=0)
        total = np.add.reduce(table_rows, axis=0, dtype=np.int16).astype(np.float64)
        hidden = np.maximum(total * self.scale + numbers @ self.numbers + self.bias, 0)
        hidden = np.maximum(hidden @ self.inner + self.inner_bias, 0)
        return hidden @ self.outer

    def probabilities(self, rows: Indices, numbers: Floats32) -> Floats:
        """Calibrated probabilities [candidate] (Platt scaling), to six decimals."""
        probabilities: Floats = np.exp(-np.logaddexp(0.0, -self.margins(rows, numbers)))
        return np.round(probabilities, 6)

    def margins(self, rows: Indices, numbers: Floats32) -> Floats:
        """Calibrated log odds [candidate], to six decimals."""
        slope, offset = self.platt
        return np.round(slope * self.logits(rows, numbers) + offset, 6)


@lru_cache(maxsize=2)
def load_network(path: Path = WEIGHTS) -> Network:
    """The trained network; raises InputError when its file is missing, damaged or another one."""
    tensors, _ = load_tensors(path, "the weights of the detector", REMEDY)
    try:
        first = {
            name: tensors.pop(f"boundaries.{name}") for name in ("weights", "scale", "offsets")
        }
        return Network(**tensors, boundaries=Boundaries(**first))  # type: ignore[arg-type]
    except (KeyError, TypeError):
        raise InputError(f"the weights of the detector lack a tensor: {REMEDY}") from None
