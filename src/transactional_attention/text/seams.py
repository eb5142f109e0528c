"""Places at which a text may be cut for its tokenizer: no token lies across them.

A seam is a place between two characters that no piece of the vocabulary holds side by side. No
merge and no piece reaches over it, so that what stands on either side gives the same ids alone,
as far as the words that a tokenizer makes first agree; ``TokenStream`` checks those.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..types import Bools
from .pieces import SPACE, PieceTable, piece_table
from .token_text import reproduces


class Seams:
    """The seams of texts for one tokenizer.

    For a tokenizer whose pieces cannot be read as bytes, words are cut before white space alone.
    """

    def __init__(self, tokenizer: Any) -> None:
        table = piece_table(tokenizer, reproduces)
        self._joined = None if table is None else _joined(table)
        self._maps_space = table is not None and table.runs

    def before(self, text: str, last: int) -> Iterator[int]:
        """Seams of ``text`` from ``last`` down to 1, those beside white space first."""
        for at in range(last, 0, -1):
            if text[at - 1].isspace() != text[at].isspace() and self._splits(text, at):
                yield at
        for at in range(last, 0, -1):
            if not (text[at - 1].isspace() or text[at].isspace()) and self._splits(text, at):
                yield at

    def _splits(self, text: str, at: int) -> bool:
        if self._joined is None:
            return text[at].isspace()
        pair = text[at - 1 : at + 1]
        if self._maps_space:  # SentencePiece writes a space so
            pair = pair.replace(SPACE, " ")
        left, right = (char.encode("utf-8") for char in pair)
        return not self._joined[left[-1], right[0]]


def _joined(table: PieceTable) -> Bools:
    """Whether some piece holds one byte followed by another, [byte, byte]."""
    data = np.frombuffer(b"".join(table.data), np.uint8)
    inside = np.ones(len(data), bool)
    ends = np.cumsum([len(piece) for piece in table.data])
    inside[ends[ends > 0] - 1] = False
    first = np.flatnonzero(inside)
    joined = np.zeros((256, 256), bool)
    joined[data[first], data[first + 1]] = True
    return joined
