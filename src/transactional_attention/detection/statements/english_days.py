"""English days with their weekday, and with the clock or the hours that belong to them: ``Tuesday 6
May between 08:00 and 10:00``, ``Wednesday, 21 October, 11:15``, ``Thursday at 16:20``.

A day with hours is when something is to happen. A weekday alone, or with a date alone, is told of
the past as well: a column of a table or the sentence before must ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from .register import is_message

HOURS = 0.8
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_DATE = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)"
    r"(?:,? \d{4})?"
)
_CLOCK = r"(?:\d{1,2}[:.]\d\d(?: ?[ap]\.?m\.?(?!\w))?|\d{1,2} ?[ap]m(?!\w))"
_RANGE = (
    rf"(?:between {_CLOCK} and {_CLOCK}|(?:from )?{_CLOCK} ?(?:to|until|till|–|—|-) ?{_CLOCK}"
    rf"|(?:at |by |before |after |around )?{_CLOCK})"
)
_DATED = re.compile(rf",? {_DATE}(?!\w)")
_NUMBER = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_WORDED = re.compile(
    r",? (?:at |around |by )?(?:noon|midnight"
    rf"|(?:half|(?:a )?quarter|five|ten|twenty|twenty-five) (?:past|to) {_NUMBER}"
    rf"|{_NUMBER} (?:o['’]clock|thirty|fifteen|forty-five|sharp))(?!\w)"
)
_AHEAD = re.compile(r"(?:\ba week on|\b(?:next|this|this coming)) \Z")
_THERE = (
    r"(?:,? (?:from |at |in |on )?(?:platform|track|gate|room|pier|bay|stand) [A-Z]?\d{1,3}[A-Z]?)"
)
_HOURS = re.compile(rf"(?:,? | \(){_RANGE}{_THERE}?(?![\w:])")
_LEAVING = re.compile(r"(?<![\w:.])\d{1,2}:\d\d,? (?:from|at|on) \Z")
_NUMBERED = re.compile(r" [A-Z]?\d{1,3}[A-Z]?(?!\w)")
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_CLOCK_BEFORE = re.compile(r"(?<![\w:.])\d{1,2}:\d\d (?:on )?\Z")
_BOOK = Book(phrase(day, None) for day in _WEEKDAYS)
_PLACES = Book(phrase(place, None) for place in ("platform", "track", "gate", "pier", "stand"))
# Behind these a day has been: its hours are those of a story.
_PAST = re.compile(r"(?:\b(?:last|since|was|were|every|on most)|[0-9]) \Z", re.IGNORECASE)
_WHOLE = re.compile(
    rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?{_DATE}(?:,? {_RANGE})?"
    rf"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?:,? {_RANGE})"
)


def is_day(value: str) -> bool:
    """Whether a whole value is a date, or a weekday with hours."""
    return _WHOLE.fullmatch(value) is not None


def english_days(text: str) -> Iterator[Anchor]:
    """Days with their hours, and clocks of what leaves from a place."""
    for begin, end, _ in spoken(text, _BOOK):
        if not text[begin].isupper() or text[begin:end].isupper():
            continue
        dated = _DATED.match(text, end)
        stop = dated.end() if dated else end
        hours = _HOURS.match(text, stop) or _worded(text, begin, stop)
        ahead = _AHEAD.search(text, max(0, begin - 16), begin) if hours else None
        first = ahead.start() if ahead else begin
        if hours:
            stop = hours.end()
        else:
            before = _CLOCK_BEFORE.search(text, max(0, begin - 12), begin)
            if before is None:
                continue
            first = before.start()
        if not _PAST.search(text, max(0, first - 12), first):
            yield Anchor(Span(first, first), Span(first, stop), HOURS, "prose:moment", True)
    for begin, end, _ in spoken(text, _PLACES):
        leaving = _LEAVING.search(text, max(0, begin - 16), begin)
        number = _NUMBERED.match(text, end) if leaving else None
        if leaving and number:
            value = Span(leaving.start(), number.end())
            yield Anchor(Span(value.start, value.start), value, HOURS, "prose:moment", True)


def _worded(text: str, begin: int, end: int) -> re.Match[str] | None:
    """A clock in words behind a day, in a message: stories tell theirs so too."""
    worded = _WORDED.match(text, end)
    return worded if worded and is_message(text, begin, worded.end()) else None
