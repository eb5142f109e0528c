"""Texts of which a file did not hold the beginning, and what a file holds in its place."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from .token_text import TokenText


class Mark(NamedTuple):
    """A character, the number of tokens that end at or before it, and that begin before it."""

    char: int
    ended: int
    begun: int


def marks_of(text: TokenText, chars: Iterable[int]) -> list[Mark]:
    """What has to be known of the tokens so that ranges with these ends are found again."""
    inside = sorted({char for char in chars if char < text.num_chars})
    ended = text.numbers[np.searchsorted(text.ends, inside, "right")].tolist()
    begun = text.numbers[np.searchsorted(text.starts, inside, "left")].tolist()
    return [Mark(*mark) for mark in zip(inside, ended, begun, strict=True)]


def digest(text: TokenText, salt: bytes) -> str:
    """A salted hash of a text with its offsets, by which it is known when it is given again."""
    found = blake2b(text.text.encode("utf-8", "surrogatepass"), digest_size=16, key=salt)
    found.update(text.starts.astype("<i8").tobytes())
    found.update(text.ends.astype("<i8").tobytes())
    return found.hexdigest()


class BlankText(TokenText):
    """``tokens`` tokens and ``chars`` characters that are not known, and text after them.

    What follows gets the offsets that it would have had. Newlines stand for what is unknown, so
    that no label and no value is found there. Token spans in the unknown part are coarse: right at
    the ``marks``, and in order.
    """

    def __init__(self, tokenizer, tokens: int, chars: int, marks: Sequence[Mark]) -> None:
        super().__init__(tokenizer)
        self.first = chars
        self._emit("\n" * chars)
        starts, ends = np.zeros(tokens, np.int64), np.full(tokens, chars, np.int64)
        for char, _, begun in marks:
            starts[begun:] = char
        for char, ended, _ in reversed(marks):
            ends[:ended] = char
        self._push(starts, ends)
