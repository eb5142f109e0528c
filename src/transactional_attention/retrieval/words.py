"""Words that name nothing, and phrases between a label and its value; data of ``words.toml``."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from .terms import folded

_KANA = re.compile(r"[\u3040-\u309f]{2}")  # of Japanese: what joins its words


class WordLists(NamedTuple):
    """``loose``: words that name nothing; ``stating``: phrases between a label and its value."""

    loose: frozenset[str]
    stating: tuple[str, ...]

    def says_nothing(self, word: str) -> bool:
        """Whether a word names nothing, wherever it stands."""
        return word in self.loose or _KANA.fullmatch(word) is not None


@cache
def known_words() -> WordLists:
    """The lists of ``words.toml``, read once."""
    table = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    return WordLists(
        frozenset(word for line in table["loose"] for word in folded(line).lower().split()),
        tuple(folded(phrase).lower() for line in table["stating"] for phrase in line.split("|")),
    )
