"""What people tell one another in thirteen languages, and what stands in the formats of engineers.

``data/templates/LANGUAGE.txt`` has a section each of statements, of what nobody needs, and of
paragraphs without digits; one text a line, ``⏎`` for a line break. ``⟦!FORM⟧`` is a value that is
stated, ``⟦FORM⟧`` none (``values.forms``). Written by authors who saw no case of the
collection.
"""

from __future__ import annotations

import random

from ..data import sections
from ..values.placeholders import fill
from .values import VOCABULARY

LANGUAGES = "en es fr de it pt ru tr ar hi zh ja ko formats".split()
ENGLISH_SHARE = 0.3
MOST_STATED, MOST_OTHERS = 3, 5


def filled(text: str, rng: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """A text with its slots filled, and the spans of what it states."""
    made, slots = fill(text.replace("⏎", "\n"), lambda form: VOCABULARY.make(form, rng))
    return made, [(slot.start, slot.end) for slot in slots if slot.kept]


def template_document(rng: random.Random) -> tuple[str, list[tuple[int, int]]]:
    """Statements, or none, among sentences and paragraphs of their language; what they state."""
    english = rng.random() < ENGLISH_SHARE
    texts = sections(f"templates/{'en' if english else rng.choice(LANGUAGES)}")
    chosen = [
        *rng.choices(texts["stated"], k=rng.randint(0, MOST_STATED)),
        *rng.choices(texts["unstated"], k=rng.randint(0, MOST_OTHERS)),
        *rng.choices(texts["paragraphs"], k=rng.randint(1, 2)),
    ]
    rng.shuffle(chosen)
    made, values = "", []
    for text in chosen:
        part, inside = filled(text, rng)
        values += [(start + len(made), end + len(made)) for start, end in inside]
        made += part + rng.choice((" ", "\n", "\n\n"))
    return made.rstrip(), values
