"""Everything in a text that may be a value, with what speaks for it: where the scorer chooses.

Parsers of formats and forms propose spans with a label and a rule; what lies between two likely
``boundaries`` is a candidate without either. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..types import Anchor, Span
from .boundaries import Boundaries
from .label_words import content_words
from .text_codes import EDGE, codes_of

LEAST = 1  # characters of a value
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


def candidates(
    text: str, proposals: Iterable[Proposal], inside: range, origin: int, boundaries: Boundaries
) -> list[Candidate]:
    """Candidates that begin ``inside``, each once, in the order of their places, in indices of
    ``text``, as ``inside`` is. ``origin``: where the proposals' anchors count ``text`` to begin;
    labels stay in their offsets."""
    begins, ends = boundaries.spans(codes_of(text))
    spans = zip((begins - EDGE).tolist(), (ends - EDGE).tolist())
    found: dict[tuple[int, int], list[Proposal]] = {span: [] for span in spans}
    for proposal in proposals:
        value = proposal.anchor.value
        found.setdefault((value.start - origin, value.end - origin), []).append(proposal)
    kept = sorted((begin, end) for begin, end in found if begin in inside and end - begin >= LEAST)
    return [_candidate(text, begin, end, found[begin, end], origin) for begin, end in kept]


def _candidate(
    text: str, begin: int, end: int, proposals: list[Proposal], origin: int
) -> Candidate:
    if not proposals:
        return Candidate(begin, end)
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
