"""What the candidates of a text are worth by themselves, before anything is said of them."""

from __future__ import annotations

import re
from functools import lru_cache

from ..types import Span
from .call_ids import is_call_id, ties_a_call
from .candidates import untied
from .drawn import phrases
from .forms import classify
from .frames import is_frame_address
from .notations import is_past
from .opacity import opacity
from .passwords import passwords
from .worth import CODE, CODE_LIKE, EVERYBODYS, SHAPED, TRUST, is_placeholder

MIN_OPACITY, TRUSTED = 0.36, 0.8
MIN_LENGTH = 3
_COUNTED = re.compile(
    r"(?:1[5-9]|20)\d\ds?|\d{1,2}|\d+(?:st|nd|rd|th)s?|\d+(?:-[a-z]{3,}){1,3}|\d+\.[xX]"
    r"|[-+]?\d*\.\d+|[-+]?\d*\.?\d+e[-+]\d+|[A-Za-z]{2,5}-\d{1,2}"
    r"|\d{1,3}[-–]\d{1,3}|(?:1[5-9]|20)\d\d[-–](?:\d\d){1,2}"
)
_PRINTED = re.compile(
    r"\d\d:\d\d:\d\d(?:[.,]\d+)?|[A-Z]{3,6}/\d\.\d|\d+(?:\.\d+)?[x×]\d+(?:\.\d+)?|[\w./\-]*#[a-z][a-z\-]*"
    r"|第\d{1,4}[条條章节節]"
)
_PAGES = re.compile(r"\b(?:pp?|[Pp]ages?|vol|ch)\.? \Z")
_PAGES_REACH = 8
_CLOCK = re.compile(r"\d\d?:\d\d")
_PROTOCOL = re.compile(r"[A-Z]{3,6}/\d\.\d")  # of a request: HTTP/1.1
_DAY = re.compile(r"\d{1,2} \w+ \d{4}")
DAY_WORTH, SPOKEN = 0.5, 0.7


@lru_cache(maxsize=1)
def weighed(text: str) -> tuple[tuple[int, int, bool, float], ...]:
    """Candidates and phrases of a text with their weight, in order."""
    found = []
    for begin, end, composite in untied(text):
        if end - begin >= MIN_LENGTH:
            value = text[begin:end]
            weight = _weight(value, composite)
            if weight >= MIN_OPACITY and not (is_placeholder(value) or is_call_id(value)):
                found.append((begin, end, composite, weight))
    spoken = [
        (begin, end, True, SPOKEN)
        for begin, end in phrases(text)
        if not is_placeholder(text[begin:end])
    ]
    signed = [
        (begin, end, False, _weight(text[begin:end], False)) for begin, end in passwords(text)
    ]
    return tuple(sorted(found + spoken + signed) if spoken or signed else found)


def is_refused(text: str, span: Span) -> bool:
    """Whether what may look like a value to ``characters`` is none: a placeholder, what ties a call
    to its result, an address in a stack, a stamp, a day before anybody's lifetime, dimensions,
    pages, a part of a page."""
    value = text[span.start : span.end]
    if is_placeholder(value) or is_call_id(value) or is_frame_address(text, span.start, span.end):
        return True
    if _PRINTED.fullmatch(value) or _is_of_a_line(text, span) or is_past(value):
        return True
    if _PAGES.search(text, max(0, span.start - _PAGES_REACH), span.start):
        return True
    return ties_a_call(text, span.start, span.end)


def is_counted(value: str) -> bool:
    """Whether a value is a count, a year or a number with decimals, as prose is full of."""
    return _COUNTED.fullmatch(value.rstrip("*")) is not None


def _is_of_a_line(text: str, span: Span) -> bool:
    """Whether a clock stamps its line: ``[18:40] ana: ...``."""
    if not _CLOCK.fullmatch(text, span.start, span.end):
        return False
    opened = text[span.start - 1 : span.start]
    begins = span.start - 1 if opened in ("[", "(") else span.start
    return (begins <= 0 or text[begins - 1] == "\n") and text[span.end : span.end + 1] != "."


def _weight(value: str, composite: bool) -> float:
    """Opacity of a candidate, or what its form promises; little for years and small numbers."""
    if composite:
        return DAY_WORTH if _DAY.fullmatch(value) else SHAPED
    if ("-" in value or not value[0].isalpha()) and _COUNTED.fullmatch(value):
        return MIN_OPACITY if len(value) == 4 and value.isdigit() else 0.0
    if value[-2:-1] == "." and _PROTOCOL.fullmatch(value):
        return 0.0
    if value in EVERYBODYS:
        return DAY_WORTH
    weight = opacity(value)
    if weight < SHAPED and classify(value)[0] not in ("", "opaque"):
        return SHAPED
    return max(weight, CODE) if weight < CODE and CODE_LIKE.match(value) else weight


def boosted(weight: float, strength: float) -> float:
    """A weight, raised by a cue that can be trusted."""
    return weight + TRUST * (1 - weight) if strength >= TRUSTED and weight > DAY_WORTH else weight
