"""Keys of technical texts: their names, spellings, and the harmless fields beside them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...data import texts
from ...values import slots
from ...values.alphabets import HEX, LOWER, MIXED, UPPER, characters
from ...values.vocabulary import code8, vocabulary
from ..facts import random_keys, spelled
from ..values import random_value

TEXTS = texts("training/format_keys")
VOCABULARY = vocabulary("formats")


@dataclass(frozen=True, slots=True)
class Field:
    """A name and its value as they are written; `bare` values are never quoted."""

    name: str
    value: str
    bare: bool = False


def _terms(key: str) -> set[str]:
    return {TEXTS.synonyms.get(word, word) for word in key.lower().split()}


def clashes(key: str, keys: Sequence[str]) -> bool:
    """Whether a question for `key` could mean one of `keys`, or the other way round."""
    mine = _terms(key)
    return any(mine <= _terms(other) or _terms(other) <= mine for other in keys)


def draw_key(rng: random.Random, words: Sequence[str], taken: Sequence[str]) -> str:
    """A key in words, unlike those taken; half are of the technical list."""
    for _ in range(50):
        kind = rng.random()
        if kind < 0.5:
            key = rng.choice(TEXTS.technical_keys)
        elif kind < 0.65:
            key = f"{rng.choice(words)} {rng.choice(TEXTS.technical_keys)}"
        else:
            key = random_keys(rng, 1, words, plain=False)[0].split(" for ")[0].lower()
        if not clashes(key, taken):
            return key
    return f"{rng.choice(words)} {rng.choice(words)} {rng.choice(words)} {len(taken)}"


def draw_keys(rng: random.Random, count: int, words: Sequence[str]) -> list[str]:
    """`count` different keys; in a fifth of the draws some differ in one word alone."""
    keys: list[str] = []
    if count > 1 and rng.random() < 0.2:
        base = rng.choice(TEXTS.technical_keys)
        names = rng.choice((TEXTS.stages, TEXTS.services))
        pool = [name for name in names if name not in base.split()]
        owners = rng.sample(pool, min(count, rng.randint(2, 5)))
        keys = [f"{owner} {base}" for owner in owners]
    while len(keys) < count:
        keys.append(draw_key(rng, words, keys))
    rng.shuffle(keys)
    return keys


def unspaced_value(rng: random.Random) -> str:
    """A value of a random kind without what ends it where no quotes stand around it."""
    while True:
        value = random_value(rng)
        if not re.search(r"[\s\"'\\,;|&<>{}]", value):
            return value


def fresh_value(rng: random.Random, simple: bool = False, quoted: bool = False) -> str:
    """A fresh value; a `simple` one has letters and digits only (it stands in a URL).

    A `quoted` one may have spaces and commas."""
    kind = rng.random()
    if simple or kind < 0.2:
        alphabet = rng.choice((MIXED, HEX, LOWER, UPPER))
        return characters(rng, rng.choice((6, 8, 10, 12, 12, 16, 20, 24, 32, 40)), alphabet)
    if kind < 0.3:
        return code8(rng)
    value = random_value(rng) if quoted else unspaced_value(rng)
    return value if '"' not in value and "\n" not in value else code8(rng)


def fill(rng: random.Random, template: str, words: Sequence[str]) -> str:
    """Put random content into the slots ``⟦word⟧``, ``⟦number⟧``, ``⟦moment⟧`` ..."""
    given = VOCABULARY.with_words(words=words)
    return slots.fill(template, lambda name: given.one(name, rng))[0]


def decoy_fields(
    rng: random.Random, count: int, style: str, words: Sequence[str], taken: list[str]
) -> list[Field]:
    """Up to `count` fields that nobody asks for; a third hold values like those asked for.

    Their keys are added to `taken`."""
    names, fields = list(taken), []
    for _ in range(count):
        if rng.random() < 1 / 3:
            key, value, bare = draw_key(rng, words, names), fresh_value(rng), False
            taken.append(key)
        else:
            key, _, value = rng.choice(TEXTS.decoys).partition("=")
            value = fill(rng, value, words)
            bare = value in ("true", "false") or value.replace(".", "", 1).isdigit()
        if not clashes(key, names):
            names.append(key)
            fields.append(Field(spelled(key, style), value, bare))
    return fields
