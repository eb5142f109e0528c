"""Segments by their words: BM25 of SQLite's FTS5, over words, names split into theirs.

Copies of a conversation (checkpoints, forks) share one index. It holds the segments of the copy
that used it last; what copies share is kept. The words of the text are stored in
memory only.
"""

from __future__ import annotations

import sqlite3
import threading
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import UnsupportedError
from ..types import Floats, Ints, Source, Span
from .terms import terms
from .words import known_words

OWN, NEAR = 2.0, 1.0
"""Weight of a word in a segment itself, and in the segments before and after it: an answer follows
its question, and parts of a record belong together."""
NEWER = 0.5  # what the newest segment's score gains over the oldest one's
MOST_WORDS = 48  # of a query
COVERED = 0.7  # of what a word added that stays once a chosen segment contains it
COVERING = 64  # segments that are chosen one after the other; others follow by what is left
COMMON = 1024  # segments; about 40,000 tokens


class Segment(NamedTuple):
    """A piece of the text, in tokens, who wrote it, and its words."""

    tokens: Span
    source: Source
    words: str


def words_of(text: str) -> str:
    """The words of a text as the index stores them."""
    return " ".join(terms(text))


class WordIndex:
    """Which segments contain what is asked for. Raises UnsupportedError if SQLite lacks FTS5."""

    def __init__(self) -> None:
        self._held: list[Segment] = []
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def __deepcopy__(self, memo: object) -> WordIndex:
        return self

    def follow(self, segments: Sequence[Segment]) -> None:
        """Add new segments, so that no question waits for it."""
        with self._lock:
            self._synchronised(segments)

    def ask(self, segments: Sequence[Segment], text: str, most: int) -> list[int]:
        """Numbers of at most ``most`` segments that share words with a text, best first, newest
        first on a tie. Words of a chosen segment count less for the next ones, so that a text that
        names several things finds each. Of a very common word only the newest ``COMMON`` segments
        count."""
        wanted = dict.fromkeys(w for w in terms(text) if not known_words().says_nothing(w))
        words = list(wanted)[-MOST_WORDS:]
        if not words or not segments:
            return []
        with self._lock:
            database = self._synchronised(segments)
            matches = [_matches(database, word, len(segments)) for word in words]
        return _covering(matches, most)

    def _synchronised(self, segments: Sequence[Segment]) -> sqlite3.Connection:
        """The database with all segments except the newest, which waits for the next one."""
        if self._db is None:
            self._db = _opened()
        held, new = self._held, segments
        shared = range(min(len(new), len(held)))
        common = bisect_left(shared, True, key=lambda n: new[n] is not held[n])
        if common < len(held):
            self._db.execute("delete from segments where rowid >= ?", (max(common - 1, 0),))
        first = max(min(common, len(held)) - 1, 0)
        self._db.executemany(
            "insert into segments(rowid, own, near) values (?, ?, ?)",
            ((n, new[n].words, _near(new, n)) for n in range(first, len(new) - 1)),
        )
        held[common:] = new[common:]
        return self._db


class WordMatches(NamedTuple):
    """The segments that contain a word: their numbers, ascending, and scores."""

    numbers: Ints
    scores: Floats


def _matches(database: sqlite3.Connection, word: str, number: int) -> WordMatches:
    """Segments that contain a word in one of its forms, or are near it; of a common word, the
    newest. ``number``: of all segments."""
    rows = database.execute(
        "select rowid, -bm25(segments, ?, ?) from segments "
        "where segments match ? order by rowid desc limit ?",
        (OWN, NEAR, f'"{word}"', COMMON),
    ).fetchall()
    numbers, scores = np.array(rows[::-1], float).reshape(-1, 2).T
    return WordMatches(numbers.astype(np.int64), scores * (1 + NEWER * numbers / number))


def _covering(words: Sequence[WordMatches], most: int) -> list[int]:
    """Numbers of the segments with the highest sums of scores, one after the other, where each
    chosen one makes what its words add afterwards ``COVERED`` of what it was."""
    numbers, places = np.unique(np.concatenate([w.numbers for w in words]), return_inverse=True)
    table = np.zeros((len(numbers), len(words)))
    ends = np.cumsum([len(w.numbers) for w in words])
    for column, (word, end) in enumerate(zip(words, ends, strict=True)):
        table[places[end - len(word.numbers) : end], column] = word.scores
    totals, weights = table.sum(axis=1), np.ones(len(words))
    chosen: list[int] = []
    for _ in range(min(most, COVERING, len(numbers))):
        best = len(numbers) - 1 - int(totals[::-1].argmax())
        chosen.append(best)
        lost = weights * (1 - COVERED) * (table[best] > 0)
        weights -= lost
        totals -= table @ lost
        totals[best] = -np.inf
    rest = np.lexsort((numbers, totals))[::-1][: min(most, len(numbers)) - len(chosen)]
    return [int(number) for number in numbers[[*chosen, *rest]]]


def _near(segments: Sequence[Segment], number: int) -> str:
    before = segments[number - 1].words if number else ""
    return f"{before} {segments[number + 1].words}"


def _opened() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    try:
        database.execute("create virtual table segments using fts5(own, near, tokenize = 'porter')")
    except sqlite3.OperationalError as error:
        raise UnsupportedError(
            "the memory needs SQLite with FTS5, which this Python lacks: take another build of it"
        ) from error
    return database
