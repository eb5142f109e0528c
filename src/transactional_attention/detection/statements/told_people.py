"""People whom a sentence names for what they did or can do: ``It was Gideon Achterberg who signed
for the crates``, ``the woman who can unlock the archive is Petra Solheim``, ``printer jammed → ring
Mirjam``, ``this should have read Ludmila Ferrante``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor
from ..personal_names import NAME, is_person
from ..spoken import Book, announced, phrase, spoken

TOLD = 0.72
_REACH = 24
_END = (
    r"(?=[.,;:!?)](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:and|who|on|at|in|from|for|if|when|before|about|by|[—–(-]))"
)
_FIRST = r"[A-ZÀ-ÖØ-ÞĆČŁŚŞŠŽ][a-zß-öø-ÿā-ž]{2,16}(?:-[A-Z][a-zß-öø-ÿ]{2,16})?"
_DID = (
    r"(?:signed|has|had|holds?|took|collected|let|picked|accepted|approved|fixed|booked|dropped|left"
    r"|brought|paid|found|keeps?|knows|can|will|won|repaired|ordered|arranged|installed|lent)\b"
)
_WHO_DID = re.compile(rf" (?P<value>{NAME}) (?:who|that) {_DID}")
_WHO_CAN = re.compile(
    r" (?:can|could|has|have|holds?|knows?|will|handles?|keeps?|deals?|signs?|looks|decides|runs"
    r"|needs|took|fixed|ask|call|ring|see|speak|talk|contact|email|text|write|find|phone|pay|thank)\b"
    r"[^.;:!?\n]{0,60}?"
    rf" (?:is|was|will be|would be)(?: now)? (?P<value>{NAME}){_END}"
)
_READ = re.compile(
    rf"(?: as)?:? [\"“']?(?P<value>{NAME})(?=[\"”']?(?:[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)))"
)
_BY = re.compile(rf" (?P<value>{NAME}){_END}")
_CALL = re.compile(
    rf" (?P<value>{_FIRST}(?: {_FIRST})?)(?=[.;!)]?\s*(?:\n|\Z)| \((?:she|he|they|who|not)\b"
    r"|,? (?:she|he|if|when|before|about|first|not|instead|on \d|at \d)\b)"
)
_URGED = re.compile(
    r"(?:→|->|=>|[.:;,!] ?|\A|\n[-*• ]{0,4}|\b(?:please|just|better|must|to|then))[ ]?\Z"
)
_NOBODY = frozenset(
    "the and but for monday tuesday wednesday thursday friday saturday sunday january february"
    " march april may june july august september october november december support"
    " security reception".split()
)


class _Rule(NamedTuple):
    """What follows the words, and whether somebody must be told to do it."""

    rest: re.Pattern[str]
    urged: bool = False


_PEOPLE = "fellow person man woman lady guy chap bloke colleague one neighbour gentleman".split()
_BOOK = Book(
    [
        phrase("it was", _Rule(_WHO_DID)),
        phrase("it is", _Rule(_WHO_DID)),
        phrase("it's", _Rule(_WHO_DID)),
        *(phrase(f"the {kind} {to}", _Rule(_WHO_CAN)) for kind in _PEOPLE for to in ("who", "to")),
        *(
            phrase(f"should {verb}", _Rule(_READ))
            for verb in ("read", "have read", "have been", "have said")
        ),
        phrase("name should be", _Rule(_READ)),
        phrase("name is spelled", _Rule(_READ)),
        phrase("represented by", _Rule(_BY)),
        phrase("signed for by", _Rule(_BY)),
        phrase("countersigned by", _Rule(_BY)),
        *(phrase(verb, _Rule(_CALL, True)) for verb in ("ring", "phone", "text", "ask", "ping")),
    ]
)


def told_people(text: str) -> Iterator[Anchor]:
    """Names of people in sentences about what they did."""
    for begin, end, rule in spoken(text, _BOOK):
        match = rule.rest.match(text, end)
        if match is None:
            continue
        if rule.urged:
            told = match["value"].lower() not in _NOBODY
            told = told and _URGED.search(text, max(0, begin - _REACH), begin) is not None
        else:
            told = is_person(match["value"])
        if told:
            yield announced(begin, match, TOLD, "prose:person", delimited=True)
