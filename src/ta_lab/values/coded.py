"""Kinds of value that no form describes: encodings, and codes of which not every draw will do."""

from __future__ import annotations

import random
from collections.abc import Callable

from .alphabets import UPPER, characters
from .forms import Names


def code8(rng: random.Random) -> str:
    """Eight characters of A-Z and 0-9; in a third of them few different ones, so that they repeat.

    A repeated character has two successors: the copies that went wrong were mostly of such codes.
    """
    if rng.random() < 1 / 3:
        return characters(rng, 8, "".join(rng.sample(UPPER, rng.randint(3, 6))))
    return characters(rng, 8)


def _parts_of_a_path(rng: random.Random, names: Names) -> str:
    """One to three of a version, a word and a code, in any order."""
    parts = [f"v{rng.randint(1, 9)}", names.one("words", rng), names.one("code6", rng)]
    return "/".join(rng.sample(parts, rng.randint(1, 3)))


def _many(rng: random.Random) -> str:
    number = int(10 ** rng.uniform(2, 6.3))
    return rng.choice((f"{number:,}", str(number), f"{number / 1000:.1f} thousand"))


CODED: dict[str, Callable[[random.Random, Names], str]] = {
    "code8": lambda rng, names: code8(rng),
    "many": lambda rng, names: _many(rng),
    "path_parts": _parts_of_a_path,
}
