"""RULER's eight needle tasks, made from its description (Hsieh et al. 2024, arXiv 2404.06654).

Types and numbers of needles are those of ``scripts/synthetic.yaml`` of NVIDIA/RULER, the way of
placing them that of ``scripts/data/synthetic/niah.py``. Different here: the sentences are our own,
of the same structure; essays are the setting's filler; keys and values never repeat; the question
is the last turn, without the beginning of an answer after it; and the tasks of several keys ask
for four of them, each by itself, over one context.
"""

from __future__ import annotations

import random
import re
import uuid
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from transactional_attention.errors import InputError

from ..cases.cases import Case, Value
from ..cases.fillers import paragraphs
from ..data import texts
from ..values.alphabets import characters
from .placing import Setting, count

TEXTS = texts("tasks/ruler")
TEMPLATES = (TEXTS.needle, *TEXTS.intro, *TEXTS.question, TEXTS.noise)
PLACES = 40  # relative depths that needles are placed at
TOKENS_OF_A_UNIT = 12  # of a haystack on average, or more
LONGEST = 40  # words of a sentence of an essay; what is longer is a table


@dataclass(frozen=True)
class Shape:
    """A task: haystack, kinds of keys and values, and how many. ``together``: one question asks for
    every value."""

    haystack: str
    keys: str = "words"
    values: str = "numbers"
    num_keys: int = 1
    num_values: int = 1
    together: bool = True


SHAPES = {name: Shape(**shape) for name, shape in TEXTS.shapes.items()}


def questions_of(variant: str) -> int:
    """Questions that share a context of a task."""
    shape = SHAPES[variant]
    return 1 if shape.together else shape.num_keys


def found_in(generated: str, answer: str) -> int:
    """RULER's metric: how many of the references, one a line, are contained, in any case.

    Its score is the share of them."""
    text = generated.lower()
    return sum(reference.lower() in text for reference in answer.split("\n"))


def ruler(tokenizer: Any, setting: Setting) -> list[Case]:
    """The needles of ``setting.variant`` at drawn depths; ``setting.depth`` only seeds them.
    Raises InputError for a number of tokens that cannot hold the needles."""
    rng, shape = setting.rng("ruler"), SHAPES[setting.variant]
    keys, values = _drawn(rng, shape.keys), _drawn(rng, shape.values)
    needle_keys = [next(keys) for _ in range(shape.num_keys)]
    needles = [(key, next(values)) for key in needle_keys for _ in range(shape.num_values)]
    asked = [needles] if shape.together else [[needle] for needle in needles]
    questions = [_question(shape, some) for some in asked]
    hay = _haystack(rng, shape, setting, keys, values)
    places = sorted(rng.sample(range(PLACES), len(needles)))
    shuffled = rng.sample(needles, len(needles))
    room = setting.tokens - max(count(tokenizer, question) for question in questions)
    joint = " " if shape.haystack == "essay" else "\n"
    head = _worded(TEXTS.intro, shape, len(asked[0])) + "\n"

    def context(size: int) -> tuple[str, tuple[Value, ...]]:
        parts = list(hay[:size])
        at = [round(size * place / (PLACES - 1)) + i for i, place in enumerate(places)]
        for index, (key, value) in zip(at, shuffled, strict=True):
            parts.insert(index, TEXTS.needle.format(kinds=shape.values, key=key, value=value))
        text = head + joint.join(parts)
        starts = sorted((text.index(value), key, value) for key, value in shuffled)
        return text, tuple(Value(start, start + len(v), key) for start, key, v in starts)

    sizes = range(len(hay) + 1)
    size = bisect(sizes, False, key=lambda size: count(tokenizer, context(size)[0]) > room) - 1
    if size < 1:
        raise InputError(f"a context of {setting.tokens} tokens cannot hold the needles: use more")
    text, value_spans = context(size)
    return [
        Case(
            id=setting.name("ruler") + (f"-{index}" if len(asked) > 1 else ""),
            family="ruler",
            context=text,
            question=question,
            answer="\n".join(value for _, value in some),
            values=value_spans,
            meta={"tokens": setting.tokens, "variant": setting.variant},
        )
        for index, (question, some) in enumerate(zip(questions, asked, strict=True))
    ]


def _drawn(rng: random.Random, kind: str) -> Iterator[str]:
    """Words, numbers of seven digits or UUIDs, none of them twice. Raises InputError when there
    are no more words."""
    seen: set[str] = set()
    while True:
        if kind == "words":
            if len(seen) == len(TEXTS.adjectives) * len(TEXTS.nouns):
                raise InputError("there are no more keys of words: use fewer tokens")
            text = f"{rng.choice(TEXTS.adjectives)}-{rng.choice(TEXTS.nouns)}"
        elif kind == "numbers":
            text = rng.choice("123456789") + characters(rng, 6, "0123456789")
        else:
            text = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        if text not in seen:
            seen.add(text)
            yield text


def _haystack(
    rng: random.Random, shape: Shape, setting: Setting, keys: Iterator[str], values: Iterator[str]
) -> Sequence[str]:
    """Units that needles stand between, more than fit."""
    number = setting.tokens // TOKENS_OF_A_UNIT
    if shape.haystack == "noise":
        return [TEXTS.noise] * number
    if shape.haystack == "needles":
        return [
            TEXTS.needle.format(kinds=shape.values, key=next(keys), value=next(values))
            for _ in range(number)
        ]
    source, units = paragraphs(setting.filler), list[str]()
    while len(units) < number:
        sentences = re.split(r"(?<=[.!?]) ", rng.choice(source))
        units += [text for text in sentences if 2 < len(text.split()) <= LONGEST]
    return units


def _worded(templates: tuple[str, str], shape: Shape, number: int, **fields: str) -> str:
    """The first of two templates for several values, the second for one."""
    kinds = shape.values
    template = templates[number == 1]
    return template.format(kinds=kinds, kind=kinds.removesuffix("s"), **fields)


def _question(shape: Shape, needles: Sequence[tuple[str, str]]) -> str:
    keys = list(dict.fromkeys(key for key, _ in needles))
    listed = keys[0] if len(keys) == 1 else ", ".join(keys[:-1]) + f", and {keys[-1]}"
    return _worded(TEXTS.question, shape, len(needles), key=listed)
