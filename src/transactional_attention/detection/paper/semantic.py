"""Regex, plus values that a verb or a bare keyword announces (paper, sections 3.2 and 3.4).

``Remember 4417``, ``reach me at 10.0.0.7``, ``order #88412``, ``batch: QX-2231``: the value is
found first, by its shape or its opacity, and what stands before it is read backwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..competition import winners
from ..detector import LOOKBACK, MIN_CONFIDENCE
from ..formats.block_worth import SHAPED
from ..labels import find_label
from ..opacity import opacity
from ..shapes import shaped
from .regex import labelled

STRONG_VERB, VERB, KEYWORD, ANY_LABEL = 0.85, 0.7, 0.88, 0.7

_STRONG = "remember|memorize|memorise|note|forget|write down|jot down|keep in mind|known as|dial"
_VERBS = (
    "said|says|say|told|tell|mentioned|mention|use|used|using|reach|contact|call|called|text|ping"
    "|enter|type|changed to|set to|connect to|listening on|running on|runs on|log in with|named"
    "|sent|send|received|gave|given|shared|provided|assigned|issued|is now|answer is|via"
)


def _backward(words: str) -> str:
    return "|".join(word[::-1] for word in words.split("|"))


_VERB = re.compile(
    rf"[\s\"'`#(*:]{{0,4}}(?:[\w'’\-]{{1,24}}[ ,:]{{1,2}}){{0,4}}?"
    rf"(?:(?P<strong>{_backward(_STRONG)})|(?:{_backward(_VERBS)}))(?!\w)"
)
_MARK = re.compile(r"[\"'`*(]{0,2}(?:# ?|[oO][nN] )?")
_ANY_LABEL = re.compile(
    r"[\"'`*]{0,3} ?[:=][\"'`*]{0,3}(?P<label>[\w\-]{2,32}(?: [\w\-]{1,24}){0,3}[\"'`*]{0,3})"
    r"(?=[\s,{(\[|]|\Z)"
)


class Semantic:
    """Regex's anchors, and those of verbs, bare keywords and unknown labels."""

    name = "semantic"

    def find(self, text: str) -> list[Anchor]:
        """Anchors of labelled and of announced values (see ``Detector``)."""
        anchors = [*labelled(text), *announced(text)]
        return winners(a for a in anchors if a.confidence >= MIN_CONFIDENCE)


def announced(text: str) -> Iterator[Anchor]:
    """Values that a verb, a keyword without a separator, or any label announces."""
    for begin, end, shape, confidence in shaped(text):
        known = confidence > 0
        if not known and not text[begin:end].isdigit():
            continue
        weight = max(opacity(text[begin:end]), SHAPED if known and shape != "opaque" else 0.0)
        if weight * KEYWORD < MIN_CONFIDENCE:
            continue
        label, strength, rule = _announcement(text, begin)
        if strength:
            yield Anchor(Span(label, begin), Span(begin, end), strength * weight, rule, known)


def _announcement(text: str, value: int) -> tuple[int, float, str]:
    """Where the announcement before a value begins, its strength (0: none), its rule."""
    backwards = text[max(0, value - LOOKBACK) : value][::-1]
    lower = backwards.lower()
    lower = lower if len(lower) == len(backwards) else backwards
    mark = _MARK.match(backwards)
    gap = mark.end() if mark else 0
    if "#" in backwards[:gap] or (
        backwards[gap:].startswith(" ") and backwards[gap + 1 :][:1].strip()
    ):
        label = find_label(text, value - gap)
        if label is not None and label.adjacent:
            return label.start, label.strength * KEYWORD, "semantic:keyword"
    verb = _VERB.match(lower)
    if verb:
        strength = STRONG_VERB if verb["strong"] else VERB
        return value - verb.end(), strength, "semantic:verb"
    named = _ANY_LABEL.match(backwards)
    if named:
        return value - named.end("label"), ANY_LABEL, "semantic:label"
    return value, 0.0, ""
