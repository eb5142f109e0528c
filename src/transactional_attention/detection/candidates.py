"""Everything in a text that may be a value, with what speaks for it: where the scorer chooses.

Parsers of formats and forms propose spans with a label and a rule; what lies between two likely
``boundaries`` is a candidate without either. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ..types import Anchor
from .boundaries import Boundaries
from .label_words import label_words
from .text_codes import EDGE, Rows, codes_of

SHOWN = 64  # characters of which one at least is a letter or a digit
PLACES = 32  # bits of a place in a text
MOST_LABEL = 80  # characters of a label whose words are read
Place = tuple[int, int]
"""Begin and end, in characters of the text that is read."""


class Proposal(NamedTuple):
    """What a parser says: ``value`` may be one, and ``label``, where it is not empty, names it;
    nothing of how sure that is. A label may stand before the text that is read: then its place is
    negative, and ``words`` gives what it says."""

    label: Place
    value: Place
    rule: str
    delimited: bool
    words: str | None = None


def proposed(label: Place, value: Place, rule: str, *, delimited: bool) -> Proposal:
    """A proposal of a format; a label ends where its value begins, or stands behind it."""
    start, end = label
    end = end if start >= value[1] else max(start, min(end, value[0]))
    return Proposal((start, end), value, f"structure:{rule}", delimited)


def proposal_of(anchor: Anchor, first: int = 0) -> Proposal:
    """What a parser of several lines found, in a text that begins at ``first`` of theirs."""
    label, value = anchor.label, anchor.value
    return Proposal(
        (label.start - first, label.end - first),
        (value.start - first, value.end - first),
        anchor.rule,
        anchor.delimited,
    )


class Candidate(NamedTuple):
    """Characters [begin, end) that may be a value. ``rules``: who proposes it, in order;
    ``label``: of the proposal with the longest one, ``words``: those that name something in it;
    ``delimited``: a proposal knows where it ends."""

    begin: int
    end: int
    rules: tuple[str, ...] = ()
    label: Place | None = None
    words: str = ""
    delimited: bool = False


class Candidates:
    """Candidates in the order of their places. ``begins``, ``ends`` [candidate]: all of them;
    ``proposed``: by number, those that a parser proposes."""

    def __init__(self, begins: Rows, ends: Rows, proposed: dict[int, Candidate]) -> None:
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
    """Candidates that begin ``inside``, each once, in indices of ``text``, as ``inside`` is."""
    found: dict[Place, list[Proposal]] = {}
    for proposal in proposals:
        begin, end = proposal.value
        if begin in inside and any(map(str.isalnum, text[begin : min(end, begin + SHOWN)])):
            found.setdefault(proposal.value, []).append(proposal)
    begins, ends = boundaries.spans(codes_of(text))
    kept = (begins >= inside.start + EDGE) & (begins < inside.stop + EDGE)
    named = sorted(found)
    keys = np.array([begin << PLACES | end for begin, end in named], np.int64)
    every = np.union1d((begins[kept] - EDGE) << PLACES | (ends[kept] - EDGE), keys)
    proposed = {
        at: _candidate(text, place, found[place])
        for at, place in zip(np.searchsorted(every, keys).tolist(), named)
    }
    return Candidates(every >> PLACES, every & ((1 << PLACES) - 1), proposed)


def _candidate(text: str, place: Place, proposals: list[Proposal]) -> Candidate:
    rules = tuple(sorted({proposal.rule for proposal in proposals}))
    delimited = any(proposal.delimited for proposal in proposals)
    best = max(proposals, key=_label_length)
    (first, last), words = best.label, best.words
    if first == last:
        return Candidate(*place, rules, delimited=delimited)
    if words is None:
        words = text[first : min(last, first + MOST_LABEL)] if first >= 0 else ""
    return Candidate(*place, rules, best.label, label_words(words), delimited)


def _label_length(proposal: Proposal) -> int:
    first, last = proposal.label
    return last - first
