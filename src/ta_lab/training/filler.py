"""Filler text as token ids: encoded once, drawn by the token."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from .tokenizer import word_starts

PROSE = "prose"


@dataclass(frozen=True, slots=True)
class Pool:
    """Paragraphs of one kind as token ids, each as it is after a space and after a newline."""

    after_space: list[np.ndarray]
    after_newline: list[np.ndarray]


class Filler:
    """Paragraphs as token ids, to be drawn to an exact length; by kind: prose, code, languages."""

    def __init__(self, tokenizer: Tokenizer, paragraphs: dict[str, list[str]]) -> None:
        """Encode every paragraph twice: after a space and after a newline."""
        self.pools = {
            kind: Pool(
                self._encode(tokenizer, [" " + line for line in lines]),
                self._encode(tokenizer, ["\n" + line for line in lines]),
            )
            for kind, lines in paragraphs.items()
        }
        self.starts_word = np.array(word_starts(tokenizer))

    @staticmethod
    def _encode(tokenizer: Tokenizer, lines: list[str]) -> list[np.ndarray]:
        encodings = tokenizer.encode_batch(lines, add_special_tokens=False)
        return [np.array(encoding.ids, dtype=np.int16) for encoding in encodings]

    def draw(self, rng: random.Random, length: int, kind: str = PROSE) -> np.ndarray:
        """About `length` tokens of filler (never more): paragraphs, or a few sentences repeated.

        A kind that this machine has no text of is prose. The last word is left out when it would
        be cut.
        """
        if length < 8:
            return np.zeros(0, dtype=np.int16)
        pool = self.pools.get(kind, self.pools[PROSE])
        source = pool.after_newline if kind == "code" or rng.random() < 0.4 else pool.after_space
        pieces: list[np.ndarray] = []
        repeated = self._sentences(rng, pool) if rng.random() < 0.12 else []
        total = 0
        while total <= length:
            pieces += repeated or [source[rng.randrange(len(source))]]
            total = total + sum(map(len, repeated)) if repeated else total + len(pieces[-1])
        ids = np.concatenate(pieces)
        end = length
        while end > 0 and not self.starts_word[ids[end]]:
            end -= 1
        return ids[:end]

    def _sentences(self, rng: random.Random, pool: Pool) -> list[np.ndarray]:
        """One to four short pieces that start with a space, to be repeated."""
        pieces = []
        for _ in range(rng.randint(1, 4)):
            ids = pool.after_space[rng.randrange(len(pool.after_space))]
            pieces.append(ids[: self.cut_after(ids, rng.randint(6, 40))])
        return pieces

    def cut_after(self, ids: np.ndarray, index: int) -> int:
        """The first place at or after `index` where a word starts, or the end."""
        while index < len(ids) and not self.starts_word[ids[index]]:
            index += 1
        return min(index, len(ids))
