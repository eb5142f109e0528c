"""A draft: statements and questions of a scene before they become plain text or a chat."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...data import texts
from ...values.coded import code8
from ...values.forms import Draw
from ..scene import Piece
from ..values import random_value
from .concepts import EVERYDAY, everyday

PROSE = texts("training/prose")
QUESTIONS = PROSE.questions


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as a sentence; `label` is set when a sentence may be completed with it instead."""

    text: str
    piece: int
    label: str = ""


@dataclass(slots=True)
class Draft:
    """Statements in their order and the questions in the order in which they are asked."""

    pieces: list[Piece] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    def fresh(self, rng: random.Random, make: Draw) -> str:
        """A value that the draft does not contain yet."""
        while (value := make(rng)) in self.used:
            pass
        self.used.add(value)
        return value

    def add(self, piece: Piece) -> int:
        """Append a statement and return its index."""
        self.pieces.append(piece)
        return len(self.pieces) - 1


def any_value(rng: random.Random) -> str:
    """A value of any kind, everyday ones included."""
    kind = rng.random()
    if kind < 0.2:
        return code8(rng)
    return random_value(rng) if kind < 0.7 else everyday(rng.choice(EVERYDAY))(rng)


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def is_genitive(key: str) -> bool:
    """Whether a key begins with its owner and takes no article: "Alice's token"."""
    return key[:1].isupper() and key.split()[0].endswith("'s")


def _determined(rng: random.Random, template: str, key: str, share: float) -> str:
    """The template with another article before the key, or none before a name's genitive."""
    if is_genitive(key):
        return template.replace("the {key}", "{key}").replace("The {key}", "{Key}")
    if rng.random() >= share or " of " in key or "{entity}" in template:
        return template
    article = rng.choice(("my", "our", "my", "our", "your", "their", "this"))
    return template.replace("the {key}", f"{article} {{key}}").replace(
        "The {key}", f"{capital(article)} {{key}}"
    )


def fill(rng: random.Random, template: str, key: str, value: str, **names: str) -> Piece:
    """A statement from a template with {key}, {Key}, {value} and other names."""
    template = _determined(rng, template, key, 0.15)
    before, after = template.split("{value}")
    names = {"key": key, "Key": capital(key), **names}
    return Piece(before.format(**names), value, after.format(**names))


def state(rng: random.Random, key: str, value: str, template: str = "") -> Piece:
    """A sentence that states a labelled value, from any template unless one is given."""
    template = template or rng.choice(PROSE.statements)
    if rng.random() < 0.25 and template.startswith("The {key}"):
        template = rng.choice(PROSE.openers) + "t" + template[1:]
    if rng.random() < 0.15 and template.endswith("."):
        template += rng.choice(PROSE.closers)
    style = rng.random()
    if style < 0.03:
        key = key.upper()
    elif style < 0.06:
        key = key.title()
    return fill(rng, template, key, value)


def ask(rng: random.Random, key: str, piece: int, templates: Sequence[str] = QUESTIONS) -> Ask:
    """A question for a label."""
    template = rng.choice(templates) if rng.random() < 0.85 else "What is the {key}?"
    if templates is not QUESTIONS:
        template = rng.choice(templates)
    text = _determined(rng, template, key, 0.08).format(key=key, Key=capital(key))
    if rng.random() < 0.05:
        text = text.rstrip("?.")
        text = text[:1].lower() + text[1:]
    return Ask(text, piece, key if templates is QUESTIONS else "")


def choose(rng: random.Random, asks: list[Ask]) -> list[Ask]:
    """All questions, seldom only some of them, in any order."""
    count = len(asks) if rng.random() < 0.85 else rng.randint(1, len(asks))
    return rng.sample(asks, count)
