"""What one sequence's recall knows beside its book: words of values as they are stated, and which
positions wait in the vault.

Words are taken when a value is registered: a stream has forgotten its text by the time that the
value leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..config import Recalling
from ..recall.entries import (
    ABOVE,
    LINE,
    Entry,
    Excerpt,
    line_of,
    lines_of,
    words_of,
    words_of_line,
)
from ..recall.recall import Known, Recall, Recalled
from ..sponsorship.trust import order
from ..text.token_text import TokenText
from ..types import Anchor, Ints, Source, Span, SponsoredSpan
from .serialization import check, check_inside, plain

LEAST_SAID = 2  # words of a line that may be asked for
HEADER = 64  # tokens behind a question that a chat template may write
BACK = 512  # values that came back which a report shows
BESIDE = 32  # tokens of a line before a value, and behind it, that come back with it


class Back(NamedTuple):
    """A value that came back when ``length`` tokens had been read, by which words of the text."""

    value: Span
    label: Span
    rule: str
    confidence: float
    words: tuple[str, ...]
    length: int


class Stored(NamedTuple):
    """A value, and the positions whose rows the vault holds for it."""

    value: Span
    positions: list[int]


class SavedRecall(NamedTuple):
    """What ``RecallState.exported`` gives; older files have no ``lost``."""

    known: list[Known]
    back: list[Back]
    near: list[Span]
    stored: list[Stored]
    lost: tuple[Span, ...] = ()


class RecallState:
    """``stored``: by value the positions whose rows the vault holds. ``back``: what came back
    last."""

    def __init__(self, given: Recalling, salt: bytes) -> None:
        self.given, self.salt = given, salt
        self.book = Recall(salt, limit=given.limit)
        self.stored: dict[Span, Ints] = {}
        self._lost: list[Span] = []
        self.back: list[Back] = []
        self._near: list[Span] = []  # values in characters, as far above as words are read

    def copy(self) -> RecallState:
        """An independent one that knows the same (beams, forks)."""
        other = RecallState(self.given, self.salt)
        other.book, other.stored = self.book.copy(), dict(self.stored)
        other.back, other._near = list(self.back), list(self._near)
        other._lost = list(self._lost)
        return other

    def exported(self, hide: Callable[[str], str]) -> dict[str, Any]:
        """All that is known, as plain data: places, and words as ``hide`` gives them.

        Left out is the end of the generated text: a slot that is half written opens for nothing.
        """
        stored = [[plain(value), at.tolist()] for value, at in self.stored.items()]
        known = [k._replace(entry=k.entry.hashed(hide)) for k in self.book.known]
        back = [b._replace(words=tuple(w for w in b.words if hide(w) == w)) for b in self.back]
        data = {"known": known, "back": back, "near": self._near, "lost": self._lost}
        return {name: plain(part) for name, part in data.items()} | {"stored": stored}

    def words(self) -> set[str]:
        """The words that values are found by."""
        return {word for known in self.book.known for word in known.entry.words}

    def resume(self, saved: SavedRecall, num_tokens: int) -> None:
        """Take in what ``exported`` gave of so many tokens, into a state that knows nothing yet.
        Raises ValueError for places that are not in the text."""
        entries = [known.entry for known in saved.known]
        spans = [s for e in entries for s in (e.value, e.label, e.line) if s is not None]
        spans += [span for item in saved.back for span in (item.value, item.label)]
        check_inside(spans, num_tokens, "recall")
        words = [word for entry in entries for word in entry.words]
        words += [word for item in saved.back for word in item.words]
        check(all(words) and len({e.value for e in entries}) == len(entries), "recall.known")
        check(all((item.num_bytes or 0) >= 0 for item in saved.known), "recall.known")
        self.stored = {value: np.array(at, np.int64) for value, at in saved.stored}
        for at in self.stored.values():
            inside = len(at) and at[0] >= 0 and at[-1] < num_tokens and (np.diff(at) > 0).all()
            check(inside, "recall.stored")
        held = {item.entry.value for item in saved.known if item.num_bytes is not None}
        check(held >= self.stored.keys(), "recall.stored")
        self.book.resume(saved.known)
        self.back, self._near, self._lost = saved.back, saved.near, list(saved.lost)

    def near(self, anchors: Sequence[Anchor]) -> None:
        """These values are stated next: words of theirs are no words of others."""
        if anchors:
            first = min(anchor.value.start for anchor in anchors) - ABOVE
            known = [span for span in self._near if span.end > first]
            self._near = list(dict.fromkeys([*known, *(anchor.value for anchor in anchors)]))

    def know(self, anchor: Anchor, span: SponsoredSpan, excerpt: Excerpt, text: TokenText) -> None:
        """A value was registered."""
        words = words_of(anchor, excerpt, self._near, self.salt)
        line = None
        if self.given.lines:
            found = text.tokens_for(line_of(anchor.value, excerpt))
            first = max(found.start, span.value.start - BESIDE)
            line = Span(first, max(first, min(found.end, span.value.end + BESIDE)))
        about = span.rule, span.confidence, span.source
        self.book.know(Entry(span.value, span.label, *about, line, words))

    def know_lines(
        self, new: Span, excerpt: Excerpt, text: TokenText, source_of: Callable[[int], Source]
    ) -> None:
        """Text was read: where ``lines`` are all, take in those in which no value was found."""
        if self.given.lines != "all":
            return
        values = [value for value in self._near if value.end > new.start]
        for line in lines_of(excerpt(new.start, new.end), new.start):
            if any(line.overlaps(value) for value in values):
                continue
            words = words_of_line(line, excerpt, self._near, self.salt)
            tokens = text.tokens_for(line)
            if len(words) >= LEAST_SAID and len(tokens):
                none, source = Span(tokens.start, tokens.start), source_of(tokens.start)
                self.book.know(Entry(tokens, none, LINE, 0.0, source, words=words))

    def lines_among(self, values: Iterable[Span]) -> list[SponsoredSpan]:
        """Those of what the book knows that are lines, as what a text that asks for them holds."""
        found = (self.book.entry(value) for value in values)
        return [_sponsored(entry) for entry in found if entry is not None and entry.rule == LINE]

    def forget(self, values: Iterable[Span]) -> None:
        """End the recall of values: corrected, released, or evicted before they were whole."""
        self._lose(self.book.forget(values))

    def _lose(self, values: Iterable[Span]) -> None:
        for value in values:
            self.stored.pop(value, None)
            self._lost.append(value)

    def waiting(self) -> tuple[Container[Span], list[Span]]:
        """Values whose rows the vault holds, and those that it lost since this was last asked."""
        lost, self._lost = self._lost, []
        return self.stored.keys(), lost

    def leave(self, values: Sequence[Span], num_bytes: Sequence[int]) -> None:
        """The vault holds the rows of these values now, each of so many bytes."""
        self._lose(self.book.leave(values, num_bytes))

    def came_back(self, item: Recalled, length: int) -> None:
        """Note for the report that a value was put back; once where a header asks again."""
        entry = item.entry
        figures = entry.rule, entry.confidence, item.words, length
        back = Back(entry.value, entry.label, *figures)
        again = (b[:-1] == back[:-1] and length - b.length < HEADER for b in self.back)
        self.back = [*(b for b, twice in zip(self.back, again) if not twice), back]
        del self.back[:-BACK]


def _sponsored(line: Entry) -> SponsoredSpan:
    rank = order(line.source, LINE, line.confidence, 0.0, line.value.start)
    figures = line.confidence, LINE, line.source, rank
    return SponsoredSpan(line.label, line.value, line.value.start, 0.0, *figures)
