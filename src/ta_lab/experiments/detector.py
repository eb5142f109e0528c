"""Section 5.1: precision, recall and F1 of every detector, by family, and what transfers.

``patterns``: the paper's protocol, announcements of nine families and spans of plain text; the
announcements are this project's own, since the paper's were not published. ``collection``: the
test cases of the collection, whose texts hold other values too, so that precision there is a lower
bound. ``transfer``: ``detector_transfer.py``. A detector that needs weights trained for the model
is named as not available without them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from transactional_attention.detection.scanner import Scanner
from transactional_attention.errors import RetentionError
from transactional_attention.types import Anchor

from ..cases.cases import Case
from ..cases.fillers import paragraphs
from ..collection import collection
from ..collection.detecting import (
    LEFT_OUT,
    WHOLE,
    bound,
    first_of_each,
    lacking,
    on_collection,
    read,
)
from ..training.detector_data import Line, lines
from ..training.detector_patterns import EVALUATION
from ..training.train_detector import ANCHORS, NON_ANCHORS, evaluated
from .costs import cost_of_parts
from .detector_table import render
from .detector_transfer import counted, probe_of, reader_of, transfer_jobs
from .experiment import Context, Experiment, Record, Row
from .jobs import Job, run_parts

OF_TEXT: dict[str, tuple[str, ...]] = {
    "regex": ("regex",),
    "semantic": ("semantic",),
    "ta": ("values",),
}
"""Detectors by name."""
QUICK = ("regex", WHOLE)
TRAINED = ("learned", "learnrank")
SPLIT = "test"  # detectors were written and tuned on the other one
MakeScanner = Callable[[], Scanner]
_WORD = re.compile(r"\S+")


def run(context: Context) -> Record:
    """A row a part and detector; what ``context.rows`` holds is not run again."""
    return {"rows": run_parts(context, all_jobs(context))}


def all_jobs(context: Context) -> list[Job]:
    """Both protocols for every detector; a quick run has no transfer and few of them."""
    if context.size == "quick":
        jobs = [job for name in QUICK for job in _jobs(context, name, _of_text(name))]
        return [*jobs, *(_trained(context, name) for name in TRAINED)]
    jobs = [job for name in OF_TEXT for job in _jobs(context, name, _of_text(name))]
    jobs += _jobs(context, "embedding", partial(_reading, context, "embedding"))
    jobs += [_trained(context, name) for name in TRAINED]
    jobs += [_jobs(context, name, partial(_reading, context, name))[-1] for name in TRAINED]
    return [*jobs, *transfer_jobs(context)]


def _of_text(name: str) -> Callable[[], MakeScanner]:
    return lambda: partial(Scanner, OF_TEXT[name])


def _reading(context: Context, name: str) -> MakeScanner:
    """Raises InputError when the detector needs weights that are not there."""
    return partial(Scanner, [bound(name, reader_of(*context.loaded))])


def _jobs(context: Context, name: str, scanner: Callable[[], MakeScanner]) -> list[Job]:
    """Both protocols for a detector; ``scanner()()`` is a fresh one."""
    size = context.pick(0.2, 1.0, 1.0)
    each = context.trials or context.pick(1, 4, 12)
    count = {"anchors": round(size * ANCHORS), "non_anchors": round(size * NON_ANCHORS)}
    common = {"detector": name, "seed": context.seed}

    def patterns() -> Row:
        return on_patterns(scanner(), context.seed, context.filler, **count)

    def of_collection() -> Row:
        try:
            made = scanner()
        except RetentionError as error:
            return {"not_available": lacking(error)}
        return on_collection(made, chosen(context.seed, each))

    return [
        Job({"part": "patterns", **common, **count}, patterns),
        Job({"part": "collection", **common, "each": each}, of_collection),
    ]


# the paper's protocol


def on_patterns(scanner: Any, seed: int, name: str, *, anchors: int, non_anchors: int) -> Row:
    """Announcements found by family, and words of plain text taken for a value.

    ``found``: [found, of]; an announcement is found when an anchor's value begins where its own
    does. ``taken``: other words of the same lines at which a value begins, and how many there are.
    ``false``: words of plain text at which one begins, of ``non_anchors``.
    """
    rng = random.Random(f"detector/{seed}")
    around = paragraphs(name)
    found, taken = {}, {}
    for i, (family, patterns) in enumerate(EVALUATION.items()):
        count = anchors // len(EVALUATION) + (i < anchors % len(EVALUATION))
        made = lines(rng, patterns, count, around)
        read_lines = [(one, read(scanner, one.text)) for one in made]
        right = sum(
            any(a.value.start <= one.value < a.value.end for a in anchors)
            for one, anchors in read_lines
        )
        beside = [_beside(one, anchors) for one, anchors in read_lines]
        found[family] = [right, count]
        taken[family] = [sum(n for n, _ in beside), sum(of for _, of in beside)]
    false, words = _plain(scanner, rng, around, non_anchors)
    return {"found": found, "taken": taken, "false": false, "non_anchors": words}


def _beside(one: Line, anchors: Sequence[Anchor]) -> tuple[int, int]:
    """Words of a line at which a value begins, but for the word of its own, and all of them."""
    words = [match.span() for match in _WORD.finditer(one.text)]
    others = [(start, end) for start, end in words if not start <= one.value < end]
    began = [anchor.value.start for anchor in anchors]
    return sum(any(start <= b < end for b in began) for start, end in others), len(others)


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
    counted = (case for case in collection(SPLIT, seed) if not case.family.startswith(LEFT_OUT))
    return first_of_each(counted, each)


# learned ones


def _trained(context: Context, name: str) -> Job:
    """The learned detector by the paper's protocol, or why it is not available."""

    def measured() -> Row:
        reader = reader_of(*context.loaded)
        try:
            probe = probe_of(reader)
        except RetentionError as error:
            return {"not_available": lacking(error)}
        rng = random.Random(f"detector/{context.seed}")
        return counted(evaluated(reader, probe, rng, list(paragraphs(context.filler)))[name])

    return Job({"part": "patterns", "detector": name, "seed": context.seed}, measured)


EXPERIMENT = Experiment(
    "detector", "section 5.1", "precision, recall and F1 of the detectors by family", run, render,
    lambda context: cost_of_parts(all_jobs(context)),
)  # fmt: skip
