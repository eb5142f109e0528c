"""Fresh values of training documents: of all kinds, short ones, or spelled from the vocabulary.

Copying a long value is learnt early and from any document; which value is asked for is learnt
late, and only from documents that ask for many: short values let many into one.

A random string seldom holds a long piece ("MIT", "WAY"), so such a piece was seldom copied: seven
of nine wrong answers to short needles had one in the value.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from dataclasses import replace

from tokenizers import Tokenizer

from ..data import table
from ..values.alphabets import DIGITS, LOWER, MIXED, UPPER, characters
from ..values.vocabulary import vocabulary
from .scene import Scene

VOCABULARY = vocabulary("training")
WORDS = VOCABULARY.words["words"]
_SHARES: dict[str, float] = table("values/training")["shares"]
# A shorter value might be found inside of other words.
SHORTEST = 4


def random_value(rng: random.Random) -> str:
    """A fresh value of a random kind; some hold spaces."""
    return VOCABULARY.one(rng.choices([*_SHARES], [*_SHARES.values()])[0], rng)


def brief_value(rng: random.Random) -> str:
    """A word or three to six characters, rarely eight."""
    if rng.random() < 0.15:
        return rng.choice(WORDS)
    alphabet = rng.choice((UPPER, UPPER, MIXED, LOWER, DIGITS))
    return characters(rng, rng.choice((3, 4, 4, 5, 6, 8)), alphabet)


def alphanumeric_pieces(tokenizer: Tokenizer) -> list[str]:
    """The vocabulary's pieces of several ASCII letters or digits, each once."""
    allowed = set(string.ascii_letters + string.digits)
    found = {piece.lstrip("Ġ▁") for piece in tokenizer.get_vocab()}
    return sorted(piece for piece in found if len(piece) > 1 and allowed.issuperset(piece))


def spelled_value(rng: random.Random, pieces: list[str]) -> str:
    """One to three pieces among some single characters: FRA7WAYK2. Mostly in capitals."""
    parts = [rng.choice(pieces)[:8] for _ in range(rng.randint(1, 3))]
    parts += [rng.choice(UPPER) for _ in range(rng.randint(1, 4))]
    rng.shuffle(parts)
    value = "".join(parts)[:16]
    return rng.choice((value.upper(), value.upper(), value, value.lower()))


def with_values(scene: Scene, make: Callable[[], str]) -> Scene:
    """The scene with values that `make` returns; as it is when a value of it is very short."""
    values = {piece.value for piece in scene.pieces if piece.value}
    if not values or min(map(len, values)) < SHORTEST:
        return scene
    new = {value: make() for value in sorted(values)}
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
