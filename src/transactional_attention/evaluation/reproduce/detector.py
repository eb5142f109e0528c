"""Section 5.1: precision, recall and F1 of every detector, by family, and what transfers.

``patterns``: the paper's protocol, announcements of nine families and 1,000 spans of plain text;
the announcements are this project's own, since the paper's were not published. ``collection``: the
test cases of the collection, whose texts hold other values too, so that precision there is a lower
bound. A detector that needs weights trained for the model is named as not available without them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...anchors import Detector, Scanner
from ...anchors.embedding import Embedding
from ...anchors.ensemble import ENSEMBLE
from ...anchors.learned import Learned
from ...engines.transformers.reading import model_shape
from ...errors import RetentionError
from ...training.detector_data import lines
from ...training.detector_patterns import EVALUATION
from ...training.train_detector import ANCHORS, NON_ANCHORS, evaluated
from ..cases import Case
from ..collection import collection
from ..collection.detecting import LEFT_OUT, WHOLE, on_collection, read
from ..fillers import paragraphs
from .costs import cost_of_parts
from .detector_table import render
from .experiment import Context, Experiment, Record, Row
from .jobs import Job, run_parts

OF_TEXT: dict[str, tuple[str, ...]] = {
    "regex": ("regex",),
    "semantic": ("semantic",),
    "structure": ("structure",),
    "prose": ("prose",),
    "languages": ("languages",),
    "shapes": ("shapes",),
    "characters": ("characters",),
    "ta": ENSEMBLE,
}
"""Detectors by name; ``ta`` joins four of them."""
QUICK = ("regex", WHOLE)
TRAINED = ("learned", "learnrank")
SPLIT = "test"  # detectors were written and tuned on the other one
_WORD = re.compile(r"\S+")


def run(context: Context) -> Record:
    """A row a part and detector; what ``context.rows`` holds is not run again."""
    return {"rows": run_parts(context, all_jobs(context))}


def all_jobs(context: Context) -> list[Job]:
    """Both protocols for every detector."""
    jobs = []
    for name in QUICK if context.size == "quick" else OF_TEXT:
        found = partial(Scanner, OF_TEXT[name])
        jobs += _jobs(context, name, lambda made=found: made)
    if context.size != "quick":
        jobs += _jobs(context, "embedding", lambda: partial(_embedding, context))
    return [*jobs, *(_trained(context, name) for name in TRAINED)]


def _embedding(context: Context) -> Scanner:
    return Scanner([_bound(context, Embedding())])


def _bound(context: Context, detector: Any) -> Detector:
    """A detector with the model; raises InputError when it needs weights that are not there."""
    model, tokenizer = context.loaded
    reader = model_shape(model, tokenizer).reader
    assert reader is not None
    bound: Detector = detector.bind(reader)
    return bound


def _jobs(context: Context, name: str, scanner: Any) -> list[Job]:
    """Both protocols for a detector; ``scanner()()`` is a fresh one."""
    size = context.pick(0.2, 1.0, 1.0)
    each = context.trials or context.pick(1, 4, 12)
    count = {"anchors": round(size * ANCHORS), "non_anchors": round(size * NON_ANCHORS)}
    common = {"detector": name, "seed": context.seed}

    def patterns() -> Row:
        return on_patterns(scanner(), context.seed, context.filler, **count)

    def of_collection() -> Row:
        return on_collection(scanner(), chosen(context.seed, each))

    return [
        Job({"part": "patterns", **common, **count}, patterns),
        Job({"part": "collection", **common, "each": each}, of_collection),
    ]


# the paper's protocol


def on_patterns(scanner: Any, seed: int, name: str, *, anchors: int, non_anchors: int) -> Row:
    """Announcements found by family, and words of plain text taken for a value.

    ``found``: [found, of]; an announcement is found when an anchor's value begins where its own
    does. ``false``: words at which a value begins, of ``non_anchors``.
    """
    rng = random.Random(f"detector/{seed}")
    around = paragraphs(name)
    found = {}
    for i, (family, patterns) in enumerate(EVALUATION.items()):
        count = anchors // len(EVALUATION) + (i < anchors % len(EVALUATION))
        made = lines(rng, patterns, count, around)
        right = sum(
            any(a.value.start <= one.value < a.value.end for a in read(scanner, one.text))
            for one in made
        )
        found[family] = [right, count]
    false, words = _plain(scanner, rng, around, non_anchors)
    return {"found": found, "false": false, "non_anchors": words}


def _plain(scanner: Any, rng: random.Random, around: Sequence[str], count: int) -> tuple[int, int]:
    """How many of ``count`` words of paragraphs begin a value, and how many words there were."""
    false = words = 0
    for paragraph in rng.sample(around, len(around)):
        if words >= count:
            break
        starts = [match.start() for match in _WORD.finditer(paragraph)]
        wanted = starts[: count - words]
        began = {anchor.value.start for anchor in read(scanner, paragraph)}
        ends = [*starts[1:], len(paragraph)]
        false += sum(
            any(start <= b < end for b in began) for start, end in zip(wanted, ends, strict=False)
        )
        words += len(wanted)
    return false, words


# the collection


def chosen(seed: int, each: int) -> list[Case]:
    """So many cases of every family that are counted here."""
    families: dict[str, list[Case]] = {}
    for case in collection(SPLIT, seed):
        if not case.family.startswith(LEFT_OUT):
            families.setdefault(case.family, []).append(case)
    return [case for cases in families.values() for case in cases[:each]]


# learned ones


def _trained(context: Context, name: str) -> Job:
    """The learned detector by the paper's protocol, or why it is not available."""

    def measured() -> Row:
        try:
            bound = _bound(context, Learned())
        except RetentionError as error:
            return {"not_available": str(error).partition(" (the sha256")[0].partition(":")[0]}
        assert isinstance(bound, Learned) and bound.reader is not None and bound.probe is not None
        rng = random.Random(f"detector/{context.seed}")
        counts = evaluated(bound.reader, bound.probe, rng, list(paragraphs(context.filler)))[name]
        return {
            "found": {family: list(pair) for family, pair in counts.found.items()},
            "false": counts.false,
            "non_anchors": counts.non_anchors,
        }

    return Job({"part": "patterns", "detector": name, "seed": context.seed}, measured)


EXPERIMENT = Experiment(
    "detector", "section 5.1", "precision, recall and F1 of the detectors by family", run, render,
    lambda context: cost_of_parts(all_jobs(context)),
)  # fmt: skip
