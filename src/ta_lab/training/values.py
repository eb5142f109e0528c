"""Fresh values of training documents: codes, hashes, paths, numbers and more."""

from __future__ import annotations

import random

from ..data import table
from ..values.vocabulary import vocabulary

VOCABULARY = vocabulary("training")
WORDS = VOCABULARY.words["words"]
_SHARES: dict[str, float] = table("values/training")["shares"]


def random_value(rng: random.Random) -> str:
    """A fresh value of a random kind; some hold spaces."""
    return VOCABULARY.one(rng.choices([*_SHARES], [*_SHARES.values()])[0], rng)
