"""Values recognised by their form alone, without a label (``forms``): proposals for ``ta``, and a
detector of its own beside the paper's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..types import Anchor, Span
from .candidates import Proposal
from .competition import winners
from .detector import MIN_CONFIDENCE
from .extent import trim
from .forms import CONFIDENCE, INSIDE, SEVERAL_BEGIN, classify, several
from .label_words import is_common
from .text_codes import chunks

CLIENT = 0.51
"""Confidence of the address at the begin of each line of a server's log."""
REACH = 200  # characters before a rare sign that may belong to its form
_NAMED = re.compile(r"[\w.\-]+=(?=[^=])")
_LEADING = "_:*#=–—-"

_WORDS = re.compile(r"[a-z](?<![\w@/'’\-].)[a-z]{2,11}+(?:[ \-][a-z]{3,12}+){2,23}(?![\w@/'’\-])")
FEWEST = 3  # words of a phrase
LEFT_OUT = ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1))
"""Numbers of words at the begin and end of a row that may not belong to the phrase."""

ShapedSpan = tuple[int, int, str, float]
"""Start, end, id of the form, confidence."""


class Shapes:
    """Values recognised by their form: what the default preset adds to the paper's detectors."""

    name = "shapes"

    def find(self, text: str) -> list[Anchor]:
        """Anchors whose labels are empty (see ``Detector``)."""
        return winners(
            Anchor(Span(begin, begin), Span(begin, end), confidence, f"shape:{rule}", True)
            for begin, end, rule, confidence in shaped(text)
            if confidence >= MIN_CONFIDENCE
        )


def forms(text: str) -> Iterator[Proposal]:
    """Proposals of what has a known form; their labels are empty."""
    for begin, end, rule, _ in shaped(text):
        yield Proposal((begin, begin), (begin, end), f"shape:{rule}", True)


@lru_cache(maxsize=1)
def shaped(text: str) -> list[ShapedSpan]:
    """Everything of a known form. Its confidence is 0 if values rarely have that form. Cached, so
    that all detectors of a text share it."""
    return list(_shaped(text))


def _shaped(text: str) -> Iterator[ShapedSpan]:
    for begin, end in chunks(text):
        begin, end = _bare(text, begin, end)
        named = _NAMED.match(text, begin, end)
        begin = named.end() if named else begin
        rule, confidence = classify(text[begin:end]) if end - begin > 1 else ("", 0.0)
        if rule:
            client = rule == "ip" and _is_client(text, begin, end)
            yield begin, end, rule, CLIENT if client else confidence
    for form in INSIDE:
        for match in form.pattern.finditer(text):
            group = match.lastgroup or 0
            at = match.start(group)
            left = form.before.match(text[max(0, at - REACH) : at][::-1])
            if left is not None:
                begin, end = at - left.end(), match.end(group)
                yield begin, trim(text, begin, end, sentence=True), form.id, form.confidence
    for begin, end in _phrases(text):
        yield begin, end, "phrase", 0.0
    for match in SEVERAL_BEGIN.finditer(text):
        end, rule = several(text, match.start())
        if rule:
            yield match.start(), end, rule, CONFIDENCE[rule]


def _phrases(text: str) -> Iterator[tuple[int, int]]:
    """Rows of words that may have been drawn at random: none of them is a joining word."""
    for match in _WORDS.finditer(text):
        begin, row = match.start(), list[tuple[int, int]]()
        for word in [*match[0].replace("-", " ").split(" "), ""]:
            if word and not is_common(word):
                row.append((begin, begin + len(word)))
            else:
                for first, last in LEFT_OUT:
                    if len(row) - first - last >= FEWEST:
                        yield row[first][0], row[len(row) - 1 - last][1]
                row = []
            begin += len(word) + 1


def _bare(text: str, begin: int, end: int) -> tuple[int, int]:
    """A chunk without the marks around it; a sign before a number stays."""
    while begin < end and text[begin] in _LEADING:
        if text[begin] == "-" and text[begin + 1 : begin + 2].isdigit():
            break
        begin += 1
    return begin, trim(text, begin, end, sentence=True)


def _is_client(text: str, begin: int, end: int) -> bool:
    """Whether an address begins a line of a server's log, as the client's does in each."""
    return text[begin - 1 : begin] in ("", "\n") and text.startswith(" - ", end)
