"""Lists of labels with short values, and many questions: which value belongs to which label.

A model copies values long before it picks the one that is asked for; texts that are nothing but
pairs teach the choice soonest.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..brief import brief_value
from ..facts import HEAD_NOUNS, KEYS, is_held_out
from ..scene import Piece, Question, Scene
from ..values import WORDS

# How a list states all of its pairs, and how they are asked for.
FORMS = (
    ("{key}: {value}", "\n\nWhat is the {key}?"),
    ("The {key} is {value}.", "\n\nWhat is the {key}?"),
    ("The {key} is: {value}", "\n\nWhat is the {key}?"),
    ("{key} = {value}", "\n{key} ="),
    ("{key}: {value}", "\n{key}:"),
    ("The {key} is {value}.", "\n\nThe {key} is"),
)


def _key(rng: random.Random, words: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.4:
        return rng.choice(KEYS)
    if kind < 0.7 or not words:
        return f"{rng.choice(words or WORDS)} {rng.choice(HEAD_NOUNS)}"
    return " ".join(rng.choice(words) for _ in range(rng.choice((1, 2, 2))))


def scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """One list of `facts` pairs, each asked for in one manner."""
    keys: list[str] = []
    while len(keys) < facts:
        key = _key(rng, words)
        if key not in keys and not is_held_out(key):
            keys.append(key)
    statement, question = rng.choice(FORMS)
    before, after = statement.split("{value}")
    pieces = [Piece(before.format(key=key), brief_value(rng), after) for key in keys]
    questions = [
        Question(question.format(key=key), " " + piece.value, index)
        for index, (key, piece) in enumerate(zip(keys, pieces))
    ]
    return Scene(pieces, questions, filler="none", family="pairs")
