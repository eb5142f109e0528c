"""An inverted index with the weights of BM25, that grows and shrinks with what it holds.

Keys are numbers that it gives out; words come with the weight of the place they stand in (BM25F,
Robertson, Zaragoza and Taylor 2004; length by the sum of weights against a nominal one, so that
adding changes no other entry). It knows no values and no tokens.
"""

import math
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import InputError
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

    key: int
    score: float
    reason: tuple[str, ...]
    leads: frozenset[str]


class Index:
    """Entries by their words."""

    def __init__(self) -> None:
        self._words: dict[int, Mapping[str, float]] = {}  # by key
        self._trusted: dict[int, bool] = {}
        self._next = 0
        self._clear()

    def _clear(self) -> None:
        self._keys = array("q")  # by row
        self._rows: dict[int, int] = {}
        self._firm = array("f")  # by row: 1, less where not trusted, 0 when removed
        self._postings: dict[str, tuple[array[int], array[float]]] = {}
        self._count: dict[str, int] = {}  # entries of a word, and those of them that are trusted
        self._count_trusted: dict[str, int] = {}
        self._alike: dict[str, list[str]] = {}  # words by stem, beginning and end

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, key: int) -> bool:
        return key in self._words

    def add(self, words: Mapping[str, float], *, trusted: bool = True) -> int:
        """Take an entry in; the key that it is known by."""
        key = self._next
        self._next += 1
        self._words[key], self._trusted[key] = words, trusted
        self._post(key)
        return key

    def _post(self, key: int) -> None:
        words, row = self._words[key], len(self._keys)
        self._keys.append(key)
        self._rows[key] = row
        self._firm.append(1.0 if self._trusted[key] else UNTRUSTED)
        long = K1 * (1 - B + B * sum(words.values()) / NOMINAL)
        for word, weight in words.items():
            if word not in self._postings:
                self._postings[word] = array("q"), array("f")
                self._count[word] = self._count_trusted[word] = 0
                for name in (stem(word), *ends(word)):
                    self._alike.setdefault(name, []).append(word)
            rows, weights = self._postings[word]
            rows.append(row)
            weights.append(weight * (K1 + 1) / (weight + long))
            self._count[word] += 1
            self._count_trusted[word] += self._trusted[key]

    def remove(self, key: int) -> None:
        """Let an entry go. Raises InputError for a key that it does not hold."""
        if key not in self._words:
            raise InputError(f"the index holds no entry {key}: it was removed, or is another's")
        for word in self._words.pop(key):
            self._count[word] -= 1
            self._count_trusted[word] -= self._trusted[key]
        del self._trusted[key]
        self._firm[self._rows.pop(key)] = 0.0
        if len(self._keys) - len(self._words) > max(STALE, len(self._words)):
            self._clear()
            for held in self._words:
                self._post(held)

    # queries

    def query(
        self, parts: Sequence[Query], most: int = 8, without: Sequence[int] = ()
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
        if not asked or not self._words or most < 1:
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
        all_ = len(self._words)
        largest = math.log(1 + (all_ + 0.5) / 0.5)
        return math.log(1 + (all_ - number + 0.5) / (number + 0.5)) / largest

    def _found(self, word: str, firm: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """By row what a word of a query counts there, by whatever word it is found."""
        total = np.zeros(len(self._keys), np.float32)
        for variant, share in self._variants(word):
            rows, weights = self._postings[variant]
            at = np.frombuffer(rows, np.int64)
            number, trusted = self._count[variant], self._count_trusted[variant]
            # what others say makes no word of a trusted entry common
            own, rarity = share * self._rarity(trusted), share * self._rarity(number)
            new = np.frombuffer(weights, np.float32) * np.where(firm[at] == 1, own, rarity)
            total[at] = np.maximum(total[at], new)
        return total

    def _variants(self, word: str) -> list[tuple[str, float]]:
        """Words of the index that stand for one, and what they count of it."""
        found: dict[str, float] = {}
        for name in (stem(word), *ends(word)):
            for other in self._alike.get(name, ()):
                if other not in found and self._count[other]:
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
