"""People by what they do, as languages with capitals other than English tell of them: ``la nueva
tesorera será Marta Rey``, ``um die Schlüssel kümmert sich Jan Voss``, ``за кассу отвечает Пётр
Лунин``, ``faturalarla Ece Aydın ilgileniyor``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor, Span
from ..personal_names import NAME, is_person, name_before
from ..spoken import Book, phrase, spoken
from .duties import DUTY
from .duty_words import (
    AROUND,
    ASKED,
    ASKING,
    BEFORE,
    BEGINNING,
    COPULAS,
    DOING,
    HERE_ONLY,
    IT_IS,
    ROLES,
)
from .sentence import sentence

_REACH = 96  # characters of a sentence around a verb
_END = r"(?=[\"'”»)]?[.,;:!?](?:\s|\Z)|[\"'”»)]?\s*(?:\n|\Z)|[ ][^\W\d_A-ZÀ-Þ]|[ ][—–(-])"
_HONOUR = r"(?:(?:el|la|le|il|o|a)[ ](?:doctora?|señora?|docteure?|dottor(?:essa)?|maître)[ ])?"
_BEING = "|".join(COPULAS)
_ROLE = re.compile(
    rf"(?:[ ][\w'’-]{{1,20}}){{0,5}}?,?[ ](?:{_BEING})[ ]{_HONOUR}(?P<value>{NAME}){_END}"
    rf"|(?<=[ıiuü]z)[ ](?P<own>{NAME})(?=[.,;!?]|[ ]?(?:\n|\Z|olacak))"
)
_SIGNED = re.compile(rf"(?:[ ][\w'’-]{{1,20}}){{0,5}}?:[ ](?P<value>{NAME}){_END}")
_LINE = re.compile(r"(?:\A|\n)[ \t]*(?:[-*•]+[ ])?(?:[\w-]{2,20}[ ]){0,3}\Z")
_BEHIND = re.compile(rf"[ ](?P<value>{NAME}){_END}")
_OBJECT = r"(?:[ ](?:la|el|los|las|le|les|die|den|das|il|i|gli|o|os|as)[ ][\w'’-]{2,20})?"
_LEADS = re.compile(rf"{_OBJECT}[ ](?P<value>{NAME}){_END}")
_DONE = re.compile(rf"[ ](?P<value>{NAME})[ ](?:{DOING})")
_HERE = re.compile(BEGINNING, re.IGNORECASE)
_SUFFIX = re.compile(r"['’]\w{1,4}\Z")
# Turkish: a word that begins a sentence and is bent belongs to no name.
_BENT = re.compile(r"\w+(?:[dt][ae]n|l[ae]|[ae]|n?[ıiuü]n?|[dt][ae]) ")


class _Rule(NamedTuple):
    """What follows a phrase, or a name before it; ``here``: it needs words for a beginning."""

    rest: re.Pattern[str] | None
    here: bool = False
    before: re.Pattern[str] | None = None
    suffix: bool = False


def _phrases() -> Iterator[tuple[str, _Rule]]:
    for words, rules in (
        (ROLES, (_Rule(_ROLE), _Rule(_SIGNED, before=_LINE))),
        (AROUND, (_Rule(_BEHIND), _Rule(None))),
        (BEFORE, (_Rule(None),)),
        (HERE_ONLY, (_Rule(_LEADS, here=True), _Rule(None, here=True))),
        (ASKING, (_Rule(_BEHIND),)),
        (ASKED, (_Rule(None, suffix=True),)),
        (IT_IS, (_Rule(_DONE),)),
    ):
        for word in words:
            for rule in rules:
                yield word, rule


_RULES: dict[str, list[_Rule]] = {}
for _said, _rule in _phrases():
    _RULES.setdefault(_said, []).append(_rule)
_BOOK = Book([phrase(said, tuple(rules)) for said, rules in _RULES.items()])


def foreign_duties(text: str) -> Iterator[Anchor]:
    """Names of people beside what they do."""
    for begin, end, rules in spoken(text, _BOOK):
        for rule in rules:
            find = _behind if rule.rest else _before
            value = find(text, begin, end, rule)
            if value is None or (rule.here and not _is_here(text, min(begin, value[0]), end)):
                continue
            label = Span(min(begin, value[0]), value[0])
            yield Anchor(label, Span(*value), DUTY, "prose:person", True)


def _behind(text: str, begin: int, end: int, rule: _Rule) -> tuple[int, int] | None:
    match = rule.rest.match(text, end) if rule.rest else None
    if match is None or (rule.before and not rule.before.search(text, max(0, begin - 64), begin)):
        return None
    group = "value" if match["value"] else "own"
    return match.span(group) if is_person(match[group]) else None


def _before(text: str, begin: int, end: int, rule: _Rule) -> tuple[int, int] | None:
    """The name right before a verb, in Turkish one with its suffix."""
    if text[begin - 1 : begin] != " " or text[end : end + 1].isalnum():
        return None
    place = begin - 1
    if rule.suffix:
        suffix = _SUFFIX.search(text, max(0, place - 6), place)
        if suffix is None:
            return None
        place = suffix.start()
    return whole_name_before(text, place + 1)


def whole_name_before(text: str, end: int) -> tuple[int, int] | None:
    """The name that ends a space before ``end``, without a bent word that begins its sentence."""
    place = end - 1
    if text[place : place + 1] not in (" ", "'", "’") or not text[place - 1 : place].isalpha():
        return None
    value = name_before(text, place)
    if value is None:
        return None
    first, last = value
    bent = _BENT.match(text, first, last)
    begins = text[max(0, first - 2) : first].strip() in ("", ".", "!", "?")
    if bent and begins and text.count(" ", first, last) > 1:
        first = bent.end()
    return first, last


def _is_here(text: str, begin: int, end: int) -> bool:
    """Whether the sentence around ``text[begin:end]`` speaks of a beginning or of the reader."""
    first, stop = sentence(text, begin, end, _REACH)
    return _HERE.search(text, first, stop) is not None
