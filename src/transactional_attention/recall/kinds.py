"""Kinds of values, and what asks for one: "when" for a date, "the endpoint" for an address.

The words and forms are data (``words.toml``). A kind is a word of the index as others are, so that
a kind which many values share weighs little there.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from .terms import folded, stem, terms

KIND = "kind:"
MOST_VALUE = 128  # characters of a value whose form is read
PHRASE = 4  # words of the longest phrase
_KANA = re.compile(r"[\u3040-\u309f]{2}")  # of Japanese: what joins its words


class Kinds(NamedTuple):
    """What ``words.toml`` says: words that name nothing, phrases between a label and its value,
    and by word, phrase and form the kinds."""

    loose: frozenset[str]
    stating: tuple[str, ...]
    asked: dict[tuple[str, ...], tuple[str, ...]]
    names: dict[str, tuple[str, ...]]
    forms: dict[str, re.Pattern[str]]

    def says_nothing(self, word: str) -> bool:
        """Whether a word names nothing wherever it stands."""
        return word in self.loose or _KANA.fullmatch(word) is not None

    def of_value(self, value: str) -> list[str]:
        """The kinds that a value may be of by its form."""
        shown = value[:MOST_VALUE]
        return [KIND + kind for kind, form in self.forms.items() if form.fullmatch(shown)]

    def of_names(self, words: Iterable[str]) -> list[str]:
        """The kinds that the words of a label or a question name."""
        return [KIND + kind for word in words for kind in self.names.get(stem(word), ())]

    def of_question(self, words: Sequence[str]) -> list[str]:
        """The kinds that the phrases of a question ask for; of two phrases the longer one."""
        found: list[str] = []
        at = 0
        while at < len(words):
            size = min(PHRASE, len(words) - at)
            while size and tuple(words[at : at + size]) not in self.asked:
                size -= 1
            found += [KIND + kind for kind in self.asked.get(tuple(words[at : at + size]), ())]
            at += max(size, 1)
        return found


@cache
def kinds() -> Kinds:
    """The kinds of the product, read once."""
    table = tomllib.loads((files(__package__) / "words.toml").read_text(encoding="utf-8"))
    asked: dict[tuple[str, ...], list[str]] = {}
    names: dict[str, list[str]] = {}
    forms: dict[str, re.Pattern[str]] = {}
    for kind, row in table["kind"].items():
        for phrase in row["asked"].split("|"):
            if phrase:
                asked.setdefault(tuple(terms(phrase)), []).append(kind)
        for word in dict.fromkeys(stem(word) for word in terms(row["names"])):
            names.setdefault(word, []).append(kind)
        if row["value"]:
            forms[kind] = re.compile(row["value"])
    return Kinds(
        frozenset(word for line in table["loose"] for word in folded(line).lower().split()),
        tuple(folded(phrase).lower() for line in table["stating"] for phrase in line.split("|")),
        {phrase: tuple(found) for phrase, found in asked.items()},
        {word: tuple(found) for word, found in names.items()},
        forms,
    )
