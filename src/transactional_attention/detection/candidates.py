"""Everything in a text that may be a value, for the scorer to choose from.

Parsers of formats and forms propose spans, with a label and a rule. Text between two likely
``boundaries`` is a candidate without either. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..types import Anchor, Ints
from .boundaries import Boundaries
from .label_words import label_words
from .text_codes import EDGE, codes_of

SHOWN = 64  # characters of which one at least is a letter or a digit
PLACES = 32  # bits of a place in a text
MOST_LABEL = 80  # characters of a label whose words are read
Place = tuple[int, int]
"""Begin and end, in characters of the text that is being read."""


class Proposal(NamedTuple):
    """A parser's proposal: ``value`` may be a value and ``label``, if not empty, names it. It does
    not say how likely that is. A label may stand before the text that is being read: then its place
    is negative, and ``words`` is its text."""

    label: Place
    value: Place
    rule: str
    delimited: bool
    words: str | None = None


def proposed(label: Place, value: Place, rule: str, *, delimited: bool) -> Proposal:
    """A proposal of a format. A label ends at the latest where its value begins, unless it stands
    after the value."""
    start, end = label
    end = end if start >= value[1] else max(start, min(end, value[0]))
    return Proposal((start, end), value, f"structure:{rule}", delimited)


def proposal_of(anchor: Anchor, first: int = 0) -> Proposal:
    """The proposal for a value of several lines; ``first`` is subtracted from the anchor's
    places."""
    label, value = anchor.label, anchor.value
    return Proposal(
        (label.start - first, label.end - first),
        (value.start - first, value.end - first),
        anchor.rule,
        anchor.delimited,
    )


class Candidate(NamedTuple):
    """Characters [begin, end) that may be a value. ``rules``: those that propose it, sorted.
    ``label``: the longest that a proposal gives; ``words``: its naming words. ``delimited``: a
    proposal knows where the value ends."""

    begin: int
    end: int
    rules: tuple[str, ...] = ()
    label: Place | None = None
    words: str = ""
    delimited: bool = False


class Candidates:
    """Candidates ordered by place. ``begins``, ``ends`` [candidate]: of all. ``proposed``: by
    index, those that a parser proposes."""

    def __init__(self, begins: Ints, ends: Ints, proposed: dict[int, Candidate]) -> None:
        self.begins, self.ends, self.proposed = begins, ends, proposed

    def __len__(self) -> int:
        return len(self.begins)

    def __iter__(self) -> Iterator[Candidate]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, at: int) -> Candidate:
        return self.proposed.get(at) or Candidate(int(self.begins[at]), int(self.ends[at]))


def candidates(
    text: str, proposals: Iterable[Proposal], inside: range, boundaries: Boundaries
) -> Candidates:
    """Candidates that begin ``inside``, each once; both in characters of ``text``."""
    by_place: dict[Place, list[Proposal]] = {}
    for proposal in proposals:
        begin, end = proposal.value
        if begin in inside and any(map(str.isalnum, text[begin : min(end, begin + SHOWN)])):
            by_place.setdefault(proposal.value, []).append(proposal)
    begins, ends = boundaries.spans(codes_of(text))
    kept = (begins >= inside.start + EDGE) & (begins < inside.stop + EDGE)
    named = sorted(by_place)
    keys = np.array([begin << PLACES | end for begin, end in named], np.int64)
    places = np.union1d((begins[kept] - EDGE) << PLACES | (ends[kept] - EDGE), keys)
    proposed = {
        at: _candidate(text, place, by_place[place])
        for at, place in zip(np.searchsorted(places, keys).tolist(), named)
    }
    return Candidates(places >> PLACES, places & ((1 << PLACES) - 1), proposed)


def _candidate(text: str, place: Place, proposals: list[Proposal]) -> Candidate:
    rules = tuple(sorted({proposal.rule for proposal in proposals}))
    delimited = any(proposal.delimited for proposal in proposals)
    best = max(proposals, key=lambda proposal: proposal.label[1] - proposal.label[0])
    (first, last), words = best.label, best.words
    if first == last:
        return Candidate(*place, rules, delimited=delimited)
    if words is None:
        words = text[first : min(last, first + MOST_LABEL)] if first >= 0 else ""
    return Candidate(*place, rules, best.label, label_words(words), delimited)
