"""The factory of values: a vocabulary has words and kinds by name, and draws forms.

``data/values/NAME.toml``: lists and alphabets in ``words``; in ``kinds`` a form each, or named
draws (``area=<201..988>``) and last the form that they stand in; so too in ``more`` and ``common``.
Training's and the evaluation's kinds are written apart; forms and alphabets are all that they have
in common.
"""

from __future__ import annotations

import json
import random
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from uuid import UUID

from ..data import table
from .alphabets import ALPHABETS, DIGITS, MIXED, UPPER, characters
from .forms import drawn


def code8(rng: random.Random) -> str:
    """Eight characters of A-Z and 0-9; in a third of them few different ones, so that they repeat.

    A repeated character has two successors: the copies that went wrong were mostly of such codes.
    """
    if rng.random() < 1 / 3:
        return characters(rng, 8, "".join(rng.sample(UPPER, rng.randint(3, 6))))
    return characters(rng, 8)


def _parts_of_a_path(rng: random.Random, names: Vocabulary) -> str:
    """One to three of a version, a word and a code, in any order."""
    parts = [f"v{rng.randint(1, 9)}", names.one("words", rng), names.one("code6", rng)]
    return "/".join(rng.sample(parts, rng.randint(1, 3)))


def _web_token(rng: random.Random) -> str:
    head = {"alg": rng.choice(("HS256", "RS256")), "typ": "JWT"}
    body = {"sub": characters(rng, 6, DIGITS), "exp": rng.randrange(2_000_000_000, 2**31)}
    parts = (json.dumps(part, separators=(",", ":")).encode() for part in (head, body))
    signed = ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{signed}.{characters(rng, 27, MIXED + '-_')}"


def _position(rng: random.Random) -> str:
    """Latitude and longitude with four to six places, or with the names of the directions."""
    places = rng.randrange(4, 7)
    latitude, longitude = rng.uniform(-80, 80), rng.uniform(-170, 170)
    if rng.random() < 0.25:
        north, east = "N" if latitude > 0 else "S", "E" if longitude > 0 else "W"
        return f"{abs(latitude):.4f}° {north}, {abs(longitude):.4f}° {east}"
    return f"{latitude:.{places}f}, {longitude:.{places}f}"


def _signed(rng: random.Random, names: Vocabulary) -> str:
    """Letters, digits and two signs that no format of the templates gives a meaning."""
    made = list(drawn("<mixed&9..14>", rng, names))
    for at in rng.sample(range(1, len(made) - 1), 2):
        made[at] = rng.choice("!_-+.~*")
    return "".join(made)


CODED: dict[str, Callable[[random.Random, Vocabulary], str]] = {
    "code8": lambda rng, names: code8(rng),
    "uuid4": lambda rng, names: str(UUID(int=rng.getrandbits(128), version=4)),
    "web_token": lambda rng, names: _web_token(rng),
    "position": lambda rng, names: _position(rng),
    "signed": _signed,
    "path_parts": _parts_of_a_path,
}


Kind = str | Sequence[str]


class Vocabulary:
    """Words and kinds by name; ``drawn``: what was drawn for a name before."""

    def __init__(self, words: Mapping[str, Sequence[str]], kinds: Mapping[str, Kind]) -> None:
        self.words = words
        self.kinds = kinds
        self.drawn: dict[str, str] = {}

    def many(self, name: str) -> Sequence[str]:
        """The list or the alphabet of a name."""
        return self.words[name]

    def one(self, name: str, rng: random.Random) -> str:
        """What was drawn for a name, a draw of its list or alphabet, or a value of that kind."""
        if name in self.drawn:
            return self.drawn[name]
        return rng.choice(self.words[name]) if name in self.words else self.value(name, rng)

    def value(self, kind: str, rng: random.Random) -> str:
        """A value of a kind."""
        if kind in CODED:
            return CODED[kind](rng, self)
        form = self.kinds[kind]
        return self.make(form if isinstance(form, str) else _in_turn(form), rng)

    def make(self, form: str, rng: random.Random) -> str:
        """A value of a form."""
        return drawn(form, rng, Vocabulary(self.words, self.kinds))


def _in_turn(kind: Sequence[str]) -> str:
    """One form of named draws and a last one."""
    return "".join(f"<{draw}>" for draw in kind[:-1]) + kind[-1]


@cache
def vocabulary(name: str) -> Vocabulary:
    """The vocabulary of ``data/values/NAME.toml``."""
    sections = table(f"values/{name}")
    kinds = {**sections.get("kinds", {}), **sections.get("more", {}), **sections.get("common", {})}
    return Vocabulary({**ALPHABETS, **sections.get("words", {})}, kinds)
