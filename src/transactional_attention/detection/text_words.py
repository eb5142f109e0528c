"""The words of a text in lower case, and where they stand: made once a text, for all who look for
some. Every character keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress

import numpy as np


@lru_cache(maxsize=1)
def lowered(text: str) -> str:
    """The text in lower case, every character at its place: the one letter whose small form is two
    characters, the dotted capital of Turkish, becomes a plain one."""
    return text.replace("İ", "i").lower()


_SPACE = 32
_TO_SPACES = bytes(byte if chr(byte).isalnum() and byte < 128 else _SPACE for byte in range(256))


@lru_cache(maxsize=1)
def in_order(text: str) -> tuple[list[bytes], list[int]]:
    """The words of ASCII letters and digits in lower case, and where each begins."""
    spaced = b" " + _spaced(lowered(text))
    inside = np.frombuffer(spaced, np.uint8) != _SPACE
    return spaced.split(), np.flatnonzero(inside[1:] > inside[:-1]).tolist()


@lru_cache(maxsize=1)
def words_of(text: str) -> frozenset[bytes]:
    """The words of ``in_order``, each once, for all who look for some."""
    return frozenset(in_order(text)[0])


_SOUGHT: set[bytes] = set()  # by all who look for some


def seek(words: Iterable[bytes]) -> None:
    """Have ``begins_of`` gather these words."""
    _SOUGHT.update(words)


@lru_cache(maxsize=1)
def begins_of(text: str) -> dict[bytes, list[int]]:
    """Where the words begin that anybody seeks: gathered once, so that nobody walks all of a text
    for one of them."""
    words, begins = in_order(text)
    found: dict[bytes, list[int]] = {}
    for at in compress(range(len(words)), map(_SOUGHT.__contains__, words)):
        found.setdefault(words[at], []).append(begins[at])
    return found


def split(lower: str) -> list[bytes]:
    """The words of ASCII letters and digits of a text in lower case."""
    return _spaced(lower).split()


def _spaced(lower: str) -> bytes:
    """A byte a character: what is no ASCII letter or digit is a space."""
    return lower.encode("ascii", "replace").translate(_TO_SPACES)


_ASCII = bytes(range(128))


@lru_cache(maxsize=1)
def foreign_letters(text: str) -> frozenset[str]:
    """The characters of a text in lower case that are not ASCII."""
    data = lowered(text).encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(data.decode("utf-8", "surrogatepass"))


def has_letters(text: str, word: str) -> bool:
    """Whether a text holds all letters of a word that are not ASCII."""
    if word.isascii():
        return True
    foreign = foreign_letters(text)
    return all(char in foreign for char in word if char > "\x7f")


def places(text: str, word: str) -> Iterator[int]:
    """Where a string stands in a text, one after another."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))
