"""The records that the stages exchange. They validate their fields and do nothing else.

A character is an offset into the decoded text of one sequence. A token is a position in that
sequence, never a slot of a cache. Every span is half-open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from .errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats32 = NDArray[np.float32]
Arrays = dict[str, NDArray[Any]]

Source = Literal["system", "user", "assistant", "tool", "unknown"]
SOURCES: tuple[str, ...] = get_args(Source)
CALLER = "caller"  # rule of the ranges that a caller names
ASKED, QUESTION = "asked", "question"
"""Rules of the segments that a memory brings back: asked for earlier, or by the text that is being
read now."""


@dataclass(frozen=True, order=True, slots=True, init=False)
class Span:
    """Half-open range ``[start, end)`` of characters or tokens; the field that holds it says
    which."""

    start: int
    end: int

    def __init__(self, start: int, end: int) -> None:
        if not 0 <= start <= end:
            raise InputError(f"a span needs 0 <= start <= end, got [{start}, {end})")
        _set_start(self, start)
        _set_end(self, end)  # spans are made by the thousand: no call but these

    def __len__(self) -> int:
        return self.end - self.start

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.end))

    def __contains__(self, place: int) -> bool:
        return self.start <= place < self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two ranges share an element."""
        return self.start < other.end and other.start < self.end


_set_start, _set_end = (Span.__dict__[name].__set__ for name in ("start", "end"))


class Anchor(NamedTuple):
    """A match in the text that announces a value. Spans are in characters.

    ``label`` covers the words of the announcement, its separator included ("The door code is ");
    it is empty when a value is recognised by its shape alone. ``value`` covers the whole value.
    ``confidence`` is in [0, 1]. ``rule`` names the pattern that matched. ``delimited`` says that
    quotes, brackets or a known shape mark the end of the value, which allows a longer cap.
    ``share``: of the budget B that it sponsors with (paper preset).
    """

    label: Span
    value: Span
    confidence: float
    rule: str
    delimited: bool = False
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class SourceRange:
    """Who wrote a range of the sequence; ``span`` is in tokens.

    ``template``: text that a chat template adds around contents (role headers, a call). It is
    trusted as much as ``source``.
    """

    span: Span
    source: Source
    template: bool = False

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise InputError(f"unknown source {self.source!r}: use one of {', '.join(SOURCES)}")


GUESS, UNLIKELY = 1, 2
"""How doubtful a span is: 0 likely, 1 below 50%, 2 below 20% or superseded."""

SUPERSEDED, CURRENT, RECALLED, NAMED, REQUIRED = 0.0, 1.0, 5e5, 1e6, 2e6
"""Tiers of a ``Rank``: a detected value that was superseded, or that holds; a segment that a text
asked for (memory); a range that the caller names, or requires."""


class Rank(NamedTuple):
    """The order in which spans are admitted while room is short: larger ranks first.

    Ranks are compared field by field, in this order:

    ``tier``: one of the five above.
    ``trust``: how far its source is trusted (``sponsorship/trust.py``); of a caller's range its
    priority, of a recalled segment when it was asked for.
    ``likelihood``: that it is a value, in tenths; raised where its label is asked for.
    ``asked``: 1 if the current question asks for its label.
    ``stated``: 1 if a sentence states it, 0 for a record of a list.
    ``score``: the exact likelihood, of what the paper's detectors found.
    ``place``: where it stands, so that newer comes before older.
    """

    tier: float = SUPERSEDED
    trust: float = 0.0
    likelihood: float = 0.0
    asked: float = 0.0
    stated: float = 0.0
    score: float = 0.0
    place: float = 0.0


class SponsoredSpan(NamedTuple):
    """A value that holds a place in the cache. Spans are in tokens.

    ``budget`` is B of eq. 2; ``anchor`` is the position of the last token of the announcement.
    ``rank`` orders spans while room is short. ``doubtful``: 0, ``GUESS`` or ``UNLIKELY``; doubtful
    spans leave room for other tokens.
    """

    label: Span
    value: Span
    anchor: int
    budget: float
    confidence: float
    rule: str
    source: Source
    rank: Rank
    doubtful: int = 0
