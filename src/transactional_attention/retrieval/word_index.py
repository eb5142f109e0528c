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

from ..errors import UnsupportedError
from ..types import Source, Span
from .terms import terms
from .words import known_words

OWN, NEAR = 2.0, 1.0
"""Weight of a word in a segment itself, and in the segments before and after it: an answer follows
its question, and parts of a record belong together."""
NEWER = 0.5  # what the newest segment's score gains over the oldest one's
MOST_WORDS = 48  # of a query
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

    def ask(self, segments: Sequence[Segment], text: str, most: int) -> list[tuple[int, float]]:
        """Numbers and scores of at most ``most`` segments that share words with a text, best first,
        newest first on a tie. Very common words are compared only among the newest ``COMMON``
        segments."""
        wanted = dict.fromkeys(w for w in terms(text) if not known_words().says_nothing(w))
        words = list(wanted)[-MOST_WORDS:]
        if not words or not segments:
            return []
        with self._lock:
            database, newest = self._synchronised(segments), len(segments) - COMMON
            scores = dict(_matches(database, words, newest, len(segments), most))
            if newest > 0 and (rare := [word for word in words if _is_rare(database, word)]):
                older = dict(_matches(database, rare, -1, len(segments), most))
                scores = {**older, **scores}
        return sorted(scores.items(), key=lambda item: (-item[1], -item[0]))[:most]

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


def _matches(
    database: sqlite3.Connection, words: Sequence[str], above: int, number: int, most: int
) -> list[tuple[int, float]]:
    """Segments after number ``above`` that share words; ``number``: of all segments."""
    query = " OR ".join(f'"{word}"' for word in words)
    rows = database.execute(
        "select rowid, -bm25(segments, ?, ?) * (1 + ? * rowid / ?) as score from segments "
        "where segments match ? and rowid > ? order by score desc, rowid desc limit ?",
        (OWN, NEAR, NEWER, number, query, above, most),
    )
    return [(int(row), float(score)) for row, score in rows]


def _is_rare(database: sqlite3.Connection, word: str) -> bool:
    """Whether at most ``COMMON`` segments contain a word, in one of its forms."""
    query = "select count(*) from (select 1 from segments where segments match ? limit ?)"
    ((count,),) = database.execute(query, (f'"{word}"', COMMON + 1))
    return bool(count <= COMMON)


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
