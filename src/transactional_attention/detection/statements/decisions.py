"""What people decided for: ``so we go with Postgres``, ``agreed on trunk-based development``,
``nous avons choisi Kotlin``, ``最终采用方案乙``.

The words of a decision stand right before it. It is a name with a capital where sentences have
none, words that a hyphen joins, or one letter or number of several options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..name_parts import name_parts
from ..spoken import Book, phrase, spoken
from ..text_words import has_letters

DECIDED = 0.66
_OPTION = (
    r"(?:[Oo]ption|[Vv]ariante?|[Pp]lan|[Pp]roposal|[Dd]esign|[Oo]pción|[Oo]pzione|[Oo]pção"
    r"|[Ee]ntwurf|[Вв]ариант|[Vv]orschlag) [A-Z\d]{1,2}"
)
_DAYS = (
    "(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August"
    "|September|October|November|December)"
)
_WORD = r"[A-Z][A-Za-z]{2,19}(?:[.\d][A-Za-z\d]{1,8}|[+#]{1,2})?"
_NAME = rf"{_DAYS}{_WORD}(?: [A-Z\d][A-Za-z\d]{{0,15}}){{0,2}}"
_HYPHENED = r"[a-z]{3,16}(?:-[a-z]{3,16}){1,3}"
_END = (
    r"(?=[\"'”»`*]{0,2}(?:[.,;:!?)](?:\s|\Z)|\s*(?:\n|\Z)| (?:then|for|as|instead|because|over|in"
    r"|on|and|at|from|development|deployments?|releases?|para|por|en|pour|dans|für|im|per|nel|no|na"
    r"|для|в|[—–(-])))"
)
_BEFORE = r":? ?[\"'“«`*]{0,2}"
_SAID = re.compile(rf"{_BEFORE}(?P<value>{_OPTION}|{_NAME}|{_HYPHENED}){_END}")
_WIDE_SAID = re.compile(
    r"[“「\"]?(?P<value>方案[甲乙丙丁一二三四\dA-Z]|[A-Z][A-Za-z]{2,19}[\d.]{0,6})(?![A-Za-z\d])"
)
# What stands before it; behind the German ones, where all nouns have capitals, an option does.
_DECIDING = (
    "we go with|we'll go with|we’ll go with|we will go with|we're going with|we’re going with"
    "|we are going with|we went with|let's go with|let’s go with|stick with|sticking with"
    "|decided on|decide on|settled on|settle on|agreed on|agree on|voted for|opted for|decided for"
    "|decided:|decision:|decidido:|entscheidung:|beschluss:|décision :|decisión:|decisione:"
    "|решение:|решили:|decidimos usar|decidimos usar o|decidimos usar a|decidimos usar el"
    "|optamos por|quedamos con|hemos elegido|elegimos|escolhemos|abbiamo scelto|avons choisi"
    "|opté pour|optons pour|выбрали|остановились на|решили использовать"
).split("|")
# Where something runs: a name of three parts and more, as machines and their groups have.
_PLACED = re.compile(
    rf"{_BEFORE}(?P<value>[a-z][a-z0-9]{{1,15}}(?:(?:-[a-z0-9]{{1,16}}){{2,4}}"
    r"|/[a-z0-9]{2,16}(?:-[a-z0-9]{1,16}){1,4}))(?![\w-]|\.\w)"
)
_PLACING = (
    "sits on|sitting on|push to|pushed to|rebase onto|rebased onto|runs on|run on|running on"
    "|ran on|lives on|live on|moved to|moves to|moving to|hosted on"
    "|deployed to|deploy to|deployed on|deploying to|ssh to|ssh into|log in to|logged in to"
    "|connect to|connected to|switch to|switched to|pointed at|points to|failed over to|läuft auf"
    "|corre en|tourne sur|gira su|roda em"
).split("|")
_GERMAN = ("uns für", "uns auf", "nehmen wir", "wir nehmen")
_WIDE = ("决定用", "决定采用", "采用", "选定", "选择了", "就用")
_ONLY_OPTION = re.compile(rf"{_BEFORE}(?P<value>{_OPTION}){_END}")
_PHRASES = [
    phrase(said, pattern)
    for phrases, pattern in (
        (_DECIDING, _SAID),
        (_GERMAN, _ONLY_OPTION),
        (_WIDE, _WIDE_SAID),
        (_PLACING, _PLACED),
    )
    for said in phrases
]
_BOOK = Book(_PHRASES)
_ENDINGS = (
    "ile yaz|ile devam|ile gid|kullanacağız|seçtik|に決め|を採用|로 결정|로 정|을 선택|를 선택"
).split("|")
_LAST = re.compile(
    rf"(?P<value>{_WORD})"
    r"(?:['’]?[a-zıü]{1,3})? ?(?:ile (?:yaz|devam ed|gid)\w{2,12}|kullanacağız|seçtik"
    r"|に決め\w+|を採用|로 (?:결정|정)|을 선택|를 선택)"
)


def decisions(text: str) -> Iterator[Anchor]:
    """Names that a decision was made for."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match and _is_name(match["value"]):
            yield _anchor(begin, match)
    if any(has_letters(text, ending) and ending in text for ending in _ENDINGS):
        for match in _LAST.finditer(text):
            yield _anchor(match.start(), match)


def _anchor(place: int, match: re.Match[str]) -> Anchor:
    value = Span(*match.span("value"))
    return Anchor(Span(place, value.start), value, DECIDED, "prose:decision", False)


def _is_name(value: str) -> bool:
    """Whether words joined by hyphens are no phrase of a sentence; capitals always are a name."""
    return not value[0].islower() or bool(name_parts(value))
