"""What is trained in which order: lengths, learning rates, mixtures."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from transactional_attention.errors import InputError, UnknownNameError

from .network import LAYERS


@dataclass(frozen=True, slots=True)
class Shape:
    """Documents of one batch: its size in tokens and what is in them. Shares are in [0, 1].

    `pruned`: documents with a cut context; `gaps`: documents with stretched positions; `copies`:
    documents that only repeat themselves; `prose`: prose tokens that have a loss; `families`: of
    the documents that ask for values; `brief`, `spelled` and `bare`: of these, with short values,
    with values that hold long pieces of the vocabulary, and without filler.
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
    brief: float = 0.0
    spelled: float = 0.0
    bare: float = 0.0

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


# Copying is learnt first, then which value belongs to which label, from lists of pairs: with all
# families from the start a model copied well and chose at random for nine million tokens. Then all
# families in short documents that ask for many short values, then filler and length. Rates above
# 0.5 kept the choice at a half where 0.4 went on.
COPY = {"plain": 0.5, "labelled": 0.3, "pairs": 0.2}
CHOOSE = {"pairs": 0.7, "plain": 0.3}
ALL = {
    "pairs": 0.02,
    "plain": 0.06,
    "labelled": 0.06,
    "prose": 0.12,
    "confusers": 0.11,
    "corrections": 0.08,
    "unstructured": 0.06,
    "multi": 0.06,
    "formats": 0.11,
    "tools": 0.12,
    "languages": 0.09,
    "chat": 0.04,
    "woven": 0.07,
}
# Half of the documents in any words: until then statements were known by their wording alone.
WORDS = {name: round(0.59 * share, 3) for name, share in ALL.items()} | {"woven": 0.45}
# More of the plain statements at the end.
PLAINER = ALL | {
    "plain": 0.10,
    "labelled": 0.10,
    "confusers": 0.10,
    "corrections": 0.07,
    "formats": 0.10,
    "tools": 0.10,
    "languages": 0.08,
    "chat": 0.03,
    "woven": 0.06,
}
COPIES = Shape(256, 32, (3, 8), (3, 8), COPY, copies=0.15, pruned=0.1)
PAIRS = Shape(256, 32, (6, 12), (6, 12), CHOOSE, copies=0.02, pruned=0.1)
DENSE = Shape(512, 16, (12, 28), (16, 28), ALL, copies=0.02, pruned=0.15, brief=0.6, bare=0.5)
WOVEN = replace(DENSE, families=WORDS, bare=0.6)
MIDDLE = Shape(1024, 8, (8, 28), (12, 28), ALL, copies=0.02, pruned=0.25, brief=0.3, bare=0.1)
LAST_512 = Shape(512, 16, (2, 14), (6, 16), ALL, copies=0.02, pruned=0.4, brief=0.2, bare=0.1)
LAST_1024 = Shape(1024, 8, (3, 20), (8, 24), ALL, copies=0.02, pruned=0.4, brief=0.2)
LAST_2048 = Shape(2048, 4, (3, 28), (8, 30), ALL, copies=0.02, pruned=0.35, brief=0.15)
LAST_4096 = Shape(4096, 2, (2, 32), (10, 40), ALL, copies=0.02, pruned=0.3, brief=0.15, gaps=0.4)
LAST = (LAST_4096, LAST_2048, LAST_1024, LAST_512)
# Any entry of the vocabulary must be copied: after all of the above a value with a piece of four
# capitals in it was copied wrongly in 94 of 100 cases, for random strings hardly hold one.
VOCABULARY = tuple(
    replace(shape, families=PLAINER, copies=0.3, spelled=0.5, brief=0.2)
    for shape in (DENSE, LAST_1024)
)
SPELLED = tuple(
    replace(shape, families=PLAINER, copies=0.08, spelled=0.3, brief=0.1) for shape in LAST
)

MAIN = (
    Stage("copy", 300, 1.0, 1.0, (COPIES,)),
    Stage("choose", 250, 1.0, 0.9, (PAIRS,)),
    Stage("dense", 1600, 0.4, 0.36, (DENSE, MIDDLE), (0.6, 0.4)),
    Stage("woven", 400, 0.36, 0.36, (WOVEN,)),
    Stage("dense on", 1000, 0.36, 0.28, (DENSE, MIDDLE, LAST_1024), (0.5, 0.3, 0.2)),
    Stage(
        "mixed",
        2500,
        0.28,
        0.005,
        LAST,
        (0.3, 0.1, 0.33, 0.27),
    ),
    Stage("vocabulary", 320, 0.36, 0.3, VOCABULARY, (0.6, 0.4)),
    Stage("last", 420, 0.28, 0.003, SPELLED, (0.25, 0.1, 0.33, 0.32)),
)

# The needle and no more, to see what pruned rows do: one run has them, one has not.
SHORT_LAYERS = 4
PLAIN = {"plain": 0.45, "labelled": 0.35, "pairs": 0.2}
SHORT = (
    *MAIN[:2],
    Stage("dense", 350, 0.5, 0.4, (replace(DENSE, families=PLAIN),)),
    Stage(
        "mixed",
        500,
        0.4,
        0.003,
        tuple(replace(shape, families=PLAIN) for shape in (LAST_4096, LAST_1024, LAST_512)),
        (0.3, 0.4, 0.3),
    ),
)

# New embeddings on a trained body.
WIDE = (
    Stage("spell", 150, 0.4, 0.4, (DENSE,)),
    Stage(
        "mixed",
        650,
        0.4,
        0.01,
        (LAST_4096, LAST_1024, LAST_512),
        (0.25, 0.45, 0.30),
    ),
)


# For a GPU: a batch of eight times as many documents, more layers. Never run to its end.
LARGE = (
    *MAIN[:2],
    replace(MAIN[2], steps=2000, rate_start=0.6, rate_end=0.5),
    replace(MAIN[3], rate_start=0.5, rate_end=0.5),
    replace(MAIN[4], steps=1600, rate_start=0.5, rate_end=0.4),
    replace(MAIN[5], steps=4000, rate_start=0.4),
    *MAIN[6:],
)


def with_larger_batches(stage: Stage, factor: int) -> Stage:
    """A stage with `factor` times as many documents in every batch."""
    shapes = tuple(replace(s, sequences=factor * s.sequences) for s in stage.shapes)
    return replace(stage, shapes=shapes)


def without_pruned_rows(stage: Stage) -> Stage:
    """A stage of which no document has a cut context."""
    shapes = tuple(replace(shape, pruned=0.0) for shape in stage.shapes)
    return replace(stage, shapes=shapes)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Stages of a run, and the layers of its network (None: those of the model it starts from)."""

    stages: tuple[Stage, ...]
    layers: int | None = LAYERS


RECIPES = {
    "main": Recipe(MAIN),
    "wide": Recipe(WIDE, layers=None),
    "short": Recipe(SHORT, layers=SHORT_LAYERS),
    "unpruned": Recipe(tuple(map(without_pruned_rows, SHORT)), layers=SHORT_LAYERS),
    "large": Recipe(tuple(with_larger_batches(stage, 8) for stage in LARGE), layers=8),
}


def choose_recipe(name: str, trained: bool) -> Recipe:
    """A recipe of RECIPES for a run that starts from `trained` weights or from random ones.

    Raises UnknownNameError for another name, InputError for one that only goes on with weights.
    """
    if name not in RECIPES:
        raise UnknownNameError("recipe", name, list(RECIPES))
    recipe = RECIPES[name]
    if recipe.layers is None and not trained:
        raise InputError(
            f"the recipe {name} is a short training of a trained body: name its folder with --init"
        )
    return recipe


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
