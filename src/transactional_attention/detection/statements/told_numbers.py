"""Numbers that a message tells: ``it's 61.5 cm at the narrow end``, ``we shook hands on £340``,
``the headcount is thirty-eight``, ``twelve percent of users``.

Articles are full of measures. In what somebody writes to somebody a measure, a sum or a number with
decimals is told to be used; how long something takes and how many there are is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..candidates import candidates
from ..spoken import Book, phrase, spoken
from .register import is_message, talks

TOLD = 0.62
_LONGEST = 12
_UNITS = (
    r"cm|mm|knots|MB|GB|m²|km|metres|meters|bar|psi|Hz|kHz|MHz|kg|g|mg|ml|cl|dl|l|litres|liters|°C|°F|°|degrees"
    r"|%|percent|per cent|volts?|V|W|kW|watts|amps?|stitches|gotas|Tropfen|gouttes|gocce|капель"
    r"|damla|drops|teaspoons|tablespoons|cups|inches|ft|pounds|euros?|dollars|quid|lira|reais|рублей|руб"
    r"|€|£|kr|EUR|Euro|Grad|grados|degrés|gradi"
)
_TOLD = re.compile(  # a measure, a sum, or a number with decimals
    rf"\d{{1,6}}(?:[.,]\d{{1,4}})?[ \u00a0]?(?:{_UNITS})(?![\w²/-])"
    r"|[£$€]\d{1,6}(?:[.,]\d{2,3})*(?![\w%])|\d{1,6}[.,]\d{2,5}%?(?![\w:/-]|[.,]\d)"
)
_MANY = re.compile(r"(?:about|around|roughly|nearly|almost|than|some) \Z")
_ROUND = re.compile(r"[£$€]?(?:\d|\d0+|[15]0*)(?: |\Z)|0?[.,]0*\d\Z|\d{1,2}[.,]0+\Z")

_ONES = "one two three four five six seven eight nine".split()
_SMALL = (
    "half an?|a quarter|one and a half|one|two|three|four|five|six|seven|eight|nine|ten|eleven"
    "|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_TENS = Book(
    phrase(f"{tens}-{one}", None)
    for tens in "twenty thirty forty fifty sixty seventy eighty ninety".split()
    for one in _ONES
)
_SPELLED = Book(
    phrase(unit, None)
    for unit in (
        "percent|per cent|teaspoon|teaspoons|tablespoon|tablespoons|tablet|tablets|drops|cups"
        "|capsule|capsules|puffs|spoonfuls|degrees"
    ).split("|")
)
_BEFORE_UNIT = re.compile(rf"(?<!\w)(?:{_SMALL})(?:-(?:{'|'.join(_ONES)}))? \Z", re.IGNORECASE)
_OF = re.compile(r"(?: of (?!the |our |your |my |all |these )[^\W\d_]{3,16})?(?!\w)")


def told_numbers(text: str) -> Iterator[Anchor]:
    """Measures, sums and numbers with decimals in a message."""
    if not any(talks(text)):
        return
    for begin, end, _ in candidates(text):
        if end - begin > _LONGEST or not (text[begin].isdigit() or text[begin] in "£$€"):
            continue
        match = _TOLD.match(text, begin)
        if match is None or _MANY.search(text, max(0, begin - 12), begin):
            continue
        if _ROUND.match(match.group()) or not is_message(text, begin, match.end()):
            continue
        yield _anchor(*match.span(), "prose:message")
    for begin, end, _ in spoken(text, _TENS):
        if not text[end : end + 1].isalnum() and is_message(text, begin, end):
            yield _anchor(begin, end, "prose:spelled")
    for begin, end, _ in spoken(text, _SPELLED):
        number = _BEFORE_UNIT.search(text, max(0, begin - 24), begin)
        rest = _OF.match(text, end)
        if number and rest and is_message(text, begin, end):
            yield _anchor(number.start(), rest.end(), "prose:spelled")


def _anchor(begin: int, end: int, rule: str) -> Anchor:
    return Anchor(Span(begin, begin), Span(begin, end), TOLD, rule, True)
