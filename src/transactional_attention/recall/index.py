"""An inverted index with the weights of BM25, that grows and shrinks with what it holds.

Words come with the weight of the place they stand in (BM25F, Robertson, Zaragoza and Taylor 2004;
length by the sum of weights against a nominal one, so that adding changes no other entry). It knows
no text and no cache.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..types import Span
from .terms import HIDDEN, ends, likeness, stem

Query = Mapping[str, float]
"""Words that are asked for, with their weights."""

K1, B, NOMINAL = 1.2, 0.5, 16.0
VARIANTS = 24  # words of the index that stand for one word of a query
CANDIDATES = 64  # entries that are compared closely
UNTRUSTED = 0.85  # what counts of a score of an entry that is not trusted
EXPLAINED = 0.5  # what counts of a word that a better entry explains as well
LEADING = 0.9  # of the most that an entry says of a word
EQUAL = 0.999  # of a score: of equal ones the newest
STALE = 1024  # removed entries from which the index is built anew


class Match(NamedTuple):
    """An entry that answers a query. ``score``: the weights of the words that it shares, by their
    rarity; ``reason``: the query's words; ``leads``: those that hardly any entry says more of."""

    key: Span
    score: float
    reason: tuple[str, ...]
    leads: frozenset[str]


@dataclass
class Posting:
    """Where a word stands: ``rows`` of entries, removed ones too, and its weights there; the
    ``number`` of entries that are held, and of those of them that are ``trusted``."""

    rows: array[int] = field(default_factory=lambda: array("q"))
    weights: array[float] = field(default_factory=lambda: array("f"))
    number: int = 0
    trusted: int = 0


