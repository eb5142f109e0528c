"""What is trained in which order: lengths, learning rates, mixtures."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Shape:
    """Documents of one batch: its size in tokens and what is in them. Shares are in [0, 1].

    `pruned`: documents with a cut context; `gaps`: documents with stretched positions; `copies`:
    documents that only repeat themselves; `prose`: prose tokens that have a loss; `families`: of
    the documents that ask for values.
    """

    length: int
    sequences: int
    facts: tuple[int, int]
    questions: tuple[int, int]
    families: Mapping[str, float]
    copies: float = 0.03
    pruned: float = 0.3
    gaps: float = 0.5
    prose: float = 0.25

    @property
    def tokens(self) -> int:
        """Tokens of one batch."""
        return self.length * self.sequences


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
        if len(self.shapes) == 1:
            return self.shapes[0]
        return random.Random(f"{seed}:{step}:shape").choices(self.shapes, self.shares)[0]

    def rate(self, index: int) -> float:
        """The factor of the learning rates at step `index` of this stage."""
        return self.rate_start + (self.rate_end - self.rate_start) * index / max(1, self.steps)


# Which value belongs to which label is learnt from pairs first: with all families from the start
# a model copied well and chose at random for nine million tokens; on pairs it chose after one.
FIRST = {"pairs": 0.5, "plain": 0.3, "labelled": 0.2}
ALL = {
    "pairs": 0.06,
    "plain": 0.12,
    "labelled": 0.08,
    "prose": 0.10,
    "confusers": 0.10,
    "corrections": 0.06,
    "unstructured": 0.10,
    "multi": 0.03,
    "formats": 0.14,
    "tools": 0.08,
    "languages": 0.13,
    "chat": 0.10,
}
PAIRS = Shape(256, 32, (6, 12), (6, 12), FIRST, copies=0.1, pruned=0.1)
SHORT = Shape(256, 32, (2, 6), (3, 6), ALL, copies=0.05, pruned=0.3)
MIDDLE = Shape(512, 16, (3, 11), (5, 11), ALL, copies=0.04, pruned=0.35)
LONG = Shape(1024, 8, (5, 18), (8, 18), ALL, copies=0.03, pruned=0.4)
LAST_256 = Shape(256, 32, (1, 6), (3, 6), ALL, copies=0.02, pruned=0.45)
LAST_1024 = Shape(1024, 8, (3, 16), (6, 16), ALL, copies=0.02, pruned=0.45)
LAST_2048 = Shape(2048, 4, (3, 20), (6, 20), ALL, copies=0.02, pruned=0.4)
LAST_4096 = Shape(4096, 2, (2, 24), (8, 24), ALL, copies=0.02, pruned=0.35, gaps=0.4)

MAIN = (
    Stage("pairs", 700, 1.0, 0.95, (PAIRS,)),
    Stage("short", 400, 0.95, 0.85, (SHORT,)),
    Stage("middle", 900, 0.85, 0.5, (MIDDLE, LONG), (0.4, 0.6)),
    Stage(
        "mixed",
        1700,
        0.5,
        0.01,
        (LAST_4096, LAST_2048, LAST_1024, LAST_256),
        (0.30, 0.10, 0.38, 0.22),
    ),
)

# New embeddings on a trained body.
WIDE = (
    Stage("spell", 150, 0.6, 0.5, (SHORT,)),
    Stage(
        "mixed",
        350,
        0.5,
        0.01,
        (LAST_4096, LAST_1024, LAST_256),
        (0.25, 0.45, 0.30),
    ),
)


def without_pruned_rows(stage: Stage, share: float) -> Stage:
    """A stage of which no document has a cut context, with a share of its steps."""
    shapes = tuple(replace(shape, pruned=0.0) for shape in stage.shapes)
    return replace(stage, shapes=shapes, steps=round(stage.steps * share))


RECIPES = {
    "main": MAIN,
    "wide": WIDE,
    "unpruned": tuple(
        without_pruned_rows(stage, share) for stage, share in zip(MAIN, (1, 0.6, 0.6, 0.5))
    ),
}


def locate(stages: tuple[Stage, ...], step: int) -> tuple[Stage, int] | None:
    """The stage of a step of the whole run and the index in it; None after the last."""
    for stage in stages:
        if step < stage.steps:
            return stage, step
        step -= stage.steps
    return None


def total_steps(stages: tuple[Stage, ...]) -> int:
    """Steps of all stages."""
    return sum(stage.steps for stage in stages)
