"""What somebody likes, needs or cannot have: ``I'm allergic to cashews``, ``she prefers oat milk``,
``我对花生过敏``. An assistant is told once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..joining import is_common, joins
from ..spoken import Book, announced, phrase, spoken
from .register import is_message

NEEDED, LIKED, TABOO = 0.66, 0.6, 0.61
_REFUSED = (
    *("have anything with", "take anything with", "eat anything with", "anything containing"),
    *("react badly to", "reacts badly to", "allergic against"),
    *("allergic to", "intolerant to", "allergy to", "allergies to", "intolerance to"),
    *(f"alérgic{end} {to}" for end in "oa" for to in ("a", "al", "ao", "à", "aos", "às")),
    *(f"intolerante {to}" for to in ("a", "al", "ao", "à")),
    *(f"alergia {to}" for to in ("a", "al", "ao", "à", "aos", "às")),
    *(f"{said} {to}" for said in ("allergique", "allergie") for to in ("à", "au", "aux")),
    *(
        f"{said} {to}"
        for said in ("allergico", "allergica", "allergia", "intollerante")
        for to in ("a", "al", "alla", "all", "ai", "agli", "alle")
    ),
    *("allergisch gegen", "allergisch auf", "allergie gegen", "vertrage kein", "vertrage keine"),
    *("vertrage keinen", "verträgt kein", "verträgt keine", "verträgt keinen"),
    *("непереносимость",),
    *("аллергия на", "аллергией на"),
)
_TABOO = (
    "can't have",
    "can’t have",
    "cannot have",
    "mustn't have",
    "mustn’t have",
    "must not have",
)
_LIKING = tuple(
    f"{who} {verb}"
    for who, verbs in (
        ("i", "prefer|always take|only drink|only eat|don't eat|don’t eat|can't eat|can’t eat"),
        ("we", "prefer|don't eat|don’t eat|only drink|only eat"),
        ("she", "prefers|only drinks|only eats|doesn't eat|doesn’t eat|can't eat|can’t eat"),
        ("he", "prefers|only drinks|only eats|doesn't eat|doesn’t eat|can't eat|can’t eat"),
        ("they", "prefer|don't eat|don’t eat|only drink|only eat"),
    )
    for verb in verbs.split("|")
)
_DIETS = Book(
    phrase(word, None)
    for word in (
        "vegetarian|vegan|pescatarian|coeliac|celiac|diabetic|kosher|halal|lactose intolerant"
        "|lactose-intolerant|gluten-free|ab negative|ab positive|o negative|o positive"
        "|b negative|b positive|a negative|a positive|left-handed"
        "|colour-blind|color-blind|colourblind"
    ).split("|")
)
_BEING = re.compile(
    r"\b(?:i['’]m|i am|(?:he|she|they|who|it|\w{2,16})(?:['’]s|['’]re| is| are))(?: (?:also|now|all"
    r"|strictly|a))? \Z",
    re.IGNORECASE,
)
_ARTICLE = r"(?:['’]| )(?:(?:an?|the|any|los|las|les|la|le|el|i|gli) |l['’])?"
_WORDS = (
    rf"{_ARTICLE}(?P<value>[^\W\d_]{{3,20}}(?:(?: and | or | (?:de |di |do |da |d['’])"
    rf"|[ -])[^\W\d_]{{3,20}}){{0,2}}?)"
    r"(?=[\"'”’»]?(?:[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:and|but|because|so|if|when|on|in|for|at|y|et|und|e|и|please)\b| [–—-] ))"
)
_THING = re.compile(_WORDS)
_BOOK = Book(
    [
        *(phrase(said, NEEDED) for said in _REFUSED),
        *(phrase(said, TABOO) for said in _TABOO),
        *(phrase(said, LIKED) for said in _LIKING),
    ]
)


def preferences(text: str) -> Iterator[Anchor]:
    """What sentences say that somebody likes, needs or cannot have."""
    for begin, end, sure in spoken(text, _BOOK):
        match = _THING.match(text, end)
        if sure == TABOO and not is_message(text, begin, end):
            continue
        if match and not _is_said_of(match["value"], sure):
            yield announced(begin, match, sure, "prose:preference", delimited=False)
    for begin, end, _ in spoken(text, _DIETS):
        if _BEING.search(text, max(0, begin - 40), begin) and is_message(text, begin, end):
            yield Anchor(Span(begin, begin), Span(begin, end), NEEDED, "prose:preference", False)


def _is_said_of(value: str, sure: float) -> bool:
    """Whether words go on with the sentence; of many allergies two things may be named."""
    words = [word for word in re.split("[ -]", value.lower()) if word not in ("and", "or")]
    return any(map(joins if sure == NEEDED else is_common, words))
