"""What people tell one another in thirteen languages, what stands in the formats of engineers, and
text that counts and states nothing.

``data/told/LANGUAGE.txt`` has a section each of statements, of what nobody needs, and of paragraphs
without digits; one text a line, ``⏎`` for a line break. ``⟦!FORM⟧`` is a value that is stated,
``⟦FORM⟧`` none (``drawn_forms``). Written for this purpose by authors who saw no case of the
collection.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from ..data import sections
from .drawn_forms import drawn

LANGUAGES = "en es fr de it pt ru tr ar hi zh ja ko formats".split()
ENGLISH_SHARE = 0.3
MOST_STATED, MOST_OTHERS = 3, 5
SLOT = re.compile(r"⟦(!?)([^⟦⟧|]+)⟧")


@dataclass(frozen=True)
class Told:
    """The texts of one language by section."""

    stated: tuple[str, ...]
    unstated: tuple[str, ...]
    paragraphs: tuple[str, ...]


def told(language: str) -> Told:
    """The texts of a language, as they stand in its file."""
    return Told(**sections(f"told/{language}"))


def filled(text: str, rng: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """A text with its slots filled, and the spans of what it states."""
    made, cursor, values = "", 0, []
    for slot in SLOT.finditer(text):
        made += text[cursor : slot.start()].replace("⏎", "\n")
        value = drawn(slot[2], rng)
        if slot[1]:
            values.append((len(made), len(made) + len(value)))
        made, cursor = made + value, slot.end()
    return made + text[cursor:].replace("⏎", "\n"), values


def told_document(rng: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """Statements, or none, among sentences and paragraphs of their language; what they state."""
    english = rng.random() < ENGLISH_SHARE
    texts = told("en" if english else rng.choice(LANGUAGES))
    chosen = [
        *rng.choices(texts.stated, k=rng.randint(0, MOST_STATED)),
        *rng.choices(texts.unstated, k=rng.randint(0, MOST_OTHERS)),
        *rng.choices(texts.paragraphs, k=rng.randint(1, 2)),
    ]
    rng.shuffle(chosen)
    made, values = "", []
    for text in chosen:
        part, inside = filled(text, rng)
        values += [(start + len(made), end + len(made)) for start, end in inside]
        made += part + rng.choice((" ", "\n", "\n\n"))
    return made.rstrip(), values
