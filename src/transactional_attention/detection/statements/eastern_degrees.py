"""Places in degrees as Chinese, Japanese and Korean say them: ``北纬31.2304°，东经121.4737°``,
``北緯35度41分、東経139度41分``, ``북위 37.5665도, 동경 126.9780도``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..forms import PLACE
from ..spoken import Book, phrase, spoken

_DEGREES = (
    r"[ 约約]?\d{1,3}(?:\.\d{1,12})?[°度도]?"
    r"(?: ?\d{1,2}(?:\.\d{1,8})?[′'分분](?: ?\d{1,2}(?:\.\d{1,8})?[″\"秒초])?)?"
)
_BEHIND = re.compile(rf"{_DEGREES}(?:[,，、 ]{{1,2}}|と)?(?:[东東西][经經経]|[동서]경){_DEGREES}")
_BOOK = Book(phrase(said, None) for said in "北纬|南纬|北緯|南緯|북위|남위".split("|"))


def eastern_degrees(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of such places."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _BEHIND.match(text, end)
        if match:
            yield begin, match.end()


def eastern_coordinates(text: str) -> Iterator[Anchor]:
    """Anchors of such places."""
    for begin, end in eastern_degrees(text):
        yield Anchor(Span(begin, begin), Span(begin, end), PLACE, "shape:coordinates", True)
