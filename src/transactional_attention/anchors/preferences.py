"""What somebody likes, needs or cannot have: ``I'm allergic to cashews``, ``she prefers oat milk``,
``我对花生过敏``. An assistant is told once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .joining import is_common, joins
from .register import is_message
from .spoken import Book, announced, phrase, spoken
from .text_words import has_letters

NEEDED, LIKED, TABOO = 0.66, 0.6, 0.61
_REFUSED = (
    *("allergic to", "intolerant to", "allergy to", "allergies to", "intolerance to"),
    *("alérgico a", "alérgica a", "alergia a", "alérgico al", "alérgica al", "allergique à"),
    *("allergique aux", "allergique au", "allergie à", "allergie aux", "allergisch gegen"),
    *("allergisch auf", "allergie gegen", "allergico a", "allergica a", "allergico ai"),
    *("allergica ai", "allergico alle", "allergica alle", "alérgico ao", "alérgica ao"),
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
_ARTICLE = r" (?:(?:an?|the|any|los|las|les|la|le|el|i|gli|l['’]) ?)?"
_WORDS = (
    rf"{_ARTICLE}(?P<value>[^\W\d_]{{3,20}}(?:(?: and | or |[ -])[^\W\d_]{{3,20}}){{0,2}}?)"
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
# Where the word for it stands behind.
_BEHIND = {
    "过敏": re.compile(r"对(?P<value>[\u4e00-\u9fff]{1,6})过敏"),
    "アレルギー": re.compile(
        r"(?:\A|[^\w]|は|も|が)(?P<value>[\u4e00-\u9fffァ-ヴー]{1,8})アレルギー"
    ),
    "알레르기": re.compile(r"(?P<value>[가-힣]{1,8})(?:에| )?\s?알레르기"),
    "alerji": re.compile(r"(?P<value>[^\W\d_]{3,20}) alerji(?:m|si)\b"),
    "एलर्जी": re.compile(r"(?P<value>[^\s।,.]{2,16}) से एलर्जी"),
    "حساسية": re.compile(r"حساسية (?:من|ضد) (?P<value>[\u0620-\u064a]{2,16})"),
}


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
    for word, pattern in _BEHIND.items():
        if has_letters(text, word) and word in text:
            for match in pattern.finditer(text):
                at = match.start("value")
                label = Span(match.start(), at)
                yield Anchor(label, Span(at, match.end("value")), NEEDED, "prose:preference", False)


def _is_said_of(value: str, sure: float) -> bool:
    """Whether words go on with the sentence; of many allergies two things may be named."""
    words = [word for word in re.split("[ -]", value.lower()) if word not in ("and", "or")]
    return any(map(joins if sure == NEEDED else is_common, words))
