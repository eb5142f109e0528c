"""Constants that somebody measured: ``offset = -0.0372``, ``"gain": 1.0841``, ``DRIFT <- 0.00417``.

A name of calibration asks for a number of its own, and three decimals are more than a default has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken

MEASURED = 0.82
_NUMBER = re.compile(
    r"(?:_\w{1,24})?[\"']?(?:[ \t]{0,4}(?:<-|[:=])[ \t]{0,4})"
    r"(?P<value>[-+]?\d{1,6}\.\d{3,10}(?:e[-+]?\d{1,2})?)(?![\w.%])"
)
_NAMES = (
    "offset gain bias drift slope intercept calibration correction coefficient scale factor skew"
    " declination trim tare shift ratio attenuation"
).split()
_BOOK = Book(phrase(name, None) for name in _NAMES)


def calibrations(text: str, minimum: float) -> Iterator[Anchor]:
    """Fractions under names of calibration."""
    for begin, end, _ in spoken(text, _BOOK):
        match = _NUMBER.match(text, end)
        if match and match["value"].strip("-+0.") and not match["value"].endswith("000"):
            yield announced(begin, match, MEASURED, "structure:constant", delimited=True)
