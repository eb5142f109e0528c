"""The factory of values: a vocabulary has words and kinds by name, and draws forms.

``data/values/NAME.toml``: lists and alphabets in ``words``; in ``kinds`` a form each, or named
draws (``area=<201..988>``) and last the form that they stand in; so too in ``more`` and ``common``.
``inherits``: the vocabulary that has the rest. Training's and the evaluation's kinds are written
apart; forms and alphabets are all that they have in common.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache

from ..data import table
from .alphabets import ALPHABETS
from .coded import CODED
from .forms import Draw, drawn

Kind = str | Sequence[str]


class Vocabulary:
    """Words and kinds by name; ``drawn``: what was drawn for a name before."""

    def __init__(self, words: Mapping[str, Sequence[str]], kinds: Mapping[str, Kind]) -> None:
        self.words = words
        self.kinds = kinds
        self.drawn: dict[str, str] = {}

    def with_words(self, **words: Sequence[str]) -> Vocabulary:
        """The same with further lists."""
        return Vocabulary({**self.words, **words}, self.kinds)

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

    def maker(self, form: str) -> Draw:
        """What draws values of a form."""
        return lambda rng: self.make(form, rng)


def _in_turn(kind: Sequence[str]) -> str:
    """One form of named draws and a last one."""
    return "".join(f"<{draw}>" for draw in kind[:-1]) + kind[-1]


@cache
def vocabulary(name: str) -> Vocabulary:
    """The vocabulary of ``data/values/NAME.toml``."""
    own = table(f"values/{name}")
    rest = vocabulary(own["inherits"]) if "inherits" in own else Vocabulary(ALPHABETS, {})
    kinds = {**own.get("kinds", {}), **own.get("more", {}), **own.get("common", {})}
    return Vocabulary({**rest.words, **own.get("words", {})}, {**rest.kinds, **kinds})
