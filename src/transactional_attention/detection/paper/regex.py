"""Labelled values: keyword, up to three words, a separator, a value (paper, section 3.2, P).

Separators are found first, since they are rare; then the value's first word rejects most of them,
and the label is read backwards. Confidence = label strength x separator strength x value weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..competition import winners
from ..detector import MIN_CONFIDENCE
from ..extent import Extent, find_extent
from ..formats.block_worth import CODE, PLACEHOLDER, SHAPED
from ..forms import is_known
from ..labels import find_label
from ..opacity import opacity

SEPARATORS = {
    **dict.fromkeys((":", "=", ":=", "：", "＝"), 1.0),
    **dict.fromkeys(("=>", "→", ">"), 0.9),
    "|": 0.85,
}
WORD_SEPARATOR = 0.9

QUOTED, WHOLE_LINE = 0.62, 0.6
"""Least weight of a value that its quotes or its own line mark as a value."""
MAX_QUOTED_WORDS = 6

# Four digits, capitals, letters with digits, or capitals where no word has them.
CODE_LIKE = re.compile(
    r"\d{4,}\Z|[A-Z]{4,}\Z|(?=\S{4})(?:\d\S*?[^\W\d]|[^\W\d]\S*?\d)|\S*?(?:[A-Z]{2}[a-z]|[a-z][A-Z]{2})"
)
_SYMBOL = re.compile(r"[:=|→：＝>][:=>]*")
_WORDS = re.compile(
    r" (?:is|was|are|be|equals|becomes|(?:set|changed|updated|reset|switched) to)(?: now)?(?=[ \n])"
)
_VERBS = (" is", " was", " are")
_FLAG = re.compile(r"(?<![\w\-])--\w[\w\-]{1,40}+(?= )")
_GAP = re.compile(r"[ \t]{0,16}(?:\n[ \t]{0,8}){0,2}")
_CHUNK_BEFORE = re.compile(r"[^\s\"'`,;(){}\[\]]*")
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey) +(?=\S{6})", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z'’\-]*(?=[.,;:!?)(\]]{0,3}(?:\s|$))")


class Regex:
    """Keyword, separator, value."""

    name = "regex"

    def find(self, text: str) -> list[Anchor]:
        """Anchors of labelled values (see ``Detector``)."""
        return winners(a for a in labelled(text) if a.confidence >= MIN_CONFIDENCE)


def labelled(text: str) -> Iterator[Anchor]:
    """Every labelled value with its confidence, however low."""
    candidates = (_anchor(text, *separator) for separator in _separators(text))
    return (anchor for anchor in candidates if anchor is not None)


def _separators(text: str) -> Iterator[tuple[int, int, float, str]]:
    """Where labels may end and their values begin, with the strength and kind of what separates
    them."""
    for match in _SYMBOL.finditer(text):
        strength = SEPARATORS.get(match.group())
        if strength is not None:
            gap = _GAP.match(text, match.end())
            yield match.start(), gap.end() if gap else match.end(), strength, "symbol"
    for match in _WORDS.finditer(text):
        at = match.end()
        if text[at : at + 2] != " :":
            yield match.start(), at + 1, WORD_SEPARATOR, "word"
    for match in _FLAG.finditer(text):
        yield match.end(), match.end() + 1, 1.0, "flag"


def _anchor(text: str, label_end: int, at: int, separator: float, kind: str) -> Anchor | None:
    """The anchor of one separator: label before ``label_end``, value from ``at``."""
    plain = _PLAIN_WORD.match(text, at)
    if plain is not None and text[plain.end() : plain.end() + 1] not in ("\n", ""):
        scheme = _SCHEME.match(text, at)
        if scheme is None:
            return None
        at = scheme.end()
    if kind == "symbol" and not _separates(text, label_end):
        return None
    label = find_label(text, label_end)
    if label is None:
        return None
    sentence = kind == "word" or text[max(0, label_end - 4) : label_end].endswith(_VERBS)
    extent = find_extent(text, at, sentence=sentence)
    if extent is None:
        return None
    weight = value_weight(text, label.start, extent, crosses="\n" in text[label_end:at])
    confidence = label.strength * separator * weight
    span = Span(label.start, extent.value.start)
    return Anchor(span, extent.value, confidence, f"regex:{kind}", extent.delimited)


def _separates(text: str, at: int) -> bool:
    """Whether the symbol is no part of a URL, and a ``>`` ends a tag or an arrow."""
    before = text[max(0, at - 64) : at]
    if text[at] == ">":
        return before.endswith("-") or "<" in before[-40:]
    backwards = _CHUNK_BEFORE.match(before[::-1])
    chunk = backwards.group() if backwards else ""
    if text[at] == ":" and not text[at + 1 : at + 2].isspace():
        return ":" not in chunk and "/" not in chunk
    return "//:" not in chunk


def value_weight(text: str, label: int, extent: Extent, *, crosses: bool) -> float:
    """How much a labelled value looks like one: its opacity, or what its form promises."""
    value = text[extent.value.start : extent.value.end]
    if PLACEHOLDER.fullmatch(value):
        return 0.0
    opaque = opacity(value)
    if crosses:
        return opaque if not any(char in value for char in ":=") else 0.0
    floor = 0.0
    if extent.quoted:
        floor = QUOTED if value.count(" ") < MAX_QUOTED_WORDS else 0.0
    elif _is_whole_line(text, label, extent.value.end):
        floor = WHOLE_LINE
    if floor < CODE and CODE_LIKE.match(value):
        floor = CODE
    if opaque < SHAPED and is_known(value):
        floor = SHAPED
    return max(opaque, floor)


def _is_whole_line(text: str, label: int, end: int) -> bool:
    """Only white space and list marks stand before the label, and nothing after the value."""
    begin = text.rfind("\n", max(0, label - 32), label) + 1
    before = text[begin:label] if begin or label <= 32 else "?"
    after = text[end : end + 2].lstrip(" ,;")
    return not before.strip(" \t-*#+•") and (not after or after[0] == "\n")
