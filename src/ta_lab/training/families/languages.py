"""Scenes in other languages than English: labels, sentences and questions of one language."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...values.coded import code8
from ..scene import Piece, Question, Scene
from ..values import random_value
from .phrases import ENGLISH, LANGUAGES, TEXTS, Label, Phrases

FAMILY = "languages"
PROSE_SHARE, ENGLISH_SHARE, USUAL_SHARE = 1 / 3, 0.15, 0.25
MARKED_SHARE, FAMILY_SHARE = 0.1, 0.15


def languages() -> tuple[str, ...]:
    """Codes of the languages."""
    return tuple(LANGUAGES)


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """`facts` statements of one language, and their questions in random order.

    Some labels carry a word in brackets ("contraseña (redis)"), alike but for it in some scenes.
    """
    code = rng.choice(languages())
    phrases = LANGUAGES[code]
    named = _labels(rng, phrases, facts, words)
    values = _values(rng, named)
    pieces = [
        _piece(rng, phrases, label, value) for (label, _), value in zip(named, values, strict=True)
    ]
    asked = rng.sample(range(facts), facts)
    questions = [
        Question(_question(rng, phrases, *named[index]), " " + values[index], index)
        for index in asked
    ]
    filler = "prose" if rng.random() < PROSE_SHARE else code
    return Scene(pieces, questions, filler=filler, family=FAMILY)


def _labels(
    rng: random.Random, phrases: Phrases, count: int, words: Sequence[str]
) -> list[tuple[Label, str]]:
    """`count` different labels, each with its English name."""
    alike = rng.randrange(len(ENGLISH)) if count > 1 and rng.random() < FAMILY_SHARE else None
    left = list(range(len(ENGLISH)))
    rng.shuffle(left)
    found: dict[str, tuple[Label, str]] = {}
    while len(found) < count:
        family = alike is not None and len(found) < 3
        index = alike if family else left.pop() if left else rng.randrange(len(ENGLISH))
        assert index is not None
        label, english = phrases.labels[index], ENGLISH[index]
        if family or not left or rng.random() < MARKED_SHARE:
            word = _mark(rng, words)
            label = label.marked(phrases.mark.format(word))
            english = f"{english} ({word})"
        found.setdefault(label.name, (label, english))
    named = list(found.values())
    rng.shuffle(named)
    return named


def _mark(rng: random.Random, words: Sequence[str]) -> str:
    if words and rng.random() < 0.8:
        return rng.choice(words)
    return str(rng.randint(1, 999))


def _values(rng: random.Random, named: Sequence[tuple[Label, str]]) -> list[str]:
    """A value for each label, none inside another or inside a label."""
    names = [name for label, english in named for name in (label.name, label.acc, english)]
    values: list[str] = []
    while len(values) < len(named):
        value = code8(rng) if rng.random() < 0.4 else random_value(rng)
        inside = any(value in text for text in names)
        if not inside and not any(value in other or other in value for other in values):
            values.append(value)
    return values


def _piece(rng: random.Random, phrases: Phrases, label: Label, value: str) -> Piece:
    before, after = rng.choice(phrases.statements).split("{value}")
    slots = phrases.slots(label)
    return Piece(before.format(**slots), value, after.format(**slots))


def _question(rng: random.Random, phrases: Phrases, label: Label, english: str) -> str:
    """A question in the language of the scene, or in English."""
    if rng.random() < ENGLISH_SHARE:
        return rng.choice(TEXTS.english_questions).format(label=english)
    usual = rng.random() < USUAL_SHARE
    text = phrases.questions[0] if usual else rng.choice(phrases.questions)
    return text.format(**phrases.slots(label))
