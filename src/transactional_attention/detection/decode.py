"""Log odds of candidates to values, which overlap only as a whole and its labelled part."""

from __future__ import annotations

import re

import numpy as np

from ..types import Anchor, Floats, Span
from .candidates import Candidate, Candidates
from .competition import MULTILINE, TRUNCATED, strongest
from .detector import LOOKBACK, MAX_VALUE
from .labels import find_label

WIDER = 0.5
"""A wider span may be less likely than a part of it by this much (log odds) and still win: half a
value is worth nothing, and one word too many costs a token."""
PLAIN_WORDS = 0.2
"""Probability from which words without digit, label or parser count: nearly all that are less
likely are phrases of running text."""
SUREST = 6.0  # log odds beyond which more says no more
_PATH = re.compile(r"/[^\s\"'`<>]*")  # read backwards
_OPENING = tuple("\"'`“«「")
_BETWEEN = "\"'`“«「 \t:=|>"
CHARACTERS = "characters:alone"
"""Rule of a value that no parser proposed."""
STATED = "stated:label"
"""Rule of a value that the words before it announce: the door code is 4471."""


def decode(
    offered: Candidates, margins: Floats, minimum: float, origin: int, text: str
) -> list[Anchor]:
    """Anchors of all candidates that are likely enough.

    ``minimum``: probability from which a candidate counts. ``origin``: offset of ``text`` in the
    text that the anchors count in.
    """
    least, plain = _log_odds(minimum), _log_odds(PLAIN_WORDS)
    margins = np.minimum(margins, SUREST)
    margins[[at for at, candidate in offered.proposed.items() if _is_certain(candidate)]] = SUREST
    likely = [
        (offered[i], margins[i])
        for i in np.flatnonzero(margins >= least).tolist()
        if margins[i] >= plain or not _is_plain_words(offered[i], text)
    ]
    chosen = _widest(likely)
    return strongest(_anchor(candidate, margin, origin, text) for candidate, margin in chosen)


def _is_certain(candidate: Candidate) -> bool:
    """Whether a parser decides: for a value of several lines, and for one that is too long to
    read."""
    begun = candidate.end - candidate.begin >= MAX_VALUE and bool(candidate.rules)
    return begun or not MULTILINE.isdisjoint(candidate.rules)


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def _is_plain_words(candidate: Candidate, text: str) -> bool:
    """Whether it has no digit, no parser proposes it and no label announces it."""
    if candidate.rules or any(map(str.isdigit, text[candidate.begin : candidate.end])):
        return False
    return not _announced(text, candidate.begin)[2]


def _widest(likely: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Leaves out candidates inside another one that is at most a little less likely, except parts
    that it names (``ticket=4417`` in an address). Also leaves out candidates below 50% around one
    above 50% that they do not name: a sentence around its value."""
    kept: list[tuple[Candidate, float]] = []
    doubted = set[tuple[int, int]]()
    around: list[tuple[Candidate, float]] = []  # those that may hold the next one
    for candidate, margin in sorted(likely, key=lambda one: (one[0].begin, -one[0].end)):
        around = [one for one in around if one[0].end > candidate.begin]
        holding = [c for c, more in around if c.end >= candidate.end and more >= margin - WIDER]
        if all(_names(c, candidate) for c in holding):
            kept.append((candidate, margin))
        if margin >= 0:
            doubted.update(
                c[:2] for c, more in around
                if more < 0 and c.end >= candidate.end and not _names(c, candidate)
            )  # fmt: skip
        around.append((candidate, margin))
    return [one for one in kept if one[0][:2] not in doubted]


def _names(whole: Candidate, part: Candidate) -> bool:
    if part.label is None:
        return False
    first, last = part.label
    return whole.begin <= first < last <= whole.end


def _anchor(candidate: Candidate, margin: float, origin: int, text: str) -> Anchor:
    begin, end, rules, label, _, delimited = candidate
    confidence = round(float(1 / (1 + np.exp(-margin))), 6)
    rule = next((r for r in rules if r.startswith("structure")), "")
    if end - begin >= MAX_VALUE:
        rule = TRUNCATED  # it may go on
    rule = rule or (rules[0] if rules else CHARACTERS)
    if label is None:
        start, quoted, stated = _announced(text, begin)
        rule = STATED if stated and rule != TRUNCATED else rule
        last, delimited = begin, delimited or quoted
    else:
        start, last = label
        last = last if start >= end else max(start, min(last, begin))
    named, value = Span(start + origin, last + origin), Span(begin + origin, end + origin)
    return Anchor(named, value, confidence, rule, delimited)


def _announced(text: str, begin: int) -> tuple[int, bool, bool]:
    """Where the words that announce a value begin, whether it is quoted, and whether ``labels``
    knows these words.

    The last part of an address has the rest of the address as its label, so it does not compete
    with the whole (``competition``).
    """
    quoted = text[begin - 1 : begin] in _OPENING
    before = text[max(0, begin - LOOKBACK) : begin].rstrip(_BETWEEN)
    label = find_label(text, begin - (min(begin, LOOKBACK) - len(before)))
    if label is not None:
        return label.start, quoted, True
    if text[begin - 1 : begin] != "/":
        return begin, quoted, False
    path = _PATH.match(text[max(0, begin - LOOKBACK) : begin][::-1])
    return begin - (path.end() if path else 0), quoted, False
