"""Keys, statements and questions: the sentences that announce a value and ask for it.

The key "secret code", on which the model is measured, is in none of them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from ..data import texts
from ..values.vocabulary import code8
from .scene import Piece, Question, Scene, capital, filled
from .values import WORDS, brief_value, random_value

TEXTS = texts("training/facts")
HELD_OUT_KEY = "secret code"
KEYS, ENTITIES, HEAD_NOUNS = TEXTS.keys, TEXTS.entities, TEXTS.head_nouns
PLAIN, PROSE = TEXTS.plain, (*TEXTS.plain, *TEXTS.more_prose)
QUESTIONS, _SHARES = zip(*TEXTS.questions)
ACRONYMS = frozenset(TEXTS.acronyms)


def is_held_out(key: str) -> bool:
    """Whether a key contains the one that evaluation uses."""
    return HELD_OUT_KEY in key.lower()


def is_clear(said: str, values: Iterable[str]) -> bool:
    """Whether a text states each value once, and the key of the evaluation in no spelling."""
    once = all(said.count(value) == 1 for value in values)
    return once and not is_held_out(re.sub(r"[\W_]+", " ", said))


def spelled(phrase: str, style: str) -> str:
    """A phrase ("db password") as an identifier of a style ("snake", "camel", "header" ...)."""
    words = phrase.replace("'", "").split()
    if style == "env":
        return "_".join(words).upper()
    if style == "title":
        return " ".join(word.upper() if word in ACRONYMS else capital(word) for word in words)
    if style in ("pascal", "header", "xheader", "camel"):
        first = words[0] if style == "camel" else capital(words[0])
        words = [first, *map(capital, words[1:])]
    joints = {"snake": "_", "kebab": "-", "dotted": ".", "header": "-", "xheader": "-"}
    joint = joints.get(style, "" if style in ("flat", "camel", "pascal") else " ")
    return ("X-" if style == "xheader" else "") + joint.join(words)


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
    A quarter of the draws are families that differ in their owner alone ("token for Alice")."""
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


def random_statement(rng: random.Random, key: str, plain: bool) -> Piece:
    """A sentence that states a fresh value for `key`; `plain` prefers codes in plain sentences."""
    if plain:
        template = rng.choice(PLAIN)
        value = code8(rng) if rng.random() < 0.8 else random_value(rng)
    else:
        prose = " for " in key or rng.random() < 0.6
        template = rng.choice(PROSE if prose else TEXTS.technical)
        value = random_value(rng)
    speaker = rng.choice(TEXTS.speakers) if not plain and rng.random() < 0.12 else ""
    styles = {style: spelled(key, style) for style in ("snake", "env", "header", "kebab")}
    return filled(speaker + template, value, key=key, Key=capital(key), **styles)


def labelled_scene(
    rng: random.Random, facts: int, words: Sequence[str], plain: bool = False
) -> Scene:
    """Invented keys, owners, technical one-liners, values of all kinds; `plain`: fixed keys in
    plain sentences, mostly with codes of eight characters."""
    keys = random_keys(rng, facts, words, plain)
    pieces = [random_statement(rng, key, plain) for key in keys]
    questions = []
    for index, (key, piece) in enumerate(zip(keys, pieces)):
        usual = plain and rng.random() < 0.7
        text = QUESTIONS[0] if usual else rng.choices(QUESTIONS, _SHARES)[0]
        questions.append(Question(text.format(key=key), " " + piece.value, index))
    return Scene(pieces, questions)


def pairs_scene(rng: random.Random, facts: int, words: Sequence[str]) -> Scene:
    """One list of labels with short values, each asked for in one manner.

    A model copies values long before it picks the one that is asked for; texts that are nothing but
    pairs teach the choice soonest."""
    keys: list[str] = []
    while len(keys) < facts:
        kind = rng.random()
        if kind < 0.4:
            key = rng.choice(KEYS)
        elif kind < 0.7 or not words:
            key = f"{rng.choice(words or WORDS)} {rng.choice(HEAD_NOUNS)}"
        else:
            key = " ".join(rng.choice(words) for _ in range(rng.choice((1, 2, 2))))
        if key not in keys and not is_held_out(key):
            keys.append(key)
    statement, question = rng.choice(TEXTS.pairs)
    pieces = [filled(statement, brief_value(rng), key=key) for key in keys]
    questions = [
        Question(question.format(key=key), " " + piece.value, index)
        for index, (key, piece) in enumerate(zip(keys, pieces))
    ]
    return Scene(pieces, questions, filler="none")
