"""What a sequence remembers beside its window: its segments, which of them wait on the host, and
which were asked for.

The window is the newest tokens. Text that leaves it waits in whole segments. A question finds
them by its words, an open field also by the model's own query (docs/memory.md). Nothing here
knows a tensor.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from ..config import Memory
from ..retrieval.open_fields import GOING_ON, TAIL, OpenFieldReader
from ..retrieval.word_index import Segment, WordIndex, words_of
from ..sponsorship.trust import UNTRUSTED
from ..text.segments import LEAST, MOST, Segmenter
from ..text.token_text import TokenText
from ..types import ASKED, QUESTION, RECALLED, Floats, Rank, Source, Span, SponsoredSpan
from .named_ranges import NamedRanges
from .saving.records import Count, check

AFTER_FULL = 0.9  # of its bytes that a full host keeps
MOST_FOUND = 256  # segments by words, those that are held with them
MOST_ASKED = 512  # segments of which it is known when they were asked for


class SegmentRequest(NamedTuple):
    """The latest request for a segment: ``when`` (a counter), ``by`` the words of a text
    (``QUESTION``) or an open field (``ASKED``), and ``place``, how many segments fitted better."""

    when: int
    by: str
    place: int = 0


class SavedSegment(NamedTuple):
    """Where a segment ends, in tokens, and who wrote it. It begins where the previous one ends."""

    end: Count
    source: Source


class SavedRequest(NamedTuple):
    """The number of a segment that was asked for, and its ``SegmentRequest``."""

    number: Count
    when: Count
    by: Literal["asked", "question"]
    place: Count


class SavedMemory(NamedTuple):
    """What ``MemoryState.exported`` gives. ``num_read``: tokens that were searched for ends of
    segments; the newest ones may belong to an open segment."""

    segments: list[SavedSegment]
    num_read: Count
    num_waiting: Count
    lost: list[Count]
    asked: list[SavedRequest]
    clock: Count
    question: Count
    slot_open: bool


class MemoryState:
    """The segments of one sequence, in order and without gaps.

    ``num_waiting``: the rows of this many segments are on the host; all tokens of the others are
    held. ``asked``: by number, the segments that were asked for. ``question``: when a text last
    asked. ``lost``: numbers of segments that the host had no room for. ``num_bytes``: of the rows
    that it has. ``field_open``: whether a field was opened and only white space was generated
    since.
    """

    def __init__(self, given: Memory, budget: int) -> None:
        self.given, self.budget, self.question = given, budget, 0
        self.segments: list[Segment] = []
        self.num_waiting = 0
        self.asked: dict[int, SegmentRequest] = {}
        self.lost: set[int] = set()
        self.clock = 0
        self.num_bytes = 0
        self.fields, self.field_open = OpenFieldReader(), False
        self._index = WordIndex()
        self._segmenter = Segmenter(min(MOST, max(LEAST, self.room(QUESTION) // 2)))

    def room(self, by: str) -> int:
        """Tokens of K that may come back beside the window: half of K for what a text asks for,
        otherwise the memory's share."""
        return self.budget // 2 if by == QUESTION else int(self.budget * self.given.share)

    def copy(self) -> MemoryState:
        """An independent copy (checkpoints, forks)."""
        other = copy.copy(self)
        other.segments, other.asked = list(self.segments), dict(self.asked)
        other.lost, other.fields = set(self.lost), copy.copy(self.fields)
        other._segmenter = self._segmenter.copy()
        return other

    # a file

    def exported(self) -> dict[str, Any]:
        """Everything it knows as plain data: places and sources, no words."""
        return {
            "segments": [[segment.tokens.end, segment.source] for segment in self.segments],
            "num_read": self._segmenter.num_read,
            "num_waiting": self.num_waiting,
            "lost": sorted(self.lost),
            "asked": [[number, *asked] for number, asked in self.asked.items()],
            "clock": self.clock,
            "question": self.question,
            "slot_open": self.field_open,
        }

    def resume(self, saved: SavedMemory, text: TokenText | None, heard: int, whole: bool) -> None:
        """Take over what ``exported`` gave, in a new state. Words come from the text, if it is
        known as a ``whole``. ``heard``: characters that have asked. Raises ValueError for places
        outside the text."""
        borders = [0, *(segment.end for segment in saved.segments)]
        num_settled = 0 if text is None else text.num_settled
        check(all(a < b for a, b in pairwise(borders)), "memory.segments")
        check(borders[-1] <= saved.num_read <= num_settled, "memory.num_read")
        check(saved.num_waiting <= len(saved.segments), "memory.num_waiting")
        check(all(number < saved.num_waiting for number in saved.lost), "memory.lost")
        requests_fit = all(
            a.number < len(saved.segments) and a.when <= saved.clock for a in saved.asked
        )
        check(requests_fit and saved.question <= saved.clock, "memory.asked")
        self.num_waiting, self.lost = saved.num_waiting, set(saved.lost)
        self.clock, self.question = saved.clock, saved.question
        self.asked = {item.number: SegmentRequest(*item[1:]) for item in saved.asked}
        if text is None:
            return
        spans = [Span(start, end) for start, end in pairwise(borders)]
        words = _words(text, spans) if whole else [""] * len(spans)
        segment_fields = zip(
            spans, (segment.source for segment in saved.segments), words, strict=True
        )
        self.segments = [Segment(*fields) for fields in segment_fields]
        if whole:
            self._segmenter.resume(borders[-1], saved.num_read, text)
        else:
            self._segmenter.resume(borders[-1], num_settled, None)
        self.begin(text, heard)
        self.field_open = saved.slot_open

    # what is read

    def take(self, text: TokenText, ranges: NamedRanges) -> None:
        """Add the segments that have ended in the text read so far."""
        for tokens in self._segmenter.read(text):
            self._add(text, ranges, tokens)
        self._index.follow(self.segments)

    def take_prompt(self, text: TokenText, ranges: NamedRanges, heard: int) -> None:
        """Add a whole prompt that asks for nothing, because none of it waits yet."""
        self.take(text, ranges)
        self.begin(text, heard)
        self.note([], QUESTION)

    def close(self, text: TokenText, ranges: NamedRanges, end: int) -> None:
        """End the newest segment at the end of the text, or at the token ``end``."""
        if (tokens := self._segmenter.close(end)) is not None:
            self._add(text, ranges, tokens)

    def _add(self, text: TokenText, ranges: NamedRanges, tokens: Span) -> None:
        (words,) = _words(text, [tokens])
        self.segments.append(Segment(tokens, ranges.at(tokens.start).source, words))

    def number_at(self, token: int) -> int:
        """The number of the segment that contains a token; the number of segments if none does
        yet."""
        number = bisect_right(self.segments, token, key=lambda s: s.tokens.start) - 1
        inside = number >= 0 and token < self.segments[number].tokens.end
        return number if inside else len(self.segments)

    def around(self, tokens: Span) -> list[Span]:
        """The segments that contain some tokens, as far as they have ended, and these tokens."""
        first, last = (
            self.number_at(tokens.start),
            self.number_at(max(tokens.start, tokens.end - 1)),
        )
        return [*(s.tokens for s in self.segments[first : last + 1]), tokens]

    # what is asked

    def by_words(self, text: str, asking: Span | None = None) -> list[int]:
        """Waiting segments that share words with a text, best first, without those that overlap the
        ``asking`` tokens."""
        found = self._index.ask(self.segments, text, MOST_FOUND)
        numbers = [number for number in found if self.waits(number)]
        if asking is None:
            return numbers
        return [n for n in numbers if not self.segments[n].tokens.overlaps(asking)]

    def by_field(self, label: str, scores: Floats | None = None) -> list[int]:
        """Waiting segments that an open field asks for, best first: by its words, and by ``scores``
        [segment] of those that wait, if an engine has them."""
        if scores is None:
            return self.by_words(label)
        order = np.array(self.waiting(), np.int64)[np.argsort(-scores, kind="stable")]
        return joined(order.tolist(), self.by_words(label))

    def opened(self, text: str) -> str | None:
        """The label of the field that the next generated text opens. White space after an opening,
        or a colon ("The code is:"), does not open it again; a quotation mark does, for the value
        begins after it."""
        label = self.fields.feed(text)
        if self.field_open and not text.strip(GOING_ON):
            return None
        self.field_open = label is not None
        return label

    def begin(self, text: TokenText, end: int) -> None:
        """Generated text will continue from character ``end`` of the text."""
        start = max(text.first, end - TAIL)
        self.fields, self.field_open = OpenFieldReader(), False
        self.fields.feed(text.scan_text(start)[: max(0, end - start)])

    def waits(self, number: int) -> bool:
        """Whether a segment can be brought back."""
        return number < self.num_waiting and number not in self.lost

    @property
    def border(self) -> int:
        """The token after all segments that wait."""
        return self.segments[self.num_waiting - 1].tokens.end if self.num_waiting else 0

    def waiting(self) -> list[int]:
        """Numbers of all segments that can be brought back."""
        return [number for number in range(self.num_waiting) if number not in self.lost]

    def keep_within(self, limit: int | None, drop: Callable[[int], int]) -> None:
        """Drop segments if their rows take more than ``limit`` bytes on the host, down to 0.9 of
        it. First those nobody asked for, tool output before other text and older before newer; then
        those asked for longest ago. ``drop``: frees the rows of the segment that begins at a token,
        and returns how many bytes they took."""
        if limit is None or self.num_bytes <= limit:
            return

        def drop_order(number: int) -> tuple[float, ...]:
            request = self.asked.get(number)
            trusted = self.segments[number].source not in UNTRUSTED
            return 0 if request is None else request.when, trusted, number

        for number in sorted(self.waiting(), key=drop_order):
            if self.num_bytes <= AFTER_FULL * limit:
                return
            self.num_bytes -= drop(self.segments[number].tokens.start)
            self.lost.add(number)

    def note(self, numbers: Sequence[int], by: str) -> None:
        """Note that these segments were asked for now."""
        self.clock += 1
        for place, number in enumerate(numbers):
            self.asked.pop(number, None)
            self.asked[number] = SegmentRequest(self.clock, by, place)
        for number in list(self.asked)[:-MOST_ASKED]:
            del self.asked[number]
        if by == QUESTION:
            self.question = self.clock

    def asked_spans(self) -> list[SponsoredSpan]:
        """What was asked for, latest first."""
        order = sorted(self.asked.items(), key=lambda item: (-item[1].when, item[1].place))
        return [self._span(self.segments[number], asked) for number, asked in order]

    def _span(self, segment: Segment, asked: SegmentRequest) -> SponsoredSpan:
        start = segment.tokens.start
        rule = QUESTION if asked[:2] == (self.question, QUESTION) else ASKED
        rank = Rank(RECALLED, float(asked.when), place=-float(asked.place))
        about = 0.0, 1.0, rule, segment.source, rank
        return SponsoredSpan(Span(start, start), segment.tokens, start, *about)


def _words(text: TokenText, spans: Sequence[Span]) -> list[str]:
    """The words of some spans of tokens, in order of the text."""
    places = [text.chars_for(span) for span in spans]
    first = min((place.start for place in places), default=0)
    content = text.scan_text(first)
    return [words_of(content[place.start - first : place.end - first]) for place in places]


def joined(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """The numbers of two rankings in turn, each once."""
    order: dict[int, None] = {}
    for place in range(max(len(first), len(second))):
        for ranking in (first, second):
            if place < len(ranking):
                order.setdefault(ranking[place])
    return list(order)
