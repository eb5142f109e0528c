"""Everything in a text that may be a value, with what speaks for it: where the scorer chooses.

Parsers of formats and forms propose spans with a label and a rule; what lies between two likely
``boundaries`` is a candidate without either. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..types import Anchor, Span
from .boundaries import Boundaries
from .label_words import content_words
from .text_codes import EDGE, Rows, codes_of

SHOWN = 64  # characters of which one at least is a letter or a digit
PLACES = 32  # bits of a place in a text
MOST_LABEL = 80  # characters of a label whose words are read


class Candidate(NamedTuple):
    """Characters [begin, end) that may be a value. ``rules``: who proposes it, in order;
    ``label``: of the proposal with the longest one, ``words``: those that name something in it;
    ``delimited``: a proposal knows where it ends."""

    begin: int
    end: int
    rules: tuple[str, ...] = ()
    label: Span | None = None
    words: str = ""
    delimited: bool = False


class Proposal(NamedTuple):
    """What a parser makes of a span; ``words``: its label's, where they stand far above."""

    anchor: Anchor
    words: str | None = None


class Candidates(Sequence[Candidate]):
    """Candidates in the order of their places. ``begins``, ``ends`` [candidate]: all of them;
    ``proposed``: by number, those that a parser proposes."""

    def __init__(self, begins: Rows, ends: Rows, proposed: dict[int, Candidate]) -> None:
        self.begins, self.ends, self.proposed = begins, ends, proposed

    def __len__(self) -> int:
        return len(self.begins)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        begin, end = int(self.begins[at]), int(self.ends[at])
        return self.proposed.get(at % len(self)) or Candidate(begin, end)


def candidates(
    text: str, proposals: Iterable[Proposal], inside: range, origin: int, boundaries: Boundaries
) -> Candidates:
    """Candidates that begin ``inside``, each once, in indices of ``text``, as ``inside`` is.
    ``origin``: where the proposals' anchors count ``text`` to begin; labels stay in their
    offsets."""
    found: dict[tuple[int, int], list[Proposal]] = {}
    for proposal in proposals:
        value = proposal.anchor.value
        begin, end = value.start - origin, value.end - origin
        if begin in inside and any(map(str.isalnum, text[begin : min(end, begin + SHOWN)])):
            found.setdefault((begin, end), []).append(proposal)
    begins, ends = boundaries.spans(codes_of(text))
    kept = (begins >= inside.start + EDGE) & (begins < inside.stop + EDGE)
    named = sorted(found)
    keys = np.array([begin << PLACES | end for begin, end in named], np.int64)
    every = np.union1d((begins[kept] - EDGE) << PLACES | (ends[kept] - EDGE), keys)
    proposed = {
        at: _candidate(text, begin, end, found[begin, end], origin)
        for at, (begin, end) in zip(np.searchsorted(every, keys).tolist(), named)
    }
    return Candidates(every >> PLACES, every & ((1 << PLACES) - 1), proposed)


def _candidate(
    text: str, begin: int, end: int, proposals: list[Proposal], origin: int
) -> Candidate:
    rules = tuple(sorted({proposal.anchor.rule for proposal in proposals}))
    delimited = any(proposal.anchor.delimited for proposal in proposals)
    best = max(proposals, key=_label_length)
    label, words = best.anchor.label, best.words
    if not label:
        return Candidate(begin, end, rules, delimited=delimited)
    if words is None:
        first = label.start - origin
        words = text[first : min(label.end - origin, first + MOST_LABEL)] if first >= 0 else ""
    return Candidate(begin, end, rules, label, content_words(words), delimited)


def _label_length(proposal: Proposal) -> int:
    return len(proposal.anchor.label)
