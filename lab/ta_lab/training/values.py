"""Fresh values to train with, of all kinds."""

from __future__ import annotations

import random
import re

from ..data import table
from ..values.vocabulary import vocabulary

VOCABULARY = vocabulary("training")
_SHARES: dict[str, float] = table("values/training")["shares"]


def unspaced_value(rng: random.Random) -> str:
    """A value of a random kind without what ends it where no quotes stand around it."""
    while True:
        value = VOCABULARY.one(rng.choices([*_SHARES], [*_SHARES.values()])[0], rng)
        if not re.search(r"[\s\"'\\,;|&<>{}]", value):
            return value
