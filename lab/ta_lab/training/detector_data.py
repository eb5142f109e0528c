"""What the learned detector is trained and judged on: hidden states of tokens, and their labels.

A positive token is the last of an announcement that ends before the value begins; a negative one
stands in a paragraph, or elsewhere in an announcing line. States are read as the detector itself
reads them (``blocks``, ``paired``).

Patterns to train on and to judge by are disjoint, and written out: ``data/announcements.txt`` and
``announcements-evaluation.txt``, by family. What is tuned is tuned on parts of the first, never on
the others. The paper names seven of its nine families of evaluation (its table of formats); prose
and reminders are the two others here. None of the paper's own patterns was published.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from transactional_attention.detection.model_detectors import Reader, blocks
from transactional_attention.detection.paper.learned import paired
from transactional_attention.types import Floats32

from ..data import packed, sections
from .values import unspaced_value

HELD_OUT = 5  # paragraphs of which one is kept for the evaluation
AHEAD = 12  # characters of a value that are read: what follows cannot change a state before it
BEFORE, AFTER = 70, 50  # characters of a paragraph around an announcement
IN_ONE_CALL = 400  # texts
VALUE = "⟦⟧"  # the announcement ends right before it


def _patterns(name: str) -> dict[str, tuple[str, ...]]:
    return {
        family: tuple(line.replace("\\n", "\n").replace("\\t", "\t") for line in lines)
        for family, lines in sections(name).items()
    }


TRAINING = tuple(line for lines in _patterns("announcements").values() for line in lines)
EVALUATION = _patterns("announcements-evaluation")


@dataclass(frozen=True)
class Line:
    """A line that announces a value; the announcement ends where the value begins."""

    text: str
    value: int


def paragraphs() -> tuple[list[str], list[str]]:
    """400 paragraphs of prose and 80 of code that announce nothing: to train on, and held out."""
    texts = list(packed("frozen/paragraphs"))
    return (
        [text for i, text in enumerate(texts) if i % HELD_OUT],
        [text for i, text in enumerate(texts) if not i % HELD_OUT],
    )


def lines(
    rng: random.Random, patterns: Sequence[str], count: int, around: Sequence[str]
) -> list[Line]:
    """``count`` lines of the patterns in turn, with fresh values, half of them inside a text."""
    return [_line(rng, patterns[i % len(patterns)], around) for i in range(count)]


def _line(rng: random.Random, pattern: str, around: Sequence[str]) -> Line:
    announced, rest = pattern.split(VALUE)
    before = after = ""
    if "\n" not in pattern and rng.random() < 0.5:
        text = rng.choice(around).replace("\n", " ")
        before = text[: rng.randint(10, BEFORE)].rsplit(" ", 1)[0] + " "
        after = " " + rng.choice(around).replace("\n", " ")[: rng.randint(0, AFTER)]
    value = unspaced_value(rng)
    return Line(before + announced + value + rest + after, len(before + announced))


def announcing(reader: Reader, examples: Sequence[Line], layer: int) -> tuple[Floats32, Floats32]:
    """Pairs of the last token of each announcement, and of other tokens of the lines."""
    wanted, others = [], []
    texts = [line.text[: line.value + AHEAD] for line in examples]
    for line, (ends, pairs) in zip(examples, _pairs(reader, texts, layer)):
        before = np.flatnonzero(ends <= line.value)
        last = next((i for i in before[::-1] if _shows(line.text, ends, i)), None)
        if last is None:
            continue
        wanted.append(pairs[last])
        others += [pairs[i] for i in (last - 3, last - 2, last + 2) if 0 <= i < len(pairs)]
    return np.stack(wanted), np.stack(others)


def _shows(text: str, ends: npt.NDArray[np.int64], token: int) -> bool:
    """Whether a token is more than blanks: those before a value are no announcement."""
    return not text[ends[token - 1] if token else 0 : ends[token]].isspace()


def plain(reader: Reader, texts: Sequence[str], layer: int) -> Floats32:
    """Pairs of every token of texts, [token, 2 x states]."""
    return np.concatenate([pairs for _, pairs in _pairs(reader, texts, layer)])


def _pairs(
    reader: Reader, texts: Sequence[str], layer: int
) -> Iterator[tuple[npt.NDArray[np.int64], Floats32]]:
    """Ends of the tokens of every text in characters, and their ``paired`` states, [token]."""
    for at in range(0, len(texts), IN_ONE_CALL):
        group = texts[at : at + IN_ONE_CALL]
        parts = [(i, *part) for i, text in enumerate(group) for part in blocks(text)]
        read = reader.hidden([group[i][first:end] for i, first, _, end in parts], "training", layer)
        ends: list[list[npt.NDArray[np.int64]]] = [[] for _ in group]
        pairs: list[list[Floats32]] = [[] for _ in group]
        for (i, first, new, _), (tokens, states) in zip(parts, read):
            fresh = tokens.ends + first > new
            ends[i].append(tokens.ends[fresh] + first)
            pairs[i].append(paired(states)[fresh])
        for own_ends, own_pairs in zip(ends, pairs):
            if own_ends:
                yield np.concatenate(own_ends), np.concatenate(own_pairs)
