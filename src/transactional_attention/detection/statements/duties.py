"""People by what they do for the reader: ``the payroll officer will be Ida Crane``, ``Otto Brandt
looks after the keys``, ``from Monday Nell Ward leads the shift``, ``please ask Nell Ward``.

A name is a value beside a word for a role or a verb of duty. Verbs that biographies are full of
count where their sentence speaks of a beginning or of the reader; who was something is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...types import Anchor, Span
from ..personal_names import NAME, is_person, name_before
from ..spoken import Book, phrase, spoken
from ..text_words import lowered
from .sentence import sentence

DUTY = 0.66
_REACH = 96  # characters of a sentence around a verb, and before a role
_ROLES = (
    "officer|manager|lead|chair|chairperson|coordinator|organiser|organizer|administrator|admin"
    "|accountant|bookkeeper|treasurer|secretary|plumber|electrician|caretaker|janitor|doctor"
    "|dentist|physiotherapist|therapist|midwife|nurse|gp|solicitor|lawyer|notary|translator"
    "|interpreter|tutor|teacher|mentor|supervisor|warden|steward|deputy|delegate|representative"
    "|adviser|advisor|counsellor|controller|buyer|dispatcher|driver|guide|instructor|trainer"
    "|librarian|technician|engineer|maintainer|receptionist|assistant|agent|broker|surveyor"
    "|inspector|auditor|nanny|babysitter|vet|gardener|cleaner|caterer|stand-in|replacement"
    "|successor|point person|go-to person|liaison|superintendent|specialist|moderator|facilitator"
    "|clerk|planner|person to ask|person to call|person to contact|person to see"
    "|person to talk to|person to speak to"
    "|person in charge|scrum master|custodian|recruiter|consultant|head of"
).split("|")
_END = (
    r"(?=[\"'”»)]?[.,;:!?](?:\s|\Z)|[\"'”)]?\s*(?:\n|\Z)|[ ](?:and|who|from|for|starting|as"
    r"|until|if"
    r"|when|whenever|before|about|at|in|on|or|regarding|first|again|now|by|via|then|with"
    r"|[—–(-])|['’]s[ ])"
)
_TAIL = r"(?:[ ](?:for|of|at|in|on|to|with|from|by|about)(?:[ ]{word}){{1,6}}?)?"
_BECOMES = re.compile(
    _TAIL.format(word=r"[\w'’-]{1,20}")
    + r",?[ ](?:will(?:[ ]now)?[ ]be|is[ ]now|is[ ]going[ ]to[ ]be|becomes|will[ ]become"
    rf"|remains|shall[ ]be|from[ ]now[ ]on[ ]is)[ ](?P<value>{NAME}){_END}"
)
_IS = re.compile(
    _TAIL.format(word=r"[a-z'’-]{1,20}")
    + rf"(?:[ ]is|['’]s|[ ]is[ ]called)[ ](?P<value>{NAME}){_END}"
)
_SIGNED = re.compile(
    _TAIL.format(word=r"[\w'’-]{1,20}")
    + rf"(?::|[ ][–—-])[ ](?P<value>{NAME})(?=[ ]?(?:[,;(\n|]|[.](?:\s|\Z)|\Z))"
)
_OWN = re.compile(
    r"(?:\b(?:our|your|my|the|new|[A-Za-z]+['’]s)[ ](?:[\w-]{2,20}[ ]){0,3}|\A|[.\n][ ]?)\Z",
    re.IGNORECASE,
)
_BESIDE = re.compile(rf",[ ](?P<value>{NAME})[,.]")
_OURS = re.compile(r"\b(?:our|your)[ ](?:[\w-]{2,20}[ ]){0,2}\Z")
_ISSUES = re.compile(
    r"\b(?:questions?|requests|complaints|invoices|forms|bugs|issues|reports|claims|queries"
    r"|everything|anything|receipts|applications)(?: [a-z]{1,12}){0,4} \Z"
)
_LINE = re.compile(r"(?:\A|\n)[ \t]*(?:[-*•]+[ ])?(?:[\w-]{2,20}[ ]){0,4}\Z")
_WILL = (
    "handle|be handling|look after|be looking after|lead|be leading|chair|run|take over"
    "|be taking over|coordinate|manage|cover for|be covering|be in charge|be responsible"
    "|sign off|approve|take care of|stand in|supervise|oversee|organise|organize"
)
_STRONG = (
    *(f"will {verb}" for verb in _WILL.split("|")),
    *(
        "looks after the|looks after our|looks after all|looks after your|is looking after"
        "|is now the head of"
        "|is taking over|takes care of the|takes care of our|takes care of all|is taking care of"
        "|signs for|signs off|is covering for|holds the keys|keeps the keys"
        "|approves all|is your contact|is our contact|is the person to"
        "|is the go-to"
    ).split("|"),
)
_WEAK = (
    "handles|leads|owns|chairs|runs|manages|coordinates|approves|oversees|is in charge of"
    "|is responsible for|takes over|covers|deals with|supervises|organises|organizes"
    "|replaces|is handling|is running|is leading|looks after|takes care of"
    "|answers for|has taken over|keeps|orders|maintains|administers"
).split("|")
_HERE = re.compile(
    r"\b(?:from now on|from (?:today|tomorrow|next|this|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|\d)"
    r"|starting|as of|effective|until further|next (?:week|month|year|term|quarter)"
    r"|this (?:week|month|term|quarter|sprint)|our|your|please|for us|for you|going forward"
    r"|while \w+ is (?:away|out|on))\b",
    re.IGNORECASE,
)
_BEING = ("is our", "is your", "is my", "is now our", "is now your", "will be your", "will be our",
             "becomes our")  # fmt: skip
_A_ROLE = re.compile(
    rf"(?:[ ][\w-]{{2,20}}){{0,3}}?[ ](?:{'|'.join(_ROLES)}|contact|reviewer|supervisor"
    rf"|landlord)\b"
)
_BY = (
    "handled by|led by|run by|chaired by|managed by|covered by|approved by|looked after by"
    "|coordinated by|taken over by|owned by|maintained by|overseen by|organised by|signed by"
    "|organized by|taken care of by|supervised by|countersigned by"
).split("|")
_KEPT = tuple(f"{verb} by" for verb in "kept held issued handled run led managed covered".split())
_NOW = re.compile(
    r"\b(?:(?:will|must|should|can only|has to|have to|may only|to) be|(?:is|are) now|now)"
    r"(?: \w{2,12})? \Z"
)
_NAMED = re.compile(rf"[ ](?P<value>{NAME}){_END}")
_ON = (" ", ",", ":", "'", "’")  # how a sentence goes on to a name
_SENT = re.compile(rf"[ ](?:[\w'’-]{{1,20}}[ ]){{1,7}}?to[ ](?P<value>{NAME}){_END}")
_ASKING = (
    "ask|contact|email|write to|get in touch with|reach out to|talk to|speak to|speak with"
    "|report to|check with|go through"
).split("|")
_SENDING = "send|hand|give|forward|submit|escalate".split("|")
_TOLD = re.compile(
    r"(?:\A|[.!?:;,\n—–•*-]\s{0,3}|\b(?:please|then|should|must|can|to|first|just|kindly|and) )\Z",
    re.IGNORECASE,
)


class _Rule(NamedTuple):
    """What follows a phrase, and what stands before it; where a name ends that precedes it."""

    rest: re.Pattern[str] | None
    before: re.Pattern[str] | None = None
    here: bool = False


def _phrases() -> Iterator[tuple[str, _Rule]]:
    for role in _ROLES:
        yield role, _Rule(_BECOMES)
        yield role, _Rule(_IS, _OWN)
        yield role, _Rule(_SIGNED, _LINE)
        yield role, _Rule(_BESIDE, _OURS)
    for verbs, rule in (
        (_BY, _Rule(_NAMED, _NOW)),
        (_KEPT, _Rule(_NAMED, here=True)),
        (("go to", "goes to"), _Rule(_NAMED, _ISSUES)),
        (_ASKING, _Rule(_NAMED, _TOLD)),
        (_SENDING, _Rule(_SENT, _TOLD)),
        (_STRONG, _Rule(None)),
        (_WEAK, _Rule(None, here=True)),
        (_BEING, _Rule(None, _A_ROLE)),
    ):
        for verb in verbs:
            yield verb, rule


_RULES: dict[str, list[_Rule]] = {}
for _said, _rule in _phrases():
    _RULES.setdefault(_said, []).append(_rule)
_BOOK = Book([phrase(said, tuple(rules)) for said, rules in _RULES.items()])


def duties(text: str) -> Iterator[Anchor]:
    """Names of people beside what they do."""
    for begin, end, rules in spoken(text, _BOOK):
        for rule in rules:
            find = _behind if rule.rest else _before
            value = find(text, begin, end, rule)
            if value:
                label = Span(min(begin, value[0]), value[0])
                yield Anchor(label, Span(*value), DUTY, "prose:person", True)


def _behind(text: str, begin: int, end: int, rule: _Rule) -> tuple[int, int] | None:
    """The name behind a role, or behind a request."""
    if text[end : end + 1] not in _ON:
        return None
    match = rule.rest.match(text, end) if rule.rest else None
    if match is None or not is_person(match["value"]):
        return None
    lower = lowered(text)
    if rule.before and not rule.before.search(lower, max(0, begin - _REACH), begin):
        return None
    if rule.here and not _is_here(text, begin, match.end()):
        return None
    return match.span("value")


def _before(text: str, begin: int, end: int, rule: _Rule) -> tuple[int, int] | None:
    """The name right before a verb of duty."""
    if text[begin - 1 : begin] != " " or text[end : end + 1].isalnum():
        return None
    place = begin - 1 - 5 * text.startswith(" also", begin - 6)
    if not text[place - 1 : place].isalpha():
        return None
    value = name_before(text, place)
    if value is None or (rule.before and not rule.before.match(text, end)):
        return None
    return value if not rule.here or _is_here(text, value[0], end) else None


def _is_here(text: str, begin: int, end: int) -> bool:
    """Whether the sentence around ``text[begin:end]`` concerns the reader."""
    first, stop = sentence(text, begin, end, _REACH)
    return bool(_HERE.search(text, first, begin) or _HERE.search(text, end, stop))
