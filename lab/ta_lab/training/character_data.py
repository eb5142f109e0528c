"""Labelled candidates for the character-level detector: scenes, templates, cases of the
collection, and texts written by hand.

A document is a scene's statements among paragraphs, or a case. A candidate that is a stated value
is positive; one that overlaps it otherwise, or stands in a paragraph, is negative. What else stands
in a statement, or in a case, may be a value that nobody asks for: only what nobody would keep is
negative there.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
import numpy.typing as npt

from transactional_attention.detection.boundaries import Boundaries
from transactional_attention.detection.candidates import candidates
from transactional_attention.detection.features import features
from transactional_attention.detection.opacity import opacity
from transactional_attention.detection.plain_text import plain
from transactional_attention.detection.values import whole_text

from ..collection import collection
from ..collection.annotated import ANNOTATED, marked_texts
from ..data import packed
from .template_texts import template_document

TEMPLATES = "templates"
SPLITS = ("development", "retired", "retired-second")  # never ``test``
FLOODS = "flood-"
JUDGED, JUDGED_TIMES = "judged", 8  # written texts that are held out, and their weight
APART = 5  # one written text in this many is held out
WORDING = 10  # characters before a value by which wordings are held out
HELD_OUT_PART = 8  # one wording in this many
DULL = 0.45  # opacity below which an unasked value is surely none

_TIME = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d.*|\d\d:\d\d.*|\d+(?:\.\d+)?(?:[kKMGT]?i?B|[munµ]?s|%|px)?"
)


@dataclass(frozen=True)
class Marked:
    """A text, the values stated in it, and its statements; half-open character spans."""

    text: str
    values: list[tuple[int, int]]
    statements: list[tuple[int, int]]
    family: str


@dataclass(frozen=True)
class Examples:
    """Candidates: rows and numbers as ``features`` gives them, labels, who is held out, and the
    number of their text."""

    rows: npt.NDArray[np.uint16]
    numbers: npt.NDArray[np.float32]
    labels: npt.NDArray[np.float32]
    held_out: npt.NDArray[np.bool_]
    texts: npt.NDArray[np.int64]


def scenes() -> Iterator[Marked]:
    """Texts of some thousand characters that state values in prose, code and other languages, or
    nothing."""
    for family, text, values, statements in packed("frozen/scenes"):
        yield Marked(text, [(b, e) for b, e in values], [(b, e) for b, e in statements], family)


def template_documents(rng: random.Random, count: int) -> Iterator[Marked]:
    """``count`` texts from templates; what their statements do not mark is no value."""
    for _ in range(count):
        text, values = template_document(rng)
        yield Marked(text, values, [], TEMPLATES)


def cases(draws: int) -> Iterator[Marked]:
    """The collection's templates, filled ``draws`` times, with other values than those that are
    measured (seed 0); floods left out."""
    for split in SPLITS:
        for seed in range(1, draws + 1):
            for case in collection(split, seed):
                if not case.family.startswith(FLOODS):
                    values = [(value.start, value.end) for value in case.values]
                    whole = [(0, len(case.context))] if values else []
                    yield Marked(case.context, values, whole, case.family)


def annotated(times: int) -> Iterator[Marked]:
    """Texts that were written by hand, several times each: they are few, and like real ones. What
    they do not mark is no value. One in ``APART`` is held out (family ``JUDGED``)."""
    for text in marked_texts(ANNOTATED):
        apart = is_kept_apart(text.id)
        marked = Marked(text.text, list(text.values), [], JUDGED if apart else ANNOTATED)
        yield from [marked] * (JUDGED_TIMES if apart else times)


def is_kept_apart(name: str) -> bool:
    """Whether a written text is one of those that training is judged by, not trained on."""
    return zlib.crc32(name.encode()) % APART == 0


def examples(marked: Sequence[Marked], boundaries: Boundaries) -> Examples:
    """The candidates of texts with their labels; those that may be either are left out."""
    rows, numbers, labels, held_out, texts = [], [], list[float](), list[bool](), list[int]()
    count = 0
    for document, same in groupby(marked):  # a text that counts several times is read once
        times = len(list(same))
        text = plain(document.text)
        spans = candidates(text, whole_text(text), range(len(text)), boundaries)
        all_labels = [_label(document, one.begin, one.end) for one in spans]
        used = [number for number, label in enumerate(all_labels) if label is not None]
        if used:
            some, plain_numbers = features(text, spans)
            rows += [some[used].astype(np.uint16)] * times
            numbers += [plain_numbers[used]] * times
            labels += [label for label in all_labels if label is not None] * times
            held_out += [_is_held_out(document, spans[number].begin) for number in used] * times
            texts += np.repeat(np.arange(count, count + times), len(used)).tolist()
        count += times
    return Examples(
        np.concatenate(rows),
        np.concatenate(numbers),
        np.array(labels, np.float32),
        np.array(held_out),
        np.array(texts),
    )


def plain_texts() -> Iterator[Marked]:
    """Prose and code that state nothing, and in which a network found values all the same."""
    for text in packed("frozen/plain"):
        yield Marked(text, [], [], "none")


def joined(parts: Sequence[Examples]) -> Examples:
    """The candidates of all parts, one part after another."""
    first = np.cumsum([0, *(part.texts.max(initial=-1) + 1 for part in parts)])
    apart = [replace(part, texts=part.texts + at) for part, at in zip(parts, first)]
    return Examples(*map(np.concatenate, zip(*(vars(part).values() for part in apart))))


def _is_held_out(document: Marked, begin: int) -> bool:
    if document.family in (ANNOTATED, JUDGED):
        return document.family == JUDGED
    return is_held_out_wording(document.text, begin)


def is_held_out_wording(text: str, begin: int) -> bool:
    """Whether what stands right before a value belongs to the wordings that are not trained on."""
    wording = re.sub(r"\d", "0", text[max(0, begin - WORDING) : begin].lower())
    return zlib.crc32(wording.encode()) % HELD_OUT_PART == 0


def _label(document: Marked, begin: int, end: int) -> float | None:
    if any(begin < stop and start < end for start, stop in document.values):
        return float((begin, end) in document.values)
    if not any(begin < stop and start < end for start, stop in document.statements):
        return 0.0
    value = document.text[begin:end]
    return 0.0 if opacity(value) < DULL or _TIME.fullmatch(value) else None
