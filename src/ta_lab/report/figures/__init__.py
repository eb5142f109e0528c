"""The paper's six figures, redrawn from records; one file a figure."""

from __future__ import annotations

from .ablation import ablation
from .base import Drawn, Figure, Records
from .composition import composition
from .failure import failure
from .hero import hero
from .mechanism import mechanism
from .scaling import scaling

FIGURES = (hero, mechanism, failure, scaling, composition, ablation)


def draw_all(records: Records) -> list[Figure]:
    """Every figure; panels whose record is absent or lacks what they show say so."""
    return [make(records) for make in FIGURES]


__all__ = ["Drawn", "Figure", "Records", "draw_all"]
