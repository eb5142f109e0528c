"""Texts whose beginning is not in a file, and what a file contains instead."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from .decoding import Decoded
from .token_text import TokenText


class Mark(NamedTuple):
    """A character, the number of tokens that end at or before it, and the number that begin before
    it."""

    char: int
    ended: int
    begun: int


def marks_of(text: TokenText, chars: Iterable[int]) -> list[Mark]:
    """What must be known of the tokens to find ranges with these ends again."""
    inside = sorted({char for char in chars if char < text.num_chars})
    ended = text.numbers[np.searchsorted(text.ends, inside, "right")].tolist()
    begun = text.numbers[np.searchsorted(text.starts, inside, "left")].tolist()
    return [Mark(*mark) for mark in zip(inside, ended, begun, strict=True)]


def digest(text: TokenText, salt: bytes) -> str:
    """A salted hash of a text and its offsets, to recognise the text when it is given again."""
    hashed = blake2b(text.text.encode("utf-8", "surrogatepass"), digest_size=16, key=salt)
    hashed.update(text.starts.astype("<i8").tobytes())
    hashed.update(text.ends.astype("<i8").tobytes())
    return hashed.hexdigest()


class BlankText(TokenText):
    """``tokens`` tokens and ``chars`` characters that are not known, and text after them.

    The following text gets the offsets that it would have had. Newlines stand for unknown
    characters, so that no label and no value is found there. Token spans in the unknown part are
    coarse: exact at the ``marks``, and in order.
    """

    def __init__(self, tokenizer, tokens: int, chars: int, marks: Sequence[Mark]) -> None:
        super().__init__(tokenizer)
        self.first = self._decoder.num_chars = chars
        starts, ends = np.zeros(tokens, np.int64), np.full(tokens, chars, np.int64)
        for char, _, begun in marks:
            starts[begun:] = char
        for char, ended, _ in reversed(marks):
            ends[:ended] = char
        self._add(Decoded("\n" * chars, starts, ends, 0, []))
