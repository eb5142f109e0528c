"""What the learned detector is trained and judged on: hidden states of tokens, and their labels.

A positive token is the last of an announcement; a negative one stands in a paragraph, or elsewhere
in an announcing line. States are read as the detector itself reads them (``blocks``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from transactional_attention.anchors.reading import Floats, Reader, blocks
from transactional_attention.training import sources
from transactional_attention.training.detector_patterns import VALUE
from transactional_attention.training.families.format_keys import unspaced_value

PROSE, CODE = 1500, 300  # paragraphs of text without announcements
HELD_OUT = 5  # of which one in so many is kept for the evaluation
BEFORE, AFTER = 70, 50  # characters of a paragraph around an announcement
IN_ONE_CALL = 400  # texts


@dataclass(frozen=True)
class Line:
    """A line that announces a value; the announcement ends where the value begins."""

    text: str
    value: int


def paragraphs() -> tuple[list[str], list[str]]:
    """Prose and code of this machine that announce nothing: to train on, and held out."""
    files = sources.standard_library_files()
    prose = (line for text in sources.source_texts(files) for line in sources.paragraphs(text))
    found = [*islice(prose, PROSE), *islice(sources.code(), CODE)]
    return (
        [text for i, text in enumerate(found) if i % HELD_OUT],
        [text for i, text in enumerate(found) if not i % HELD_OUT],
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


def announcing(reader: Reader, found: Sequence[Line]) -> tuple[Floats, Floats]:
    """States of the last token of each announcement, and of other tokens of the lines."""
    wanted, others = [], []
    for line, (starts, states) in zip(found, _states(reader, [line.text for line in found])):
        before = np.flatnonzero(starts < line.value)
        if not len(before):
            continue
        last = int(before[-1])
        wanted.append(states[last])
        others += [states[i] for i in (last - 3, last + 2) if 0 <= i < len(states)]
    return np.stack(wanted), np.stack(others)


def plain(reader: Reader, texts: Sequence[str]) -> Floats:
    """States of every token of texts, [token, states]."""
    return np.concatenate([states for _, states in _states(reader, texts)])


def _states(reader: Reader, texts: Sequence[str]) -> Iterator[tuple[npt.NDArray[np.int64], Floats]]:
    """First characters and states of the tokens of every text, [token]."""
    for at in range(0, len(texts), IN_ONE_CALL):
        group = texts[at : at + IN_ONE_CALL]
        parts = [(i, *part) for i, text in enumerate(group) for part in blocks(text)]
        read = reader.hidden([group[i][first:end] for i, first, _, end in parts], "training")
        starts: list[list[npt.NDArray[np.int64]]] = [[] for _ in group]
        states: list[list[Floats]] = [[] for _ in group]
        for (i, first, new, _), (tokens, hidden) in zip(parts, read):
            fresh = tokens.ends + first > new
            starts[i].append(tokens.starts[fresh] + first)
            states[i].append(hidden[fresh])
        for own_starts, own_states in zip(starts, states):
            if own_states:
                yield np.concatenate(own_starts), np.concatenate(own_states)
