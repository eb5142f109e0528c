"""Values that left the cache, and which of them a text asks for.

The book of an engine's vault (docs/recall.md). The engine holds the rows, puts them back and makes
room for them; nothing here knows a tensor. It calls ``leave`` when values leave the cache,
``wanted`` with new text before its forward, ``opened`` with what is generated, and ``forget`` for
what came back, was corrected or released.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..sponsorship.trust import UNTRUSTED
from ..types import Span
from .asking import around, queries
from .entries import Entry
from .index import Index, Match, Query, Vectors
from .slots import SlotReader

MOST = 8
"""Values that a text brings back at most."""
LEAST_SCORE, LEAST_SHARE = 0.2, 0.2
"""Of a match: its score, and its share of the best one's. Chosen on the tuning questions of
``ta_lab``."""
AFTER_FULL = 0.9  # of its bytes that a full vault keeps, so that it is not full at once again


class Recalled(NamedTuple):
    """A value that is asked for, how well it fits, and the words of the question that say so."""

    entry: Entry
    score: float
    reason: tuple[str, ...]

    @property
    def positions(self) -> list[int]:
        """The tokens to put back, in order."""
        return self.entry.positions


class _Held(NamedTuple):
    entry: Entry
    num_bytes: int
    recalled: int  # when it last was; 0: never


class Recall:
    """Values that left one sequence's cache.

    ``salt``: the one that the words of its entries were hashed with. ``vectors``: finds synonyms,
    see ``Index``. ``limit``: bytes of all rows that are held; None for any number.
    """

    def __init__(
        self, salt: bytes = b"", vectors: Vectors | None = None, limit: int | None = None
    ) -> None:
        self._salt, self._limit = salt, limit
        self._index, self._slots = Index(vectors), SlotReader()
        self._held: dict[int, _Held] = {}
        self._keys: dict[Span, int] = {}
        self._asked = 0
        self.num_bytes = 0

    def __len__(self) -> int:
        return len(self._held)

    # what is held

    def leave(self, entries: Iterable[Entry], num_bytes: int = 0) -> list[Span]:
        """Take in values that leave the cache, each with rows of so many bytes; a superseded one
        is not held. Returns the values whose rows go: over the limit, those of untrusted sources
        first, then the least recently recalled, the least confident and the oldest."""
        refused: list[Span] = []
        for entry in entries:
            self.forget([entry.value])
            if entry.superseded:
                refused.append(entry.value)
                continue
            key = self._index.add(entry.words, trusted=entry.source not in UNTRUSTED)
            self._held[key], self._keys[entry.value] = _Held(entry, num_bytes, 0), key
            self.num_bytes += num_bytes
        return refused + self._make_room()

    def _make_room(self) -> list[Span]:
        if self._limit is None or self.num_bytes <= self._limit:
            return []
        gone: list[Span] = []
        least = sorted(self._held.values(), key=_worth)
        for held in least:
            if self.num_bytes <= AFTER_FULL * self._limit:
                break
            gone.append(held.entry.value)
            self.forget(gone[-1:])
        return gone

    def forget(self, values: Iterable[Span]) -> None:
        """End the recall of values (in tokens): they are in the cache again, were corrected or
        released, or their rows are gone. Others are passed over."""
        for value in values:
            key = self._keys.pop(value, None)
            if key is not None:
                self._index.remove(key)
                self.num_bytes -= self._held.pop(key).num_bytes

    # what is asked for

    def wanted(self, text: str, most: int = MOST) -> list[Recalled]:
        """What a new text asks for, best first: a question, a turn, the schema of a tool."""
        return self._found(queries(text, self._salt), most)

    def opened(self, text: str, most: int = 1) -> list[Recalled]:
        """What the slot asks for that the next piece of generated text opens; nothing without."""
        slot = self._slots.feed(text)
        if slot is None or not self._held:
            return []
        label = queries(slot.label, self._salt)
        if not label:
            return []
        before = around(queries(slot.around, self._salt))
        return self._found([{**before, **part} for part in label], most)

    def _found(self, parts: Sequence[Query], most: int) -> list[Recalled]:
        """Answers of all parts in turn: the best one of each before a second one of any."""
        answers = [_firm(matches) for matches in self._index.query(parts, most)]
        answers.sort(key=lambda matches: -matches[0].score if matches else 0.0)
        found: dict[int, Match] = {}
        for place in range(most):
            for matches in answers:
                if place < len(matches):
                    found.setdefault(matches[place].key, matches[place])
        chosen = self._fair(list(found.values()), most)
        self._asked += 1
        for match in chosen:
            self._held[match.key] = self._held[match.key]._replace(recalled=self._asked)
        return [Recalled(self._held[m.key].entry, m.score, m.reason) for m in chosen]

    def _fair(self, matches: list[Match], most: int) -> list[Match]:
        """The first ones, of which untrusted sources have half while others wait."""
        doubted = [m.key for m in matches if self._held[m.key].entry.source in UNTRUSTED]
        allowed = max(most // 2, most - (len(matches) - len(doubted)))
        left_out = set(doubted[allowed:])
        return [m for m in matches if m.key not in left_out][:most]


def _worth(held: _Held) -> tuple[float, ...]:
    entry = held.entry
    return entry.source not in UNTRUSTED, held.recalled, entry.confidence, entry.order


def _firm(matches: list[Match]) -> list[Match]:
    """Matches that are good enough: a word alone asks for no value, a kind or two words do."""
    if not matches:
        return []
    least = max(LEAST_SCORE, LEAST_SHARE * matches[0].score)
    return [m for m in matches if m.score >= least and (m.kind or len(m.reason) > 1)]
