"""Keys, statements and questions: the sentences that announce a value and ask for it.

The key "secret code", on which the model is measured, is in none of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..data import texts
from ..values.coded import code8
from .scene import Piece, Question, Scene
from .values import random_value

TEXTS = texts("training/facts")
HELD_OUT_KEY = "secret code"
KEYS, ENTITIES, HEAD_NOUNS = TEXTS.keys, TEXTS.entities, TEXTS.head_nouns
PLAIN, PROSE = TEXTS.plain, (*TEXTS.plain, *TEXTS.more_prose)
QUESTIONS, _SHARES = zip(*TEXTS.questions)


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence that states a value: `before` + `value` + `after`."""

    key: str
    before: str
    value: str
    after: str

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.value + self.after


def is_held_out(key: str) -> bool:
    """Whether a key contains the one that evaluation uses."""
    return HELD_OUT_KEY in key.lower()


def _draw_key(rng: random.Random, words: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.5:
        key = rng.choice(KEYS)
    elif kind < 0.75:
        key = " ".join(rng.choice(words) for _ in range(rng.choice((1, 2, 2, 3))))
    else:
        key = f"{rng.choice(words)} {rng.choice(HEAD_NOUNS)}"
    return f"{key} for {rng.choice(ENTITIES)}" if rng.random() < 0.12 else key


def random_keys(rng: random.Random, count: int, words: Sequence[str], plain: bool) -> list[str]:
    """`count` different keys, never the held-out one.

    `words` are lower-case words for invented keys; `plain` takes keys of the fixed list only.
    A quarter of the draws are families that differ in their owner alone ("token for Alice").
    """
    if plain and count <= len(KEYS):
        return rng.sample(KEYS, count)
    keys: list[str] = []
    if not plain and count > 1 and rng.random() < 0.25:
        base = rng.choice(KEYS)
        owners = rng.sample(ENTITIES, min(count, rng.randint(2, 4)))
        keys = [f"{base} for {owner}" for owner in owners]
    while len(keys) < count:
        key = _draw_key(rng, words)
        if key not in keys and not is_held_out(key):
            keys.append(key)
    rng.shuffle(keys)
    return keys


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def random_statement(rng: random.Random, key: str, plain: bool) -> Statement:
    """A sentence that states a fresh value for `key`; `plain` prefers codes in plain sentences."""
    if plain:
        template = rng.choice(PLAIN)
        value = code8(rng) if rng.random() < 0.8 else random_value(rng)
    else:
        prose = " for " in key or rng.random() < 0.6
        template = rng.choice(PROSE if prose else TEXTS.technical)
        value = random_value(rng)
    before, after = template.split("{value}")
    snake = key.replace(" ", "_")
    names = {
        "key": key,
        "Key": _capital(key),
        "snake": snake,
        "env": snake.upper(),
        "header": "-".join(_capital(word) for word in key.split()),
        "dashed": key.replace(" ", "-"),
    }
    speaker = rng.choice(TEXTS.speakers) if not plain and rng.random() < 0.12 else ""
    return Statement(key, speaker + before.format(**names), value, after.format(**names))


def random_question(rng: random.Random, key: str, plain: bool) -> str:
    """A question for `key`; the answer to it is a space and the value."""
    if plain and rng.random() < 0.7:
        return QUESTIONS[0].format(key=key)
    return rng.choices(QUESTIONS, _SHARES)[0].format(key=key)


def _scene(rng: random.Random, facts: int, words: Sequence[str], plain: bool) -> Scene:
    keys = random_keys(rng, facts, words, plain)
    statements = [random_statement(rng, key, plain) for key in keys]
    pieces = [Piece(found.before, found.value, found.after) for found in statements]
    questions = [
        Question(random_question(rng, key, plain), " " + piece.value, index)
        for index, (key, piece) in enumerate(zip(keys, pieces))
    ]
    return Scene(pieces, questions)


def plain_scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Fixed keys in plain sentences, mostly with codes of eight characters."""
    return _scene(rng, facts, words, plain=True)


def labelled_scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """Invented keys, owners, technical one-liners, values of all kinds."""
    return _scene(rng, facts, words, plain=False)
