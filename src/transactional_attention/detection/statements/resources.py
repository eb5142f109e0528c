"""Names of what an agent works with: ``our cluster is called titan-07``, ``the tenant is
acme-prod-eu-west``, ``the queue named invoices``.

A kind of resource names its name. Behind "called" or "named" any rare word does; behind a mere "is"
only what no adjective is: three parts and more, an underscore, a number at the end, or quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..joining import JOINING, is_common
from ..name_parts import name_parts
from ..text_words import begins_of, seek, words_of

CALLED, IS = 0.75, 0.65
_KINDS = (
    "account bucket branch channel cluster collection container database dataset deployment device"
    " computer domain endpoint environment folder gateway group handle host hostname image index"
    " instance job laptop login machine mirror model namespace network nick nickname node"
    " partition pipeline pod principal printer profile project queue region"
    " registry release repo repository role router schema secret server service share site ssid"
    " stack subnet subscription table tag tenant topic user username vault vm volume workspace zone"
).split()
_REACH = 72  # characters before what is said in which the kind stands
_NAMING = "called|named|known as"
_SAYING = ("is", "was", "be", "been", *_NAMING.split("|"))
_SAID = re.compile(
    rf" (?:(?:is|was|be|been)(?: now| still)?(?P<called> (?:{_NAMING}))?|(?P<bare>{_NAMING})) "
    r"[\"'“‘`*]{0,2}(?P<value>[A-Za-z][A-Za-z0-9]{0,63}+(?:[-_.][A-Za-z0-9]{1,64}+){0,15}+)"
    r"(?P<more>(?(called)(?: [A-Z][A-Za-z0-9]{1,32}+){0,3}))"
    r"(?P<after>[\"'”’`*]{0,2})(?P<end>[.,;:!?)]?(?:\s|\Z))?"
)
# What is said of most things is no name: a word without joints that is short or not the last one.
_PLAIN = re.compile(
    rf" (?:is|was|be|been) (?!(?:now|still|{_NAMING}) )"
    r"(?:[A-Za-z]{1,5}+(?![A-Za-z\-_.\d])|[A-Za-z]++[^\S\n])"
)
_STARTS = {f" {said} ": said.split()[0].encode() for said in _SAYING}
seek(_STARTS.values())
_KIND_WORDS = frozenset(kind.encode() for kind in _KINDS)
_KIND = re.compile(
    rf"\b(?:{'|'.join(_KINDS)})(?: name| id)?"
    r"(?: (?:for|of|in|on|at|to) (?:[\w'’-]+ ){0,3}?[\w'’-]+)?"
    r"(?: (?:over )?t?here)?,?(?: that| which| will| has)?\Z",
    re.IGNORECASE,
)
# A name that somebody has somewhere: one rare word is enough, unless it says how the name is.
_OWN = re.compile(
    r"\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er) (?:[\w\-]+ )?"
    r"(?:handle|nick|nickname|username|user name|login|alias|screen name|gamertag|account name)"
    r"(?: (?:on|in|at|for) [\w'’-]+| (?:over )?there| here)?\Z"
)
_OWN_WORDS = frozenset(
    b"handle nick nickname username user login alias screen gamertag account".split()
)
_STATES = frozenset(
    "taken missing incorrect invalid wrong broken required unknown different unique empty private"
    " public secret visible changed correct simple boring random because banned blocked longer"
    " shorter easy difficult similar identical already perhaps probably simply really not".split()
)
_QUOTES = "\"'“‘`"


def resources(text: str) -> Iterator[Anchor]:
    """Names that a kind of resource is said to have."""
    present = words_of(text)
    if present.isdisjoint(_KIND_WORDS):
        return
    owned = not present.isdisjoint(_OWN_WORDS)
    last = 0
    for place in _starts(text):
        if place < last or _PLAIN.match(text, place):
            continue
        match = _SAID.match(text, place)
        if match is None:
            continue
        last = match.end()
        begin, end = match.span("value")
        end = match.end("more") if match["value"][0].isupper() else end
        quoted = text[begin - 1] in _QUOTES and bool(match["after"])
        if not quoted and match["end"] is None:
            continue
        confidence = _confidence(match["value"], bool(match["called"] or match["bare"]), quoted)
        if owned and not confidence and _is_own_name(match["value"], match["end"]):
            own = _OWN.search(text, max(0, match.start() - _REACH), match.start())
            confidence = IS if own else 0.0
        if not confidence:
            continue
        kind = _KIND.search(text, max(0, match.start() - _REACH), match.start())
        if kind:
            span = Span(kind.start(), begin)
            yield Anchor(span, Span(begin, end), confidence, "prose:resource", quoted)


def _starts(text: str) -> list[int]:
    """Where something may be said to be something or to have a name."""
    held = begins_of(text)
    begins = ((at - 1, said) for said, word in _STARTS.items() for at in held.get(word, ()) if at)
    return sorted(place for place, said in begins if text.startswith(said, place))


def _is_own_name(value: str, end: str | None) -> bool:
    """Whether a word is what somebody is called: rare, and at the end of what is said."""
    lower = value.lower()
    if end is None or (end.isspace() and end != "\n") or len(value) < 6:
        return False
    return not (is_common(lower) or lower in _STATES or lower in JOINING)


def _confidence(value: str, called: bool, quoted: bool) -> float:
    """How sure a word is a name; 0 when it is not."""
    if not called and value.isalpha():
        return 0.0  # most words behind "is"
    parts = name_parts(value)
    if not parts or max(map(len, parts)) < 3:
        return 0.0
    if called:
        return 0.0 if len(parts) == 1 and not quoted and is_common(value.lower()) else CALLED
    if quoted and len(parts) > 1:
        return CALLED
    named = "_" in value or len(parts) > 2 or (len(parts) > 1 and value[-1].isdigit())
    return IS if named else 0.0
