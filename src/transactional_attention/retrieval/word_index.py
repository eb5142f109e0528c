"""Segments by their words: BM25 as SQLite's FTS5 has it, over words that are split as names are.

Copies of a conversation (checkpoints, forks) share one index: it holds the segments of whoever
asked last, of which the copies have the beginning in common. Words are those of the text, in memory
alone.
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
"""What a word weighs in a segment, and in the one before or behind it: an answer stands behind its
question, and a record's parts belong together."""
NEWER = 0.5  # what the newest segment's score gains over the oldest one's
MOST_WORDS = 48  # of a query
COMMON = 1024  # segments; about 40,000 tokens


class Segment(NamedTuple):
    """A piece of the text, in tokens, who wrote it, and its words."""

    tokens: Span
    source: Source
    words: str


def words_of(text: str) -> str:
    """The words of a text as the index takes them."""
    return " ".join(terms(text))


class WordIndex:
    """Which segments say what is asked. Raises UnsupportedError where SQLite lacks FTS5."""

    def __init__(self) -> None:
        self._held: list[Segment] = []
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def __deepcopy__(self, memo: object) -> WordIndex:
        return self

    def follow(self, segments: Sequence[Segment]) -> None:
        """Take in what is new of some segments, so that no question waits for it."""
        with self._lock:
            self._synchronised(segments)

    def ask(self, segments: Sequence[Segment], text: str, most: int) -> list[tuple[int, float]]:
        """The numbers of segments that share words with a text, best first, with their scores; of
        equal ones the newest. At most so many. Words that very many segments say tell the newest
        ``COMMON`` segments apart, and no others."""
        wanted = dict.fromkeys(w for w in terms(text) if not known_words().says_nothing(w))
        words = list(wanted)[-MOST_WORDS:]
        if not words or not segments:
            return []
        with self._lock:
            database, newest = self._synchronised(segments), len(segments) - COMMON
            found = dict(_matches(database, words, newest, len(segments), most))
            if newest > 0 and (rare := [word for word in words if _is_rare(database, word)]):
                older = dict(_matches(database, rare, -1, len(segments), most))
                found = {**older, **found}
        return sorted(found.items(), key=lambda item: (-item[1], -item[0]))[:most]

    def _synchronised(self, segments: Sequence[Segment]) -> sqlite3.Connection:
        """The newest segment waits for the one behind it."""
        if self._db is None:
            self._db = _opened()
        held, new = self._held, segments
        both = range(min(len(new), len(held)))
        common = bisect_left(both, True, key=lambda n: new[n] is not held[n])
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
    """Segments behind the one ``above`` that share words, of ``number`` segments."""
    query = " OR ".join(f'"{word}"' for word in words)
    rows = database.execute(
        "select rowid, -bm25(segments, ?, ?) * (1 + ? * rowid / ?) as score from segments "
        "where segments match ? and rowid > ? order by score desc, rowid desc limit ?",
        (OWN, NEAR, NEWER, number, query, above, most),
    )
    return [(int(row), float(score)) for row, score in rows]


def _is_rare(database: sqlite3.Connection, word: str) -> bool:
    """Whether few segments say a word, in one of its forms."""
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
