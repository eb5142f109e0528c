"""What one sequence's recall knows beside its book: words of values as they are stated, which
positions wait in the vault, and the text that asks.

Words are taken when a value is registered: a stream has forgotten its text by the time that the
value leaves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..config import Recalling
from ..recall.asking import READ
from ..recall.entries import (
    ABOVE,
    LINE,
    QUESTION,
    Entry,
    Excerpt,
    line_of,
    lines_of,
    words_of,
    words_of_line,
)
from ..recall.recall import Known, Recall, Recalled
from ..recall.terms import terms
from ..sponsorship.trust import order
from ..text.token_text import TokenText
from ..types import Anchor, Ints, Source, SourceRange, Span, SponsoredSpan
from .serialization import plain, read

WHOLE = 400  # characters of a new text without sources that ask as one
LEAST_WORDS = 3  # of a paragraph that asks by itself
LEAST_SAID = 2  # words of a line that may be asked for
HEADER = 64  # tokens behind a question that a chat template may write
BACK = 512  # values that came back which a report shows
_BETWEEN = re.compile(r"\n{2,}")  # paragraphs
BESIDE = 32  # tokens of a line before a value, and behind it, that come back with it


class Back(NamedTuple):
    """A value that came back when ``length`` tokens had been read, by which words of the text."""

    value: Span
    label: Span
    rule: str
    confidence: float
    words: tuple[str, ...]
    length: int


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
        known = [k._replace(entry=k.entry.hidden(hide)) for k in self.book.known]
        back = [b._replace(words=tuple(w for w in b.words if hide(w) == w)) for b in self.back]
        data = {"known": known, "back": back, "near": self._near, "lost": self._lost}
        return {name: plain(part) for name, part in data.items()} | {"stored": stored}

    def words(self) -> set[str]:
        """The words that values are found by."""
        return {word for known in self.book.known for word in known.entry.words}

    def resume(self, data: dict[str, Any]) -> None:
        """Take in what ``exported`` gave, into a state that knows nothing yet."""
        self.book.resume(read(list[Known], data["known"]))
        self.stored = {Span(*value): np.array(at, np.int64) for value, at in data["stored"]}
        self.back, self._near = read(list[Back], data["back"]), read(list[Span], data["near"])
        self._lost = read(list[Span], data.get("lost", []))  # older files have none

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


def asking(
    text: TokenText,
    read: Callable[[int], str],
    heard: int,
    sources: Sequence[SourceRange],
    stated: Callable[[Span], list[Span]],
) -> list[Span] | None:
    """The characters that ask: the end of a chat's last message that no tool wrote, so that a
    request stands while tools answer; else of what is behind the first ``heard`` characters.

    The end are the last paragraphs up to one that states values (``stated``: of characters), of a
    long text without sources the last one; with the first paragraphs of a message that are
    questions, or those alone before a paragraph that states. ``read``: the text from a character
    on, without what a template writes of roles. None where they are forgotten.
    """
    (begin, stop), in_chat = _request(text, read, heard, sources)
    start = max(begin, stop - READ)
    if start < text.first:
        return None
    found = read(start)[: stop - start]
    values = [span.start - start for span in stated(Span(start, max(start, stop)))]
    most = READ if in_chat else WHOLE if len(found) <= WHOLE else 0
    at = _last_paragraphs(found, values, most)
    asks = [Span(start + at, stop)] if start + at < stop else []
    whole = in_chat and begin >= text.first
    head = _first_questions(read(begin)[: start + at - begin]) if whole else 0
    if head:
        tells = max(values, default=-1) >= at and not QUESTION.search(found, at)
        asks = [Span(begin, begin + head), *([] if tells else asks)]
    return asks


def _request(
    text: TokenText, read: Callable[[int], str], heard: int, sources: Sequence[SourceRange]
) -> tuple[tuple[int, int], bool]:
    """Begin and end of the message that asks, in characters, and whether a chat's user wrote it.
    Text of no source is a message behind the first ``heard`` characters."""
    said = sorted((s for s in sources if s.span.start < len(text)), key=lambda s: s.span)
    spans, end = _characters(text, [s.span for s in said]), heard
    messages: list[tuple[int, int, Source]] = []
    for span, source in zip(spans, said, strict=True):
        if span.start > end:
            messages.append((end, span.start, "unknown"))
        if not source.template:
            messages.append((span.start, span.end, source.source))
        end = max(end, span.end)
    messages.append((end, text.num_chars, "unknown"))
    short = None
    for begin, stop, whose in reversed(messages):
        if whose in ("user", "unknown"):
            if begin == stop and whose == "user":
                return (begin, stop), True  # forgotten
            words = len(terms(read(begin)[: stop - begin]))
            if words and whose == "user":
                return (_run_begin(messages, begin), stop), True
            if words >= LEAST_WORDS:
                return (begin, stop), False
            short = short or ((begin, stop) if words else None)
    for wanted in ("system", "assistant"):
        short = short or next(((a, b) for a, b, s in messages[::-1] if s == wanted), None)
    return short or (end, end), short is not None and bool(said)


def _run_begin(messages: Sequence[tuple[int, int, Source]], last: int) -> int:
    """Where the user's messages begin that follow one another up to the one at ``last``, each
    behind its header."""
    begins = [begin for begin, _, _ in messages]
    at = begins.index(last)
    while at > 0 and messages[at - 1][2] == "user" and messages[at - 1][1] < begins[at]:
        at -= 1
    return begins[at]


def _first_questions(text: str) -> int:
    """Where the first paragraphs of a text end that are questions."""
    end = 0
    for part in _BETWEEN.split(text[:WHOLE]):
        if not QUESTION.search(part):
            break
        end = text.index(part, end) + len(part)
    return end


def _last_paragraphs(text: str, values: Sequence[int], most: int) -> int:
    """Where the last paragraphs of a text begin that have words; before them those that fit in
    ``most`` characters and state none of ``values``."""
    begin = len(text)
    for start in [0, *(match.end() for match in _BETWEEN.finditer(text))][::-1]:
        states = any(start < at < begin for at in values)  # what begins it may number a list
        if (states or len(text) - start > most) and len(terms(text[begin:])) >= LEAST_WORDS:
            break
        begin = start
    return begin


def _characters(text: TokenText, spans: Sequence[Span]) -> list[Span]:
    """The characters of spans of tokens, as far as they are known."""
    numbers = text.numbers[:-1]
    firsts = numbers.searchsorted([span.start for span in spans]).tolist()
    lasts = numbers.searchsorted([span.end for span in spans]).tolist()
    return [
        Span(int(text.starts[a]), int(text.ends[b - 1])) if a < b else Span(0, 0)
        for a, b in zip(firsts, lasts, strict=True)
    ]
