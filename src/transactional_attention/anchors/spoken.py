"""Where phrases stand in a text: only those are looked for whose words it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Generic, TypeVar

from ..types import Anchor, Span
from .mirror import foreign_letters, in_order, lowered, places, words_of

_JOINED = "\u0590"  # from here on scripts write words without a space between them, or parts of one

Rule = TypeVar("Rule")

_SOUGHT: set[bytes] = set()  # the words by which all books find their phrases


@lru_cache(maxsize=1)
def _sought(text: str) -> dict[bytes, list[int]]:
    """Where the words of a text begin that any book looks for: they are gathered once, so that no
    phrase walks all of the text."""
    words, begins = in_order(text) or ([], [])
    found: dict[bytes, list[int]] = {}
    for at in compress(range(len(words)), map(_SOUGHT.__contains__, words)):
        found.setdefault(words[at], []).append(begins[at])
    return found


@dataclass(frozen=True)
class Phrase(Generic[Rule]):
    """Words in lower case with what follows from them; a text without ``words`` or ``letters``,
    those that are not ASCII, does not say them. ``key``: the longest word, ``before``: characters
    before it."""

    said: str
    rule: Rule
    words: frozenset[bytes]
    letters: frozenset[str]
    key: bytes
    before: int

    @property
    def apart(self) -> bool:
        """Whether a letter before them makes them part of another word."""
        return self.said < _JOINED

    def places(self, lower: str, keys: Sequence[int]) -> list[int]:
        """Where a text in lower case says them, whose words ``key`` begin at ``keys``."""
        if self.words:
            begins = [at - self.before for at in keys if at >= self.before]
            begins = [at for at in begins if lower.startswith(self.said, at)]
        else:
            begins = list(places(lower, self.said))
        if self.apart:
            return [at for at in begins if not lower[at - 1 : at].isalnum()]
        return begins


def phrase(said: str, rule: Rule) -> Phrase[Rule]:
    """A phrase with what a text needs to say it."""
    letters = frozenset(char for char in said if not char.isascii())
    words, begins = in_order(said) or ([], [])
    last = max(range(len(words)), key=lambda i: (len(words[i]), words[i]), default=None)
    key, before = (b"", 0) if last is None else (words[last], begins[last])
    return Phrase(said, rule, frozenset(words), letters, key, before)


class Book(Generic[Rule]):
    """Many phrases, each under one of its words or letters: a text is asked for those alone."""

    def __init__(self, phrases: Iterable[Phrase[Rule]]) -> None:
        self._by_word: dict[bytes, list[Phrase[Rule]]] = {}
        self._by_letter: dict[str, list[Phrase[Rule]]] = {}
        for one in phrases:
            if one.words:
                self._by_word.setdefault(one.key, []).append(one)
            else:
                self._by_letter.setdefault(min(one.letters), []).append(one)
        self._letters = frozenset(self._by_letter)
        _SOUGHT.update(self._by_word)

    def of(self, text: str) -> Iterator[tuple[Phrase[Rule], Sequence[int]]]:
        """The phrases that a text may say, and where their key words begin."""
        sought = _sought(text)
        for word in sorted(self._by_word.keys() & sought.keys()):
            for one in self._by_word[word]:
                yield one, sought[word]
        if self._letters:
            for letter in sorted(self._letters & foreign_letters(text)):
                for one in self._by_letter[letter]:
                    yield one, ()


def spoken(text: str, book: Book[Rule]) -> Iterator[tuple[int, int, Rule]]:
    """Begin, end and rule of every phrase that a text says, phrase by phrase."""
    present, lower = words_of(text), lowered(text)
    if present is None or lower is None:
        return
    foreign = foreign_letters(text)
    for one, keys in book.of(text):
        if one.words <= present and one.letters <= foreign:
            for place in one.places(lower, keys):
                yield place, place + len(one.said), one.rule


def announced(
    begin: int, match: re.Match[str], confidence: float, rule: str, *, delimited: bool
) -> Anchor:
    """The anchor of what a match names ``value``, behind a phrase that begins at ``begin``."""
    value = Span(*match.span("value"))
    return Anchor(Span(begin, value.start), value, confidence, rule, delimited)
