"""Where phrases stand in a text: only those are looked for whose words it holds."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from ..types import Anchor, Span
from .text_words import begins_of, foreign_letters, in_order, lowered, places, seek, words_of

_JOINED = "\u0590"  # from here on scripts write words without a space between them, or parts of one

_OF_WORDS = frozenset(string.ascii_lowercase + string.digits)

Rule = TypeVar("Rule")


@dataclass(frozen=True)
class Phrase(Generic[Rule]):
    """Words in lower case with what follows from them; a text without ``words`` or ``letters``,
    those that are not ASCII, does not say them. ``key``: the longest word, ``before``: characters
    before it; ``ended``: a word ends them, and no other that begins so."""

    said: str
    rule: Rule
    words: frozenset[bytes]
    letters: frozenset[str]
    key: bytes
    before: int
    ended: bool

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
            begins = [at for at in begins if not lower[at - 1 : at].isalnum()]
        if self.ended:
            size = len(self.said)
            begins = [at for at in begins if lower[at + size : at + size + 1] not in _OF_WORDS]
        return begins


def phrase(said: str, rule: Rule) -> Phrase[Rule]:
    """A phrase with what a text needs to say it."""
    letters = frozenset(char for char in said if not char.isascii())
    words, begins = in_order(said)
    last = max(range(len(words)), key=lambda i: (len(words[i]), words[i]), default=None)
    key, before = (b"", 0) if last is None else (words[last], begins[last])
    return Phrase(said, rule, frozenset(words), letters, key, before, said[-1] in _OF_WORDS)


class Book(Generic[Rule]):
    """Phrases that are looked for together."""

    def __init__(self, phrases: Iterable[Phrase[Rule]]) -> None:
        for one in phrases:
            if one.words:
                _BY_WORD.setdefault(one.key, []).append((self, one))
                seek((one.key,))
            else:
                _BY_LETTER.setdefault(min(one.letters), []).append((self, one))


# Of all books, under one of their words or letters: a text is asked for those alone, and once.
_BY_WORD: dict[bytes, list[tuple[Book, Phrase]]] = {}
_BY_LETTER: dict[str, list[tuple[Book, Phrase]]] = {}


@lru_cache(maxsize=1)
def _said(text: str) -> dict[Book, list[tuple[int, int, Any]]]:
    """Begin, end and rule of every phrase that a text says, by books."""
    found: dict[Book, list[tuple[int, int, Any]]] = {}
    lower, present = lowered(text), words_of(text)
    foreign = foreign_letters(text)
    for offered, keys in _offered(text, foreign):
        for book, one in offered:
            if one.words <= present and one.letters <= foreign:
                for place in one.places(lower, keys):
                    said = place, place + len(one.said), one.rule
                    found.setdefault(book, []).append(said)
    return found


def _offered(
    text: str, foreign: frozenset[str]
) -> Iterator[tuple[list[tuple[Book, Phrase]], list[int]]]:
    """The phrases that a text may say, word by word, and where these words begin."""
    keys = begins_of(text)
    for word in sorted(_BY_WORD.keys() & keys.keys()):
        yield _BY_WORD[word], keys[word]
    for letter in sorted(_BY_LETTER.keys() & foreign):
        yield _BY_LETTER[letter], []


def spoken(text: str, book: Book[Rule]) -> Sequence[tuple[int, int, Rule]]:
    """Begin, end and rule of every phrase of a book that a text says, phrase by phrase."""
    return _said(text).get(book, ())


def beside(
    text: str, begin: int, end: int, pattern: re.Pattern[str], reach: int, *, behind: bool
) -> re.Match[str] | None:
    """What stands right behind a phrase, or up to ``reach`` characters before it."""
    if behind:
        return pattern.match(text, end)
    return pattern.search(text, max(0, begin - reach), begin)


def announced(
    begin: int,
    match: re.Match[str],
    confidence: float,
    rule: str,
    *,
    delimited: bool,
    group: str = "value",
) -> Anchor:
    """The anchor of a group of a match, beside a phrase that begins at ``begin``."""
    value = Span(*match.span(group))
    return Anchor(Span(min(begin, value.start), value.start), value, confidence, rule, delimited)