class Index:
    """Entries by their words; a key is the place of an entry."""

    def __init__(self) -> None:
        self._held: dict[Span, tuple[Mapping[str, float], bool]] = {}  # words, and whether trusted
        self._clear()

    def _clear(self) -> None:
        self._keys: list[Span] = []  # by row
        self._rows: dict[Span, int] = {}
        self._firm = array("f")  # by row: 1, less where not trusted, 0 when removed
        self._postings: dict[str, Posting] = {}
        self._alike: dict[str, list[str]] = {}  # words by stem, beginning and end

    def add(self, key: Span, words: Mapping[str, float], *, trusted: bool = True) -> None:
        """Take an entry in, under a key that no other one has."""
        self._held[key] = words, trusted
        self._post(key)

    def _post(self, key: Span) -> None:
        (words, trusted), row = self._held[key], len(self._keys)
        self._keys.append(key)
        self._rows[key] = row
        self._firm.append(1.0 if trusted else UNTRUSTED)
        long = K1 * (1 - B + B * sum(words.values()) / NOMINAL)
        for word, weight in words.items():
            posting = self._postings.get(word)
            if posting is None:
                posting = self._postings[word] = Posting()
                for name in (stem(word), *ends(word)):
                    self._alike.setdefault(name, []).append(word)
            posting.rows.append(row)
            posting.weights.append(weight * (K1 + 1) / (weight + long))
            posting.number += 1
            posting.trusted += trusted

    def remove(self, key: Span) -> None:
        """Let an entry go that it holds."""
        words, trusted = self._held.pop(key)
        for word in words:
            self._postings[word].number -= 1
            self._postings[word].trusted -= trusted
        self._firm[self._rows.pop(key)] = 0.0
        if len(self._keys) - len(self._held) > max(STALE, len(self._held)):
            self._clear()
            for held in self._held:
                self._post(held)

    # queries

    def query(
        self, parts: Sequence[Query], most: int = 8, without: Sequence[Span] = ()
    ) -> list[list[Match]]:
        """For each part of a question the entries that answer it, best first, at most so many;
        ``without`` those of some keys.

        Of two that answer with the same words the second one counts less, so that an entry for
        every word comes before another one for the same.
        """
        asked = [
            word
            for word in dict.fromkeys(word for part in parts for word in part)
            if word[0] != HIDDEN or word in self._postings
        ]
        if not asked or not self._held or most < 1:
            return [[] for _ in parts]
        weights = np.array([[part.get(w, 0.0) for w in asked] for part in parts], np.float32)
        firm = np.array(self._firm, np.float32)
        found = np.stack([self._found(word, firm) for word in asked])  # [word, row]
        firm[[self._rows[key] for key in without]] = 0.0
        scores = (weights @ found) * firm  # [part, row]
        answers = []
        for number in range(len(parts)):
            rows = _largest(scores[number], CANDIDATES)
            shares = weights[number][:, None] * found[:, rows] * firm[rows]
            answers.append(self._ranked(asked, rows, shares, most))
        return answers

    def _ranked(
        self,
        asked: list[str],
        rows: npt.NDArray[np.int64],
        shares: npt.NDArray[np.float32],
        most: int,
    ) -> list[Match]:
        """The best candidates one after another; ``shares`` [word, candidate]."""
        best = np.maximum(shares.max(1, initial=0.0), 1e-9)
        explained = np.zeros(len(asked), np.float32)
        open_, matches = np.ones(len(rows), bool), list[Match]()
        for _ in range(min(most, len(rows))):
            now = np.where(open_, ((1 - EXPLAINED * explained)[:, None] * shares).sum(0), -1)
            place = int(np.flatnonzero(now >= EQUAL * now.max())[-1])  # rows are in order
            share = shares[:, place]
            if share.sum() <= 0:
                break
            open_[place] = False
            explained = np.maximum(explained, share / best)
            reason = tuple(asked[i] for i in np.argsort(-share) if share[i] > 0)
            leads = frozenset(asked[i] for i in np.flatnonzero(share >= LEADING * best))
            matches.append(Match(self._keys[rows[place]], float(share.sum()), reason, leads))
        return matches

    def _rarity(self, number: int) -> float:
        """Inverse document frequency of a word of so many entries, as a share of the largest."""
        all_ = len(self._held)
        largest = math.log(1 + (all_ + 0.5) / 0.5)
        return math.log(1 + (all_ - number + 0.5) / (number + 0.5)) / largest

    def _found(self, word: str, firm: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """By row what a word of a query counts there, by whatever word it is found."""
        total = np.zeros(len(self._keys), np.float32)
        for variant, share in self._variants(word):
            posting = self._postings[variant]
            at, weights = (np.asarray(known) for known in (posting.rows, posting.weights))
            # what others say makes no word of a trusted entry common
            own, rarity = (self._rarity(n) for n in (posting.trusted, posting.number))
            new = weights * np.where(firm[at] == 1, share * own, share * rarity)
            total[at] = np.maximum(total[at], new)
        return total

    def _variants(self, word: str) -> list[tuple[str, float]]:
        """Words of the index that stand for one, and what they count of it."""
        found: dict[str, float] = {}
        for name in (stem(word), *ends(word)):
            for other in self._alike.get(name, ()):
                if other not in found and self._postings[other].number:
                    found[other] = likeness(word, other)
        if word in self._postings:
            found[word] = 1.0
        best = sorted(((s, w) for w, s in found.items() if s > 0), reverse=True)
        return [(variant, share) for share, variant in best[:VARIANTS]]


def _largest(scores: npt.NDArray[np.float32], most: int) -> npt.NDArray[np.int64]:
    """Rows with the largest positive scores; of equal ones the newest."""
    top = scores.max(initial=0.0)
    for floor in (0.5, 0.2, 0.0):
        rows = np.flatnonzero(scores > floor * top)
        if len(rows) >= most:
            break
    if len(rows) <= most:
        return rows
    newest = rows * 1e-9  # in float64: it tells equal scores apart, and nothing else
    return rows[np.argpartition(scores[rows] + newest, -most)[-most:]]
