"""Labelled candidates for the character-level detector: scenes of the embedded model, and cases of
the collection.

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
from ..collection.written import WRITTEN, marked_texts
from ..data import table
from .families import FAMILIES
from .scene import Scene
from .told_texts import counted_paragraph, told_document
from .values import VOCABULARY, random_value

BARE, TOLD = "bare", "told"
OTHER_SHARE, ESCAPED_SHARE = 0.2, 0.15  # values of other kinds; JSON inside a string
OPAQUE = 0.75  # opacity of a value that needs no announcement
SPLITS = ("development", "retired", "retired-second")  # never ``test``
FLOODS = "flood-"
COUNTED, COUNTED_SHARE = "counted", 0.3  # paragraphs of numbers between statements
PLAIN_SHARE = 0.25  # documents without any statement
JUDGED, JUDGED_TIMES = "judged", 8  # written texts that are held out, and their weight
APART = 5  # one written text in so many is held out
WORDING = 10  # characters before a value by which wordings are held out
HELD_OUT_PART = 8  # one wording in so many
TOGETHER = 4  # paragraphs of a text without values
DULL = 0.45  # opacity below which an unasked value is surely none

OTHERS = tuple(map(VOCABULARY.maker, table("values/training")["others"]))
"""Kinds that the model's training lacks; hosts and addresses are those reserved for examples."""

_ROLE = re.compile(r"<\|\w+\|>")
_TIME = re.compile(
    r"\d{4}[-/]\d\d[-/]\d\d.*|\d\d:\d\d.*|\d+(?:\.\d+)?(?:[kKMGT]?i?B|[munµ]?s|%|px)?"
)
SHARES = {
    "plain": 1, "labelled": 1.5, "prose": 1.5, "confusers": 1, "corrections": 1,
    "unstructured": 1.5, "multi": 1, "formats": 5, "tools": 1.5, "languages": 3, "chat": 1.5,
    BARE: 2,
}  # fmt: skip


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


def documents(
    rng: random.Random, paragraphs: dict[str, list[str]], words: Sequence[str], count: int
) -> Iterator[Marked]:
    """``count`` texts of some thousand characters; paragraphs are of the kinds of a corpus."""
    names, weights = list(SHARES), list(SHARES.values())
    for _ in range(count):
        if rng.random() < PLAIN_SHARE:
            kind = rng.choice([*paragraphs, COUNTED, COUNTED])
            text = "\n\n".join(_paragraph(rng, kind, paragraphs) for _ in range(6))
            yield Marked(text, [], [], "none")
            continue
        family = rng.choices(names, weights)[0]
        if family == BARE:
            yield bare(rng, rng.choice(paragraphs[rng.choice(list(paragraphs))]))
            continue
        scene = FAMILIES[family](rng, rng.randint(1, 5), words)
        yield woven(rng, scene, family, paragraphs)


def _paragraph(rng: random.Random, kind: str, paragraphs: dict[str, list[str]]) -> str:
    return counted_paragraph(rng) if kind == COUNTED else rng.choice(paragraphs[kind])


def told_documents(rng: random.Random, count: int) -> Iterator[Marked]:
    """``count`` texts of what people tell; what their statements do not mark is no value."""
    for _ in range(count):
        text, values = told_document(rng)
        yield Marked(text, values, [], TOLD)


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


def written(times: int) -> Iterator[Marked]:
    """Texts that were written by hand, several times each: they are few, and like real ones. What
    they do not mark is no value. One in ``APART`` is held out (family ``JUDGED``)."""
    for text in marked_texts(WRITTEN):
        apart = is_kept_apart(text.id)
        marked = Marked(text.text, list(text.values), [], JUDGED if apart else WRITTEN)
        yield from [marked] * (JUDGED_TIMES if apart else times)


def is_kept_apart(name: str) -> bool:
    """Whether a written text is one of those that training is judged by, not trained on."""
    return zlib.crc32(name.encode()) % APART == 0


