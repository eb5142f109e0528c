"""What detectors find in the cases, by family; nothing is kept.

Those of text read no token; those of ``READING`` read a model with a forward of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from transactional_attention.detection.detector import Detector
from transactional_attention.detection.model_detectors import Reader
from transactional_attention.detection.paper.embedding import Embedding
from transactional_attention.detection.paper.learned import Learned, learn_rank
from transactional_attention.detection.scanner import Scanner
from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import RetentionError
from transactional_attention.types import Anchor

from ..cases.cases import Case
from ..markdown import NONE, markdown, share

WHOLE = "ta"
SETS: dict[str, tuple[str, ...]] = {
    WHOLE: ("values",),
    "semantic": ("semantic",),
    "regex": ("regex",),
}
"""The detector of ``ta``, and the paper's that read text alone."""
READING: dict[str, Callable[[], Embedding | Learned]] = {
    "embedding": Embedding,
    "learned": Learned,
    "learnrank": learn_rank,
}
"""Detectors that read a model, unbound."""


def bound(name: str, reader: Reader) -> Detector:
    """A detector of ``READING`` with a model.

    Raises InputError when it needs weights that were trained for the model, and there are none."""
    return READING[name]().bind(reader)


def reader_of(model: Any, tokenizer: Any) -> Reader:
    """What reads text with a model."""
    reader = model_shape(model, tokenizer).reader
    assert reader is not None
    return reader


def lacking(error: RetentionError) -> str:
    """Why a detector is not available, for a record: no checksum, no path, no remedy."""
    return str(error).partition(" (its fingerprint")[0].partition(":")[0]


def first_of_each(cases: Iterable[Case], number: int) -> list[Case]:
    """The first ``number`` cases of every family, families in the order of their first one."""
    families: dict[str, list[Case]] = {}
    for case in cases:
        families.setdefault(case.family, []).append(case)
    return [case for members in families.values() for case in members[:number]]


def read(scanner: Callable[[], Scanner], text: str) -> list[Anchor]:
    """What a fresh scanner finds in a whole text."""
    return scanner().feed(text, final=True)


def on_collection(
    scanner: Callable[[], Scanner], cases: Sequence[Case]
) -> dict[str, dict[str, list[int]]]:
    """Values and anchors by family: [values, found whole, anchors, anchors on a value, characters].

    A value is found when one anchor's value covers it; an anchor is right when it overlaps one.
    """
    counted: dict[str, list[int]] = {}
    for case in cases:
        anchors = read(scanner, case.context)
        spans = [(value.start, value.end) for value in case.values]
        hits = sum(
            any(a.value.start <= start and end <= a.value.end for a in anchors)
            for start, end in spans
        )
        right = sum(
            any(a.value.start < end and start < a.value.end for start, end in spans)
            for a in anchors
        )
        new = (len(spans), hits, len(anchors), right, len(case.context))
        old = counted.get(case.family, [0] * len(new))
        counted[case.family] = [a + b for a, b in zip(old, new, strict=True)]
    return {"families": counted}


def of_collection(rows: Sequence[dict[str, Any]]) -> str:
    """A line a family, a column a detector: values found whole, % / anchors that are values, %.

    A family without values shows anchors in 10,000 characters; the last line is of those with
    values, with its interval."""
    detectors = [row for row in rows if "families" in row]
    lines = [
        (family, counted[0], *(_found(*row["families"][family]) for row in detectors))
        for family, counted in detectors[0]["families"].items()
    ]
    head = ("family", "values", *(row["detector"] for row in detectors))
    return markdown(head, [*lines, ("all", "", *map(_all, detectors))])


def _all(row: dict[str, Any]) -> str:
    valued = [counted for counted in row["families"].values() if counted[0]]
    values, hits, anchors, right = (sum(counted[i] for counted in valued) for i in range(4))
    precise = f"{100 * right / anchors:.0f}" if anchors else NONE
    return f"{share(hits, values)} / {precise}"


def _found(values: int, hits: int, anchors: int, right: int, characters: int) -> str:
    if not values:
        return f"{10_000 * anchors / max(characters, 1):.1f}"
    precise = f"{100 * right / anchors:.0f}" if anchors else NONE
    return f"{100 * hits / values:.0f} / {precise}"
