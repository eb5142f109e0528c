"""DETECTORS: factories of detectors by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import InputError, UnknownNameError
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
_BUILT_IN = frozenset(DETECTORS)


def register_detector(name: str, factory: Callable[[], Detector]) -> None:
    """Make a detector known by name, so that methods can list it. One that was registered under
    this name before is replaced.

    Raises:
        InputError: the name is that of a built-in detector.
    """
    if not name or name in _BUILT_IN:
        raise InputError(f"detector {name!r} cannot be registered: choose a name of its own")
    DETECTORS[name] = factory


def build_detectors(detectors: Sequence[str | Detector]) -> list[Detector]:
    """New detectors for names; a detector object stands for itself.

    Raises:
       UnknownNameError: a name is not registered.
    """
    for name in detectors:
        if isinstance(name, str) and name not in DETECTORS:
            raise UnknownNameError("detector", name, DETECTORS)
    return [DETECTORS[d]() if isinstance(d, str) else d for d in detectors]
