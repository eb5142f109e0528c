"""What a sequence remembers beside its window: its segments, which of them wait on the host, and
which were asked for.

The window is the newest tokens; what leaves it waits in whole segments. A text that asks finds them
by its words, a slot of a call by the model's own query as well (docs/memory.md). Nothing here knows
a tensor.
"""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..config import Memory
from ..errors import InputError
from ..recall.slots import Slot, SlotReader
from ..recall.word_index import Segment, WordIndex, words_of
from ..text.segments import LEAST, MOST, Segmenter
from ..types import ASKED, QUESTION, Source, Span, SponsoredSpan

if TYPE_CHECKING:
    from .sequence import SequenceState

MOST_ASKING = 600  # characters at the end of a text that ask


class Asked(NamedTuple):
    """That a segment was asked for: when last, and by ``QUESTION``, the words of a text, or a slot
    (``ASKED``)."""

    when: int
    by: str


class MemoryState:
    """The segments of one sequence, in order and without gaps.

    ``num_waiting``: of how many of them the rows are on the host; of the others all tokens are
    held. ``asked``: by number, those that were asked for; ``question``: when a text last asked.
    ``lost``: numbers of segments whose rows the host had no room for; ``num_bytes``: of those that
    it has.
    """

    def __init__(self, given: Memory, budget: int) -> None:
        self.given, self.budget, self.question = given, budget, 0
        self.segments: list[Segment] = []
        self.num_waiting = 0
        self.asked: dict[int, Asked] = {}
        self.lost: set[int] = set()
        self.clock = 0
        self.num_bytes = 0
        self.slots = SlotReader()
        self._index = WordIndex()
        self._segmenter = Segmenter(min(MOST, max(LEAST, self.room(ASKED) // 2)))

    def room(self, by: str) -> int:
        """Tokens of K that may come back beside the window: what a text asks for may take half."""
        return self.budget // 2 if by == QUESTION else int(self.budget * self.given.share)

    def copy(self) -> MemoryState:
        """An independent one that knows the same (checkpoints, forks)."""
        other = copy.copy(self)
        other.segments, other.asked = list(self.segments), dict(self.asked)
        other.lost, other.slots = set(self.lost), copy.copy(self.slots)
        other._segmenter = self._segmenter.copy()
        return other

    # what is read

    def take(self, sequence: SequenceState) -> None:
        """Take in what was read, as far as its segments have ended."""
        assert sequence.text is not None
        for tokens in self._segmenter.read(sequence.text):
            self._add(sequence, tokens)

    def close(self, sequence: SequenceState, end: int) -> None:
        """Let the newest segment end where the text does, or at the token ``end`` before that."""
        if (tokens := self._segmenter.close(end)) is not None:
            self._add(sequence, tokens)

    def _add(self, sequence: SequenceState, tokens: Span) -> None:
        assert sequence.text is not None
        source: Source = sequence.source_of(tokens.start)
        characters = sequence.text.chars_for(tokens)
        said = sequence.text.scan_text(characters.start)[: len(characters)]
        self.segments.append(Segment(tokens, source, words_of(said)))

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
        found = self._index.ask(self.segments, text, len(self.segments))
        numbers = [number for number, _ in found if self.waits(number)]
        if own is None:
            return numbers
        return [n for n in numbers if not self.segments[n].tokens.overlaps(own)]

    def opened(self, text: str) -> Slot | None:
        """The slot that the next piece of generated text opens."""
        return self.slots.feed(text)

    def begin(self, text: str) -> None:
        """What is generated next goes on from the end of a text."""
        self.slots = SlotReader()
        self.slots.feed(text)

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

    def note(self, numbers: Iterable[int], by: str) -> None:
        """These were asked for now."""
        self.clock += 1
        for number in numbers:
            self.asked[number] = Asked(self.clock, by)
        if by == QUESTION:
            self.question = self.clock

    def asked_spans(self) -> list[SponsoredSpan]:
        """What was asked for, the last first."""
        order = sorted(self.asked.items(), key=lambda item: (-item[1].when, -item[0]))
        return [self._span(self.segments[number], asked) for number, asked in order]

    def _span(self, segment: Segment, asked: Asked) -> SponsoredSpan:
        start = segment.tokens.start
        rule = QUESTION if asked == (self.question, QUESTION) else ASKED
        rank = (5e5, float(asked.when), float(start))
        about = 0.0, 1.0, rule, segment.source, rank
        return SponsoredSpan(Span(start, start), segment.tokens, start, *about)


def asking_text(sequence: SequenceState) -> tuple[str, Span]:
    """The text that asks, and its tokens: the end of the last message that no tool and no model
    wrote, or of all that is known."""
    text = sequence.text
    assert text is not None
    characters = Span(text.first, text.num_chars)
    asks = [s for s in sequence.sources if s.source in ("user", "unknown") and not s.template]
    read = [s.span for s in asks if s.span.start < sequence.num_tokens and len(s.span)]
    if read:
        try:
            last = Span(read[-1].start, min(read[-1].end, sequence.num_tokens))
            characters = text.chars_for(last)
        except InputError:  # a stream has forgotten it
            return "", Span(0, 0)
    begin = max(characters.start, characters.end - MOST_ASKING)
    said = text.scan_text(begin)[: characters.end - begin]
    return said, text.tokens_for(Span(begin, characters.end))


def joined(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Numbers of two rankings in turn, each once."""
    found: dict[int, None] = {}
    for place in range(max(len(first), len(second))):
        for ranking in (first, second):
            if place < len(ranking):
                found.setdefault(ranking[place])
    return list(found)
