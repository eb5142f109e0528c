"""People under the keys of a record: ``primary: Hedwig Anquetil`` of a rota, ``"assignee":
"marit.solvang"``, ``lead.name = "Josefa Quispe"``, ``Approved by: Ottoline Farrow``.

A key asks for a person where a sentence does not, so it may be a word that says much else. A login
is two words in small letters; code has such words everywhere, so it stands between quotes or fills
a line of YAML. Where a key is ``name`` or ``primary``, something else nearby must be about people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor
from ..name_parts import name_parts
from ..personal_names import NAME, is_somebody
from ..spoken import Book, announced, phrase, spoken

PERSON = 0.7
_REACH = 120  # characters around a key that say whether a record is a person's
_OPENING = r"\\{0,3}[\"'`]?"
_KEY = (
    rf"(?:(?:_|[ ]|\.)(?:by|to|name|user|login|contact|lead))?{_OPENING}"
    r"(?:[ \t]{0,8}[:=][ \t]{0,8}|>)"
)
_NAMED = re.compile(
    rf"{_KEY}(?P<open>{_OPENING})(?P<value>{NAME})"
    r"(?=\\{0,3}[\"'`<]|[,;)\]}](?:\s|[\"'}\]]|\Z)|[ \t]{0,8}(?:[\r\n(|]|\Z))"
)
_LOGIN = r"(?P<value>[a-z]{2,20}(?:[._\-][a-z]{2,24}){1,3}\d{0,4})"
_LOGGED = (
    re.compile(rf"{_KEY}(?P<open>\\{{0,3}}[\"'`]){_LOGIN}(?=\\{{0,3}}[\"'`])"),
    re.compile(rf"(?:_by|_to)?:[ \t]{{1,8}}{_LOGIN}(?=[ \t]{{0,8}}\r?(?:[\n#]|\Z))"),
)
_ROLES = (
    "owner assignee assigned reviewer approver approved reviewed signed maintainer maintainers"
    " requester requested reporter reported customer client patient passenger traveller traveler"
    " guest member attendee recipient addressee driver technician consignee signatory organiser"
    " organizer host chair lead manager supervisor coordinator responsible contact escalation"
    " escalate oncall on-call on_call caller signer witness tenant caretaker booked created updated"
    " handled submitted instructor lecturer"
).split()
_LOGINS = (
    "owner assignee assigned reviewer approver approved reviewed maintainer requester reporter"
    " escalation escalate oncall on-call on_call created updated triggered user login username"
    " author committer submitted merged"
).split()
_OF_PEOPLE = re.compile(
    r"\[user\]|\b(?:on[_ -]?call|rota|escalat\w*|pager|customers?|clients?|patients?|passengers?"
    r"|guests?|members?|employees?|phone|e-?mail|born|dob|callers?|tenants?|attendees?|plan|mood|household"
    r"|contacts?|staff|staying|volunteers?|students?|dispatch)\b",
    re.IGNORECASE,
)
_CODE = frozenset(
    "self this req request res response ctx context event args props state data config session user"
    " users current post item row record obj object params options env os sys app form input model"
    " message msg payload node settings process my your the team set get not".split()
)


class _Rule(NamedTuple):
    """What follows a key, and whether a word about people must stand near it."""

    rest: re.Pattern[str]
    near: bool = False


_BOOK = Book(
    [
        *(phrase(key, _Rule(_NAMED)) for key in _ROLES),
        *(phrase(key, _Rule(_NAMED, True)) for key in ("name", "primary", "secondary", "backup")),
        *(phrase(key, _Rule(rest)) for key in _LOGINS for rest in _LOGGED),
        *(phrase(key, _Rule(_LOGGED[0], True)) for key in ("primary", "secondary")),
    ]
)


def field_people(text: str) -> Iterator[Anchor]:
    """Names and logins of people under keys."""
    for begin, end, rule in spoken(text, _BOOK):
        match = rule.rest.match(text, end)
        if match is None or not _is_theirs(match["value"], text[begin:end]):
            continue
        if rule.near and not _about_people(text, begin, match.end()):
            continue
        yield announced(begin, match, PERSON, "prose:person", delimited=True)


def _is_theirs(value: str, key: str) -> bool:
    """Whether a value names a person, and is no attribute in code."""
    if value[0].isupper():
        return is_somebody(value)
    parts = name_parts(value)
    return bool(parts) and parts[0] not in _CODE and parts[-1] != key.lower()


def _about_people(text: str, begin: int, end: int) -> bool:
    """Whether a word about people stands before a key, or behind its value on the line."""
    line = text[end : end + _REACH].split("\n", 1)[0]
    before = text[max(0, begin - _REACH) : begin].rsplit("\n\n", 1)[-1]
    return bool(_OF_PEOPLE.search(before) or _OF_PEOPLE.search(line))
