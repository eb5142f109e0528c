"""DETECTORS: name to factory, one line a detector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import UnknownNameError
from .detector import Detector
from .paper.regex import Regex
from .paper.semantic import Semantic
from .shapes import Shapes
from .values import Values

DETECTORS: dict[str, Callable[[], Detector]] = {
    "regex": Regex,
    "semantic": Semantic,
    "shapes": Shapes,
    "values": Values,
}


def build_detectors(detectors: Sequence[str | Detector]) -> list[Detector]:
    """New detectors for names; a detector object stands for itself.

    Raises:
       UnknownNameError: a name is not registered.
    """
    for name in detectors:
        if isinstance(name, str) and name not in DETECTORS:
            raise UnknownNameError("detector", name, DETECTORS)
    return [DETECTORS[d]() if isinstance(d, str) else d for d in detectors]
