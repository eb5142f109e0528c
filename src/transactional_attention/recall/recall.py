"""Values that left the cache, and which of them a text asks for.

The book of an engine's vault (docs/recall.md): values that are held are known as well, so that one
of them answers a question and no other comes back for it. Nothing here knows a tensor.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ..sponsorship.trust import UNTRUSTED
from ..types import Span
from .asking import AROUND, around, queries
from .entries import Entry
from .index import Index, Match, Query
from .kinds import KIND
from .slots import SlotReader
from .terms import HIDDEN, hidden

MOST = 8
"""Values that a text brings back at most."""
LEAST_SCORE, LEAST_SHARE, LEAST_PART = 0.2, 0.5, 0.4
"""Of a match: its score, its share of its part's best one, and that one's of the best part's: what
is said around a question asks for nothing. Chosen on the tuning questions of ``ta_lab``."""
AFTER_FULL = 0.9  # of its bytes that a full vault keeps, so that it is not full at once again


class Recalled(NamedTuple):
    """A value that is asked for, how well it fits, and the words of the question that say so.
    ``first``: a part of the question has no better one."""

    entry: Entry
    score: float
    reason: tuple[str, ...]
    first: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The reason as it may be shown: without hashes of what may be a value's."""
        return tuple(word for word in self.reason if word[0] != HIDDEN)


class Known(NamedTuple):
    """What the book has of a value."""

    entry: Entry
    num_bytes: int | None  # of rows in the vault that no value before it holds; None: it has none
    recalled: int  # when it last was; 0: never


