"""Scenes with short values: many facts fit into a short document, so that choosing is learnt.

Copying a long value is learnt early and from any document; which value is asked for is learnt
late, and only from documents that ask for many.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from transactional_attention.training.scene import Scene
from transactional_attention.training.values import (
    ALNUM,
    LOWER_ALNUM,
    UPPER_ALNUM,
    WORDS,
    characters,
)

ALPHABETS = (UPPER_ALNUM, UPPER_ALNUM, ALNUM, LOWER_ALNUM, "0123456789")
# A shorter value might be found inside of other words.
SHORTEST = 4


def brief_value(rng: random.Random) -> str:
    """A word or three to six characters, rarely eight."""
    if rng.random() < 0.15:
        return rng.choice(WORDS)
    return characters(rng, rng.choice(ALPHABETS), rng.choice((3, 4, 4, 5, 6, 8)))


def with_brief_values(scene: Scene, rng: random.Random) -> Scene:
    """The scene with other, short values; as it is when a value of it is very short already."""
    values = {piece.value for piece in scene.pieces if piece.value}
    if not values or min(map(len, values)) < SHORTEST:
        return scene
    new = {value: brief_value(rng) for value in sorted(values)}
    found = re.compile("|".join(re.escape(value) for value in sorted(values, key=len)[::-1]))

    def swap(text: str) -> str:
        return found.sub(lambda match: new[match.group()], text)

    pieces = [
        replace(piece, before=swap(piece.before), value=swap(piece.value), after=swap(piece.after))
        for piece in scene.pieces
    ]
    questions = [
        replace(question, text=swap(question.text), answer=swap(question.answer))
        for question in scene.questions
    ]
    return replace(
        scene, pieces=pieces, questions=questions, head=swap(scene.head), tail=swap(scene.tail)
    )
