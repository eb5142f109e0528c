"""What a sequence remembers beside its window: its segments, which of them wait on the host, and
which were asked for.

The window is the newest tokens; what leaves it waits in whole segments. A text that asks finds them
by its words, a slot of a call by the model's own query as well (docs/memory.md). Nothing here knows
a tensor.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..config import Memory
from ..errors import InputError
from ..retrieval.open_fields import TAIL, OpenFieldReader
from ..retrieval.terms import terms
from ..retrieval.word_index import Segment, WordIndex, words_of
from ..sponsorship.trust import UNTRUSTED
from ..text.chat_markers import markers_of
from ..text.segments import LEAST, MOST, Segmenter
from ..text.token_text import TokenText
from ..types import ASKED, QUESTION, RECALLED, Rank, Source, Span, SponsoredSpan
from .chunks import ASKING
from .saving.records import Count, check

if TYPE_CHECKING:
    from .sequence import SequenceState

MOST_ASKING = 600  # characters at the end of a text that ask
AFTER_FULL = 0.9  # of its bytes that a full host keeps
MOST_FOUND = 256  # segments by words, those that are held with them
MOST_ASKED = 512  # segments of which it is known when they were asked for


class SegmentRequest(NamedTuple):
    """That a segment was asked for: when last, by ``QUESTION``, the words of a text, or a slot
    (``ASKED``), and how many fitted better then."""

    when: int
    by: str
    place: int = 0


class SavedSegment(NamedTuple):
    """Where a segment ends, in tokens, and who wrote it; it begins where the one before ends."""

    end: Count
    source: Source


class SavedRequest(NamedTuple):
    """The number of a segment that was asked for, and its ``SegmentRequest``."""

    number: Count
    when: Count
    by: Literal["asked", "question"]
    place: Count


class SavedMemory(NamedTuple):
    """What ``MemoryState.exported`` gives; ``num_read``: tokens that were looked at for the ends of
    segments, of which the newest may be open."""

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

    ``num_waiting``: of how many of them the rows are on the host; of the others all tokens are
    held. ``asked``: by number, those that were asked for; ``question``: when a text last asked.
    ``lost``: numbers of segments whose rows the host had no room for; ``num_bytes``: of those that
    it has. ``slot_open``: whether a slot was opened, and white space alone is generated since.
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
        """Tokens of K that may come back beside the window: what a text asks for may take half."""
        return self.budget // 2 if by == QUESTION else int(self.budget * self.given.share)

    def copy(self) -> MemoryState:
        """An independent one that knows the same (checkpoints, forks)."""
        other = copy.copy(self)
        other.segments, other.asked = list(self.segments), dict(self.asked)
        other.lost, other.fields = set(self.lost), copy.copy(self.fields)
        other._segmenter = self._segmenter.copy()
        return other

    # a file

    def exported(self) -> dict[str, Any]:
        """All that is known, as plain data: places and sources, no words."""
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

    def resume(self, saved: SavedMemory, sequence: SequenceState) -> None:
        """Take in what ``exported`` gave, into a state that knows nothing yet. Words are those of
        the text, where it is known. Raises ValueError for places that are not in the text."""
        text, borders = sequence.text, [0, *(segment.end for segment in saved.segments)]
        settled = 0 if text is None else text.num_settled
        check(all(a < b for a, b in pairwise(borders)), "memory.segments")
        check(borders[-1] <= saved.num_read <= settled, "memory.num_read")
        check(saved.num_waiting <= len(saved.segments), "memory.num_waiting")
        check(all(number < saved.num_waiting for number in saved.lost), "memory.lost")
        known = all(a.number < len(saved.segments) and a.when <= saved.clock for a in saved.asked)
        check(known and saved.question <= saved.clock, "memory.asked")
        self.num_waiting, self.lost = saved.num_waiting, set(saved.lost)
        self.clock, self.question = saved.clock, saved.question
        self.asked = {item.number: SegmentRequest(*item[1:]) for item in saved.asked}
        if text is None:
            return
        spans = [Span(start, end) for start, end in pairwise(borders)]
        words = _words(text, spans) if sequence.whole else [""] * len(spans)
        about = zip(spans, (segment.source for segment in saved.segments), words, strict=True)
        self.segments = [Segment(*each) for each in about]
        if sequence.whole:
            self._segmenter.resume(borders[-1], saved.num_read, text)
        else:
            self._segmenter.resume(borders[-1], settled, None)
        self.begin(text, sequence.heard)
        self.field_open = saved.slot_open

    # what is read

    def take(self, sequence: SequenceState) -> None:
        """Take in what was read, as far as its segments have ended."""
        assert sequence.text is not None
        for tokens in self._segmenter.read(sequence.text):
            self._add(sequence, tokens)
        self._index.follow(self.segments)

    def take_prompt(self, sequence: SequenceState) -> None:
        """Take in a whole prompt, of which nothing waits yet: it asks for nothing."""
        assert sequence.text is not None
        self.take(sequence)
        self.begin(sequence.text, sequence.heard)
        self.note([], QUESTION)

    def close(self, sequence: SequenceState, end: int) -> None:
        """Let the newest segment end where the text does, or at the token ``end`` before that."""
        if (tokens := self._segmenter.close(end)) is not None:
            self._add(sequence, tokens)

    def _add(self, sequence: SequenceState, tokens: Span) -> None:
        assert sequence.text is not None
        (words,) = _words(sequence.text, [tokens])
        self.segments.append(Segment(tokens, sequence.source_of(tokens.start), words))

    def number_at(self, token: int) -> int:
        """The segment that a token is in; how many there are if it is in none yet."""
        number = bisect_right(self.segments, token, key=lambda s: s.tokens.start) - 1
        inside = number >= 0 and token < self.segments[number].tokens.end
        return number if inside else len(self.segments)

    def around(self, tokens: Span) -> list[Span]:
        """The segments that some tokens are in, as far as they have ended; and these tokens."""
        first, last = (
            self.number_at(tokens.start),
            self.number_at(max(tokens.start, tokens.end - 1)),
        )
        return [*(s.tokens for s in self.segments[first : last + 1]), tokens]

    # what is asked

    def by_words(self, text: str, own: Span | None = None) -> list[int]:
        """Segments that wait and share words with a text, best first, but those of its ``own``
        tokens."""
        found = self._index.ask(self.segments, text, MOST_FOUND)
        numbers = [number for number, _ in found if self.waits(number)]
        if own is None:
            return numbers
        return [n for n in numbers if not self.segments[n].tokens.overlaps(own)]

    def opened(self, text: str) -> str | None:
        """The label of the slot that the next piece of generated text opens; white space behind one
        that has opened it opens it no second time."""
        label = self.fields.feed(text)
        if self.field_open and not text.strip():
            return None
        self.field_open = label is not None
        return label

    def begin(self, text: TokenText, end: int) -> None:
        """What is generated next goes on from a character of the text."""
        start = max(text.first, end - TAIL)
        self.fields, self.field_open = OpenFieldReader(), False
        self.fields.feed(text.scan_text(start)[: max(0, end - start)])

    def waits(self, number: int) -> bool:
        """Whether a segment can be brought back."""
        return number < self.num_waiting and number not in self.lost

    @property
    def border(self) -> int:
        """The token behind all segments that wait."""
        return self.segments[self.num_waiting - 1].tokens.end if self.num_waiting else 0

    def waiting(self) -> list[int]:
        """All such segments."""
        return [number for number in range(self.num_waiting) if number not in self.lost]

    def over(self, limit: int | None) -> Iterator[int]:
        """Segments to let go of while their rows take more bytes than the host may hold: first what
        nobody asked for, tool output before other text and older before newer; then what was asked
        for longest ago. ``lose`` each."""
        if limit is None or self.num_bytes <= limit:
            return

        def worth(number: int) -> tuple[float, ...]:
            asked = self.asked.get(number)
            trusted = self.segments[number].source not in UNTRUSTED
            return 0 if asked is None else asked.when, trusted, number

        for number in sorted(self.waiting(), key=worth):
            if self.num_bytes <= AFTER_FULL * limit:
                return
            yield number

    def lose(self, number: int, num_bytes: int) -> None:
        """The host has let go of a segment, whose rows took so many bytes."""
        self.num_bytes -= num_bytes
        self.lost.add(number)

    def note(self, numbers: Sequence[int], by: str) -> None:
        """These were asked for now."""
        self.clock += 1
        for place, number in enumerate(numbers):
            self.asked.pop(number, None)
            self.asked[number] = SegmentRequest(self.clock, by, place)
        for number in list(self.asked)[:-MOST_ASKED]:
            del self.asked[number]
        if by == QUESTION:
            self.question = self.clock

    def asked_spans(self) -> list[SponsoredSpan]:
        """What was asked for, the last first."""
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
    said = text.scan_text(first)
    return [words_of(said[place.start - first : place.end - first]) for place in places]


def asking_text(sequence: SequenceState) -> tuple[str, Span]:
    """The text that asks, and its tokens: the end of what is new and of no known source, such as a
    plain prompt; where that says nothing, of the last message that no tool and no model wrote."""
    text, length = sequence.text, sequence.num_tokens
    assert text is not None
    known = max((s.span.end for s in sequence.sources), default=0)
    places = []
    if known < length:
        places.append(Span(max(sequence.heard, text.first), text.num_chars))
    asks = [s for s in sequence.sources if s.source in ASKING and not s.template]
    read = [s.span for s in asks if s.span.start < length and len(s.span)]
    with suppress(InputError):  # a stream has forgotten it
        if known and known < length:
            behind = text.chars_for(Span(known, length))
            places = [Span(max(places[0].start, behind.start), behind.end)]
        if read:
            places.append(text.chars_for(Span(read[-1].start, min(read[-1].end, length))))
    for place in places:
        begin = max(place.start, place.end - MOST_ASKING)
        said = _said(sequence, text, Span(begin, place.end))
        if terms(said):
            return said, text.tokens_for(Span(begin, place.end))
    return "", Span(0, 0)


def _said(sequence: SequenceState, text: TokenText, place: Span) -> str:
    """Some characters of the text, without what a chat template writes of roles."""
    said, markers = text.scan_text(place.start), markers_of(sequence.role_reader.tokenizer)
    for begin, end in markers.places(text.shown_text(place.start)):
        said = said[:begin] + "\n" * (end - begin) + said[end:]
    return said[: len(place)]


def joined(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Numbers of two rankings in turn, each once."""
    found: dict[int, None] = {}
    for place in range(max(len(first), len(second))):
        for ranking in (first, second):
            if place < len(ranking):
                found.setdefault(ranking[place])
    return list(found)