class Recall:
    """Values of one sequence, those that left its cache and those that did not.

    ``salt``: the one that the words of its entries were hashed with. ``limit``: bytes of all rows
    that are held; None for any number.
    """

    def __init__(self, salt: bytes = b"", limit: int | None = None) -> None:
        self._salt, self._limit = salt, limit
        self._index, self._slots = Index(), SlotReader()
        self._known: dict[Span, Known] = {}
        self._order: list[Span] = []  # of the text
        self._live: set[Span] = set()  # without rows in the vault: what may leave
        self._asked = 0
        self.num_bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Span]:
        return iter(self._known)

    def copy(self) -> Recall:
        """An independent one that knows the same (beams, forks)."""
        other = Recall(self._salt, self._limit)
        other.resume(self.known)
        other._slots, other._asked = copy.copy(self._slots), self._asked
        return other

    # what is known

    @property
    def known(self) -> list[Known]:
        """All of it, to go on elsewhere (``resume``)."""
        return list(self._known.values())

    def resume(self, known: Iterable[Known]) -> None:
        """Take in what another book knew, into one that knows nothing."""
        for entry, size, recalled in known:
            self.know(entry)
            if size is not None:
                self.leave([entry.value], [size])
            self._known[entry.value] = self._known[entry.value]._replace(recalled=recalled)
            self._asked = max(self._asked, recalled)

    def know(self, entry: Entry) -> None:
        """Take a value in that was stated; one that is read again keeps its rows."""
        value, new = entry.value, Known(entry, None, 0)
        if value in self._known:
            self._index.remove(value)
            new = self._known.pop(value)._replace(entry=entry)
        else:
            self._live.add(value)
            insort(self._order, value)
        self._index.add(value, entry.words, trusted=entry.source not in UNTRUSTED)
        self._known[value] = new

    def entry(self, value: Span) -> Entry | None:
        """What is known of a value."""
        known = self._known.get(value)
        return None if known is None else known.entry

    @property
    def live(self) -> list[Entry]:
        """Values of which no rows are in the vault."""
        return [self._known[value].entry for value in self._live]

    def leave(self, values: Sequence[Span], num_bytes: Sequence[int]) -> list[Span]:
        """Known values have rows in the vault now, of so many bytes. Returns the values that
        are forgotten for it: over the limit, those of untrusted sources first, then the least
        recently recalled, the least confident and the oldest."""
        for value, size in zip(values, num_bytes, strict=True):
            self.num_bytes += size - (self._known[value].num_bytes or 0)
            self._known[value] = self._known[value]._replace(num_bytes=size)
            self._live.discard(value)
        if self._limit is None or self.num_bytes <= self._limit:
            return []
        gone: list[Span] = []
        for known in sorted(self._known.values(), key=self._worth):
            if self.num_bytes <= AFTER_FULL * self._limit:
                break
            if known.num_bytes is not None:
                gone.append(known.entry.value)
                self.forget(gone[-1:])
        return gone

    def _worth(self, known: Known) -> tuple[float, ...]:
        """What is lost last: what was just asked for."""
        entry, trusted = known.entry, known.entry.source not in UNTRUSTED
        asked = known.recalled > 0 and known.recalled == self._asked
        return asked, trusted, known.recalled, entry.confidence, entry.value.start

    def forget(self, values: Iterable[Span]) -> list[Span]:
        """End the recall of values (in tokens), which were corrected or released, or are gone.
        Returns those that were known."""
        known = [value for value in values if value in self._known]
        for value in known:
            self._index.remove(value)
            self.num_bytes -= self._known.pop(value).num_bytes or 0
            self._live.discard(value)
            del self._order[bisect_left(self._order, value)]
        return known

    # what is asked for

    def wanted(self, text: str, its: Iterable[Span] = (), most: int = MOST) -> list[Recalled]:
        """What a new text asks for, best first: a question, a turn, the schema of a tool. Values
        that begin in ``its`` tokens are its own and answer nothing."""
        own = [entry.value for entry in self.within(its)]
        return self._found(queries(text, self._salt), most, own)

    def within(self, tokens: Iterable[Span]) -> list[Entry]:
        """Values that begin in some tokens."""
        found: list[Entry] = []
        for part in tokens:
            ends = (Span(part.start, part.start), Span(part.end, part.end))
            first, last = (bisect_left(self._order, end) for end in ends)
            found += [self._known[value].entry for value in self._order[first:last]]
        return found

    def begin(self, text: str) -> None:
        """What is generated next goes on from the end of ``text``."""
        self._slots = SlotReader()
        self._slots.feed(text)

    def opened(self, text: str, most: int = 1) -> list[Recalled]:
        """What the slot asks for that the next piece of generated text opens; nothing without."""
        slot = self._slots.feed(text)
        if slot is None or not self._known:
            return []
        label = queries(slot.label, self._salt)
        if not label:
            return []
        before = around(queries(slot.around, self._salt))
        return self._found([{**before, **part} for part in label], most)

    def _found(
        self, parts: Sequence[Query], most: int, without: Sequence[Span] = ()
    ) -> list[Recalled]:
        """Answers of all parts in turn: the best one of each before a second one of any."""
        answers = self._index.query(parts, most, without)
        best = max((matches[0].score for matches in answers if matches), default=0.0)
        firm = partial(_firm, best=best, salt=self._salt)
        answers = [firm(part, matches) for part, matches in zip(parts, answers, strict=True)]
        firsts = {key for pair in zip(parts, answers, strict=True) for key in _firsts(*pair)}
        answers.sort(key=lambda matches: -matches[0].score if matches else 0.0)
        found: dict[Span, Match] = {}
        for place in range(most):
            for matches in answers:
                if place < len(matches):
                    found.setdefault(matches[place].key, matches[place])
        chosen = self._fair(list(found.values()), most)
        self._asked += 1
        for match in chosen:
            self._known[match.key] = self._known[match.key]._replace(recalled=self._asked)
        return [
            Recalled(self._known[m.key].entry, m.score, m.reason, m.key in firsts) for m in chosen
        ]

    def _fair(self, matches: list[Match], most: int) -> list[Match]:
        """The first ones, of which untrusted sources have half while others wait."""
        doubted = [m.key for m in matches if self._known[m.key].entry.source in UNTRUSTED]
        allowed = max(most // 2, most - (len(matches) - len(doubted)))
        left_out = set(doubted[allowed:])
        return [m for m in matches if m.key not in left_out][:most]


def _own(part: Query) -> set[str]:
    """Words of a part that are not those of other parts."""
    return {word for word, weight in part.items() if weight > AROUND}


def _said(own: set[str]) -> set[str]:
    """Those of them that it says as they are."""
    return {word for word in own if word[0] != HIDDEN and not word.startswith(KIND)}


def _firsts(part: Query, matches: Iterable[Match]) -> Iterator[Span]:
    """Keys of a part's best match, and of each that leads in two words where none better does
    ("the api key and the tax number")."""
    left = _said(_own(part))
    for place, match in enumerate(matches):
        found = left & match.leads
        if place == 0 or len(found) > 1:
            yield match.key
        left -= found


def _firm(part: Query, matches: list[Match], best: float, salt: bytes) -> list[Match]:
    """A part's matches that are good enough, where its best one is beside the ``best`` of all
    parts. By what the part says itself: a word alone asks for no value; a kind, two words, or all
    that it says do."""
    if not matches or matches[0].score < LEAST_PART * best:
        return []
    least = max(LEAST_SCORE, LEAST_SHARE * matches[0].score)
    own = _own(part)
    said = _said(own)

    def asks(match: Match) -> bool:
        found = own.intersection(match.reason)
        if len(found) > 1 or any(word.startswith(KIND) for word in found):
            return True
        return all(word in found or hidden(word, salt) in found for word in said)

    return [match for match in matches if match.score >= least and asks(match)]