def woven(
    rng: random.Random, scene: Scene, family: str, paragraphs: dict[str, list[str]]
) -> Marked:
    """The scene's statements with paragraphs between them; roles become line ends."""
    pool = paragraphs.get(scene.filler, paragraphs["prose"])
    text, values, statements = "", [], []
    for piece in scene.pieces:
        if rng.random() < 0.6:
            counted = rng.random() < COUNTED_SHARE
            text += counted_paragraph(rng) if counted else rng.choice(pool)[: rng.randint(80, 700)]
        text += rng.choice((" ", " ", "\n", "\n\n")) if "\n" not in piece.text else "\n"
        before, value, after = _plain(piece.before), piece.value, _plain(piece.after)
        if value and rng.random() < OTHER_SHARE:
            value = rng.choice(OTHERS)(rng)
        if '"' in before and '"' not in value and rng.random() < ESCAPED_SHARE:
            before, after = before.replace('"', '\\"'), after.replace('"', '\\"')
        start = len(text)
        text += before
        if value:
            values.append((len(text), len(text) + len(value)))
        text += value + after
        statements.append((start, len(text)))
        text += rng.choice((" ", "\n", "\n\n")) if "\n" not in piece.text else "\n"
    return Marked(text + rng.choice(pool)[:300], values, statements, family)


def bare(rng: random.Random, paragraph: str) -> Marked:
    """A paragraph with opaque values between its words, which nothing announces."""
    words = paragraph.split(" ")
    values, text = [], ""
    places = set(rng.sample(range(len(words)), min(len(words), rng.randint(1, 3))))
    for i, word in enumerate(words):
        if i in places:
            value = _opaque(rng)
            values.append((len(text), len(text) + len(value)))
            text += value + " "
        text += word + " "
    return Marked(text, values, values, BARE)


def _opaque(rng: random.Random) -> str:
    while True:
        value = rng.choice(OTHERS)(rng) if rng.random() < 0.4 else random_value(rng)
        if opacity(value) >= OPAQUE and " " not in value:
            return value


def _plain(text: str) -> str:
    return _ROLE.sub(lambda match: "\n" * len(match[0]), text)


def examples(marked: Sequence[Marked], boundaries: Boundaries) -> Examples:
    """The candidates of texts with their labels; those that may be either are left out."""
    rows, numbers, labels, held_out, texts = [], [], list[float](), list[bool](), list[int]()
    count = 0
    for document, same in groupby(marked):  # a text that counts several times is read once
        times = len(list(same))
        text = plain(document.text)
        every = candidates(text, whole_text(text), range(len(text)), boundaries)
        said = [_label(document, one.begin, one.end) for one in every]
        used = [number for number, label in enumerate(said) if label is not None]
        if used:
            some, plain_numbers = features(text, every)
            rows += [some[used].astype(np.uint16)] * times
            numbers += [plain_numbers[used]] * times
            labels += [label for label in said if label is not None] * times
            held_out += [_is_held_out(document, every[number].begin) for number in used] * times
            texts += np.repeat(np.arange(count, count + times), len(used)).tolist()
        count += times
    return Examples(
        np.concatenate(rows),
        np.concatenate(numbers),
        np.array(labels, np.float32),
        np.array(held_out),
        np.array(texts),
    )


def plain_texts(paragraphs: dict[str, list[str]]) -> Iterator[Marked]:
    """All paragraphs of a corpus, some together, as texts that state nothing."""
    for pool in paragraphs.values():
        for at in range(0, len(pool), TOGETHER):
            yield Marked("\n\n".join(pool[at : at + TOGETHER]), [], [], "none")


def joined(parts: Sequence[Examples]) -> Examples:
    """The candidates of all parts, one part after another."""
    first = np.cumsum([0, *(part.texts.max(initial=-1) + 1 for part in parts)])
    apart = [replace(part, texts=part.texts + at) for part, at in zip(parts, first)]
    return Examples(*map(np.concatenate, zip(*(vars(part).values() for part in apart))))


def _is_held_out(document: Marked, begin: int) -> bool:
    if document.family in (WRITTEN, JUDGED):
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
