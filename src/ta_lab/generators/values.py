"""Fresh values: random for every seed, on reserved domains and documentation addresses."""

from __future__ import annotations

import random

from ..values.vocabulary import vocabulary

SHORT = "-short"
"""Ends the name of a variant whose values are eight characters, as the paper's credential."""


def fresh(rng: random.Random, kind: str) -> str:
    """A new value of a kind of the vocabulary of tasks."""
    return vocabulary("tasks").value(kind, rng)
