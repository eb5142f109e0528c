"""When something runs, in five fields as cron reads them: ``"17 3 * * 2,5"``, ``schedule: 0 3 * *
*``, lines of a crontab.

Two stars side by side are rare outside of them; a product has none. They stand in quotes, behind a
word for a schedule, or at the beginning of a line before a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..text_words import places

SCHEDULE = 0.72
_REACH = 40  # characters around two stars
_ATOM = r"(?:\*|\d{1,2}(?:-\d{1,2})?)(?:/\d{1,2})?"
_DAY = r"(?:\*|[0-7](?:-[0-7])?|[A-Za-z]{3}(?:-[A-Za-z]{3})?)(?:/\d)?"
_FIELDS = re.compile(
    rf"(?<![^\s\"'`])(?P<value>{_ATOM}(?:,{_ATOM}){{0,12}}(?: {_ATOM}(?:,{_ATOM}){{0,12}}){{2}}"
    rf"(?: {_ATOM}(?:,{_ATOM}){{0,12}})?"  # of seconds, before the five
    rf" (?:{_ATOM}(?:,{_ATOM}){{0,12}}|[A-Za-z]{{3}}) {_DAY}(?:,{_DAY}){{0,6}})(?![^\s\"'`,;.)])"
)
_NUMBER = re.compile(r"\d")
_NAMED = re.compile(
    r"(?i)(?:cron(?:tab)?|schedule|zeitplan|horario|planning)\w{0,8}\b[^\n]{0,24}\Z"
)
_COMMAND = re.compile(r"[ \t]+(?:root |[a-z]\w* )?[/~.$\w]")


def schedules(text: str) -> Iterator[Anchor]:
    """Expressions of cron."""
    last = 0
    for place in places(text, "* *"):
        if place < last:
            continue
        first = max(last, text.rfind("\n", 0, place) + 1, place - _REACH)
        end = text.find("\n", place, place + _REACH)
        match = _FIELDS.search(text, first, end if end >= 0 else place + _REACH)
        if match is None or not _NUMBER.search(match["value"]):
            continue
        last = match.end()
        if _is_schedule(text, *match.span("value")):
            value = Span(*match.span("value"))
            yield Anchor(Span(value.start, value.start), value, SCHEDULE, "prose:schedule", False)


def _is_schedule(text: str, begin: int, end: int) -> bool:
    """Whether quotes, a name before it or a command behind it make fields a schedule."""
    before, after = text[begin - 1 : begin] if begin else "", text[end : end + 1]
    if before in "\"'`" and before and before == after:
        return True
    if _NAMED.search(text, max(0, begin - _REACH), begin):
        return True
    return before in ("", "\n") and _COMMAND.match(text, end) is not None
