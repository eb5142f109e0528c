"""Tests by the name that their runner gives them: ``tests/test_tides.py::test_neap[leap]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import places

NAMED = 0.7
_SIGN = ".py::"
_BEFORE = re.compile(r"[\w./\-]{1,160}+")  # read backwards
_AFTER = re.compile(r"\w{2,120}(?:::\w{2,120}){0,3}(?:\[[^\]\s]{1,80}\])?")


def test_ids(text: str, minimum: float) -> Iterator[Anchor]:
    """Node ids of pytest."""
    for place in places(text, _SIGN):
        before = _BEFORE.match(text[max(0, place - 160) : place][::-1])
        after = _AFTER.match(text, place + len(_SIGN))
        if before and after:
            begin = place - before.end()
            yield Anchor(
                Span(begin, begin), Span(begin, after.end()), NAMED, "structure:path", True
            )
