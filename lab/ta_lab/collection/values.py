"""Kinds of value: fresh for every case, on reserved domains, addresses and telephone numbers."""

from __future__ import annotations

import random

from ..data import table
from ..values.vocabulary import vocabulary

VOCABULARY = vocabulary("collection")
KINDS: tuple[str, ...] = (*table("values/collection")["kinds"],)
"""Kinds that are values, in every language; the vocabulary has more of them."""
GROUPS: dict[str, str] = table("values/collection")["groups"]


def make_value(rng: random.Random, kinds: str) -> tuple[str, str]:
    """One of ``a/b/c``, kinds of the vocabulary or names of ``GROUPS``: the kind and its value."""
    names = "/".join(GROUPS.get(name, name) for name in kinds.split("/")).split("/")
    kind = rng.choice(names)
    return kind, VOCABULARY.value(kind, rng)
