"""The factory of values: a vocabulary has words and kinds by name, and draws forms.

``data/values/NAME.toml``: lists and alphabets in ``words``; in ``kinds`` a form each, or named
draws (``area=<201..988>``) and last the form that they stand in; ``inherits``: the vocabulary that
has the rest. Those of training and of the evaluation share nothing but the language of forms.
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

    def __init__(
        self,
        words: Mapping[str, Sequence[str]],
        kinds: Mapping[str, Kind],
        drawn: Mapping[str, str] | None = None,
    ) -> None:
        self.words = words
        self.kinds = kinds
        self.drawn = {} if drawn is None else drawn

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
        if name in self.words:
            return rng.choice(self.words[name])
        if name in CODED:
            return CODED[name](rng, self)
        kind = self.kinds[name]
        return self._in_turn((kind,) if isinstance(kind, str) else kind, rng)

    def make(self, form: str, rng: random.Random) -> str:
        """A value of a form."""
        return drawn(form, rng, self)

    def maker(self, form: str) -> Draw:
        """What draws values of a form."""
        return lambda rng: drawn(form, rng, self)

    def _in_turn(self, kind: Sequence[str], rng: random.Random) -> str:
        """A form after its named draws."""
        found: dict[str, str] = {}
        known = Vocabulary(self.words, self.kinds, found)
        for draw in kind[:-1]:
            name, _, form = draw.partition("=")
            found[name] = drawn(form, rng, known)
        return drawn(kind[-1], rng, known)


@cache
def vocabulary(name: str) -> Vocabulary:
    """The vocabulary of ``data/values/NAME.toml``."""
    own = table(f"values/{name}")
    words, kinds = own.get("words", {}), own.get("kinds", {})
    if "inherits" not in own:
        return Vocabulary({**ALPHABETS, **words}, kinds)
    rest = vocabulary(own["inherits"])
    return Vocabulary({**rest.words, **words}, {**rest.kinds, **kinds})
