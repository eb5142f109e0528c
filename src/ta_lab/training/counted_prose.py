"""Prose that counts and dates and states nothing to keep: years, sums, distances, scores.

The character-level detector learns from it that a number is not yet a value.
"""

from __future__ import annotations

import random

from ..data import table
from ..values import slots
from ..values.vocabulary import vocabulary

SENTENCES: tuple[str, ...] = table("training/counted")["sentences"]
VOCABULARY = vocabulary("counted")
_MEASURES = table("values/counted")["measures"]


def counted_paragraph(rng: random.Random) -> str:
    """Some sentences, each with other numbers."""
    chosen = rng.sample(SENTENCES, rng.randint(2, 6))
    return " ".join(slots.fill(text, lambda name: _counted(name, rng))[0] for text in chosen)


def _counted(name: str, rng: random.Random) -> str:
    """A value of the vocabulary, or a measured number with its unit."""
    if name not in _MEASURES:
        return VOCABULARY.one(name, rng)
    low, high, *units = _MEASURES[name]
    number, unit = rng.uniform(low, high), rng.choice(units)
    return f"{number:.{rng.choice((0, 0, 1))}f}{rng.choice((' ', ' ', ''))}{unit}"
