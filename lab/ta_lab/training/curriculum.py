"""What is trained in which order: lengths, rates and mixtures of ``data/training/recipes.toml``."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transactional_attention.errors import InputError

from ..data import table


@dataclass(frozen=True, slots=True)
class Shape:
    """Documents of one batch: its size in tokens and what is in them. Shares are in [0, 1].

    `pruned`: documents with a cut context; `gaps`: documents with stretched positions; `copies`:
    documents that only repeat themselves; `prose`: prose tokens that have a loss; `families`: of
    the documents that ask for values; `brief`, `spelled` and `bare`: of these, with short values,
    with values that hold long pieces of the vocabulary, and without filler."""

    length: int
    sequences: int
    facts: tuple[int, int]
    questions: tuple[int, int]
    families: Mapping[str, float]
    copies: float = 0.03
    pruned: float = 0.3
    gaps: float = 0.5
    prose: float = 0.25
    brief: float = 0.0
    spelled: float = 0.0
    bare: float = 0.0


@dataclass(frozen=True, slots=True)
class Stage:
    """`steps` batches of shapes drawn by `shares`; the rate factor falls linearly."""

    name: str
    steps: int
    rate_start: float
    rate_end: float
    shapes: tuple[Shape, ...]
    shares: tuple[float, ...] = (1.0,)

    def shape(self, seed: int, step: int) -> Shape:
        """The shape of a step (counted over the whole run)."""
        return random.Random(f"{seed}:{step}:shape").choices(self.shapes, self.shares)[0]

    def rate(self, index: int) -> float:
        """The factor of the learning rates at step `index` of this stage."""
        return self.rate_start + (self.rate_end - self.rate_start) * index / max(1, self.steps)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Stages of a run, and the layers of its network."""

    stages: tuple[Stage, ...]
    layers: int


_TABLES = table("training/recipes")


def shape_of(name: str, times: int = 1, **otherwise: Any) -> Shape:
    """A shape of the table with some fields otherwise, and `times` as many documents."""
    own = _TABLES["shapes"][name] | otherwise
    mixture = _TABLES["mixtures"][own["families"]]
    return Shape(**own | {"families": mixture, "sequences": times * own["sequences"]})


def _recipe(made: dict[str, Any]) -> Recipe:
    written = made if "stages" in made else _TABLES["recipes"][made["like"]]
    stages = []
    for stage in written["stages"]:
        fields = stage.get("otherwise", {}) | made.get("otherwise", {})
        shapes = tuple(shape_of(name, made.get("times", 1), **fields) for name in stage["shapes"])
        (first, last), shares = stage["rates"], tuple(stage["shapes"].values())
        stages.append(Stage(stage["name"], stage["steps"], first, last, shapes, shares))
    return Recipe(tuple(stages), made["layers"])


RECIPES = {name: _recipe(made) for name, made in _TABLES["recipes"].items()}


def locate(stages: tuple[Stage, ...], step: int) -> tuple[Stage, int]:
    """The stage of a step of the whole run and the index in it; InputError after the last."""
    for stage in stages:
        if step < stage.steps:
            return stage, step
        step -= stage.steps
    raise InputError("the run is complete: nothing is left to train")
