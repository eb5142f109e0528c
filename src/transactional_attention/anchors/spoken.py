"""Where phrases stand in a text: only those are looked for whose words it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from ..types import Anchor, Span
from .mirror import foreign_letters, lowered, places, split, words_of

_JOINED = "\u0590"  # from here on scripts write words without a space between them, or parts of one

Rule = TypeVar("Rule")

_SOUGHT: set[bytes] = set()  # the words by which all books find their phrases


@lru_cache(maxsize=1)
def _sought(text: str) -> frozenset[bytes]:
    """The words of a text that any book looks for, so that none walks all of its words."""
    return (words_of(text) or frozenset()) & _SOUGHT


@dataclass(frozen=True)
class Phrase(Generic[Rule]):
    """Words in lower case with what follows from them; a text without ``words`` or ``letters``,
    those that are not ASCII, does not say them."""

    said: str
    rule: Rule
    words: frozenset[bytes]
    letters: frozenset[str]

    @property
    def apart(self) -> bool:
        """Whether a letter before them makes them part of another word."""
        return self.said < _JOINED


def phrase(said: str, rule: Rule) -> Phrase[Rule]:
    """A phrase with what a text needs to say it."""
    letters = frozenset(char for char in said if not char.isascii())
    return Phrase(said, rule, frozenset(split(said)), letters)


class Book(Generic[Rule]):
    """Many phrases, each under one of its words or letters: a text is asked for those alone."""

    def __init__(self, phrases: Iterable[Phrase[Rule]]) -> None:
        self._by_word: dict[bytes, list[Phrase[Rule]]] = {}
        self._by_letter: dict[str, list[Phrase[Rule]]] = {}
        for one in phrases:
            if one.words:
                self._by_word.setdefault(max(one.words, key=_in_length), []).append(one)
            else:
                self._by_letter.setdefault(min(one.letters), []).append(one)
        # Of two sets the smaller one is walked; of a dictionary's keys and a set it is the set.
        self._words, self._letters = frozenset(self._by_word), frozenset(self._by_letter)
        _SOUGHT.update(self._words)

    def of(self, present: frozenset[bytes], foreign: frozenset[str]) -> Iterator[Phrase[Rule]]:
        """The phrases that may stand in a text of these words and letters; words that no book looks
        for may be left out."""
        for word in sorted(self._words & present):
            yield from self._by_word[word]
        for letter in sorted(self._letters & foreign):
            yield from self._by_letter[letter]


def _in_length(word: bytes) -> tuple[int, bytes]:
    return len(word), word


def spoken(text: str, book: Book[Rule]) -> Iterator[tuple[int, int, Rule]]:
    """Begin, end and rule of every phrase that a text says, phrase by phrase."""
    present, lower = words_of(text), lowered(text)
    if present is None or lower is None:
        return
    foreign = foreign_letters(text)
    for one in book.of(_sought(text), foreign):
        if not (one.words <= present and one.letters <= foreign):
            continue
        for place in places(lower, one.said):
            if not (one.apart and lower[place - 1 : place].isalnum()):
                yield place, place + len(one.said), one.rule


def announced(
    begin: int, match: re.Match[str], confidence: float, rule: str, *, delimited: bool
) -> Anchor:
    """The anchor of what a match names ``value``, behind a phrase that begins at ``begin``."""
    value = Span(*match.span("value"))
    return Anchor(Span(begin, value.start), value, confidence, rule, delimited)
