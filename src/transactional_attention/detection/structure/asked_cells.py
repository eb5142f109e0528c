"""Columns that ask who or when, and cells that answer: a person, a day, a clock, the code of a line
or a flight. Such cells hold no more than plain words, so that their column decides."""

from __future__ import annotations

import re

from ..personal_names import NAME, is_somebody
from ..statements.english_days import is_day

ASKED = 0.76
_WHO = re.compile(
    r"(?i)(?:.* )?(?:who|name|owner|assignee|assigned(?: to)?|contact|responsible|person|guest"
    r"|attendee|reviewer|approver|driver|patient|customer|passenger|member|volunteer|on[- ]?call"
    r"|lead|speaker|tenant|teacher|author)s?"
)
_WHEN = re.compile(
    r"(?i)(?:.* )?(?:when|due|date|deadline|day|departs?|departure|arrives?|arrival|time|starts?"
    r"|ends?|until|leaves|boarding|slot|appointment)"
)
_WHICH = re.compile(
    r"(?i)(?:.* )?(?:flight|train|bus|line|service|seat|coach|carriage|platform|gate)"
)
_PERSON = re.compile(NAME)
_TIME = re.compile(r"\d{1,2}[:.]\d\d(?: ?[ap]m)?")
_CODE = re.compile(r"(?=[^\d]{0,6}\d)[A-Z0-9]{1,4}[ -]?\d{1,5}[A-Z]?|\d{1,3}[A-F]")


def is_asking(titles: list[str]) -> bool:
    """Whether one of the columns asks who, or two of them when or which."""
    asked = [title for title in titles if _WHEN.fullmatch(title) or _WHICH.fullmatch(title)]
    return len(asked) > 1 or any(map(_WHO.fullmatch, titles))


def is_answer(title: str, cell: str) -> bool:
    """Whether a cell answers what its column asks."""
    if not cell or len(cell) > 48:
        return False
    if _PERSON.fullmatch(cell):
        return _WHO.fullmatch(title) is not None and is_somebody(cell)
    if not any(map(str.isdigit, cell)):
        return False
    if is_day(cell) or _TIME.fullmatch(cell):
        return _WHEN.fullmatch(title) is not None
    return _CODE.fullmatch(cell) is not None and _WHICH.fullmatch(title) is not None
