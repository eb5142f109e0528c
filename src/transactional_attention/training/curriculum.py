"""What is trained in which order: lengths, learning rates, mixtures."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Shape:
    """Documents of one batch: its size in tokens and what is in them. Shares are in [0, 1].

    `pruned`: documents with a cut context; `gaps`: documents with stretched positions; `copies`:
    documents that only repeat themselves; `plain`: documents of plain sentences and codes;
    `prose`: prose tokens that have a loss.
    """

    length: int
    sequences: int
    facts: tuple[int, int]
    questions: tuple[int, int]
    copies: float = 0.03
    pruned: float = 0.3
    gaps: float = 0.5
    plain: float = 0.15
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


SHORT = Shape(256, 16, (3, 6), (3, 6), copies=0.1, pruned=0.2, plain=0.25)
MIDDLE = Shape(512, 8, (2, 11), (2, 11), copies=0.06, pruned=0.35, plain=0.25)
LONG = Shape(1024, 4, (1, 18), (1, 16), copies=0.05, pruned=0.4, plain=0.25)
LAST_256 = Shape(256, 16, (1, 6), (1, 6), pruned=0.45, plain=0.3)
LAST_1024 = Shape(1024, 4, (1, 14), (1, 12), pruned=0.45, plain=0.3)
LAST_2048 = Shape(2048, 2, (1, 18), (1, 16), pruned=0.4, plain=0.3)
LAST_4096 = Shape(4096, 1, (1, 22), (1, 20), pruned=0.35, gaps=0.4, plain=0.3)

MAIN = (
    Stage("short", 1200, 1.0, 0.85, (SHORT,)),
    Stage("middle", 1000, 0.85, 0.55, (MIDDLE, LONG), (0.4, 0.6)),
    Stage(
        "mixed",
        2300,
        0.5,
        0.01,
        (LAST_4096, LAST_2048, LAST_1024, LAST_256),
        (0.45, 0.10, 0.25, 0.20),
    ),
)

# A warm start knows how to retrieve: more pruned rows, less of the costly length.
WARM_SHAPES = tuple(
    replace(shape, pruned=0.55, plain=0.35) for shape in (LAST_4096, LAST_2048, LAST_1024, LAST_256)
)
POLISH_SHAPES = tuple(replace(shape, plain=0.5) for shape in (LAST_4096, LAST_1024, LAST_256))
WARM = (
    Stage("warm", 700, 0.25, 0.06, WARM_SHAPES, (0.30, 0.10, 0.30, 0.30)),
    Stage("polish", 320, 0.08, 0.003, POLISH_SHAPES, (0.50, 0.25, 0.25)),
    Stage("refine", 300, 0.10, 0.003, POLISH_SHAPES, (0.45, 0.30, 0.25)),
)


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
