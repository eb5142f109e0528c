"""Houses that somebody stays or meets at: ``it's called Pension Edelweiss``, ``si va
all'Agriturismo La Quercia Storta``, ``نزلنا في فندق النخيل``. Texts name many; one is kept where
its sentence speaks of a stay, a booking or a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken

STAY = 0.7
_REACH = 80  # characters before and after a house that speak of a stay
_HOUSES = (
    "pension|hotel|hostel|gasthof|gasthaus|agriturismo|albergo|locanda|hôtel|auberge|gîte|pousada"
    "|posada|hostal|parador|guesthouse|motel|trattoria|osteria|ristorante|restaurante|brasserie"
    "|gasthof zum|отель|отеле|гостинице|гостиница"
)
_JOIN = (
    r"(?:de|la|le|les|du|des|da|do|dos|del|della|dei|der|die|zum|zur|am|im|van|al|alla|[dl]['’])"
)
_WORD = r"[^\W\d_a-zà-ÿа-я][\w'’-]{0,24}"
_PART = rf"(?:{_JOIN} ?){{0,2}}{_WORD}"
_CAPITALS = re.compile(rf" (?:[«\"“][^»\"”\n]{{2,40}}[»\"”]|{_PART}(?: {_PART}){{0,3}})")
_STAYING = re.compile(
    r"\b(?:stay|staying|stayed|booked|booking|reserv\w+|check(?:ed|ing)? in|check-in|called|meet"
    r"|meeting|alojad\w+|alojamos|hospedad\w+|quedamos|llegamos|si va|andiamo|siamo|prenotat\w+"
    r"|deciso"
    r"|log(?:eons|és|ée)|réservé\w*|descend\w*|wohnen|wohne|gebucht|übernacht\w+|unterkunft|ficamos"
    r"|hospedamos|останов\w+|живём|живем|забронир\w+|номер|dinner|lunch|cena|dîner)\b",
    re.IGNORECASE,
)
_ARABIC = re.compile(
    r"(?P<value>فندق(?: ال?[\u0621-\u064a]{2,16}){1,3}?)"
    r"(?= (?:قرب|في|بجانب|على|من|أمام|خلف|وسط|مقابل)|[.،,\n]|\Z)"
)
_ARABIC_STAY = re.compile(r"نزلنا|حجزنا|الحجز|نقيم|أقيم|حجزت|سننزل|إقامتنا")
_EAST = re.compile(
    r"(?:[住订](?:在|了|的是)?(?P<zh>[\u4e00-\u9fff]{2,12}(?:酒店|宾馆|民宿|客栈))"
    r"|(?P<ja>[^\s、。「」はがにを]{2,14}(?:ホテル|旅館|民宿))(?=に泊|を予約|に宿泊|をとり|を取り)"
    r"|(?P<ko>[가-힣]{2,10}(?: [가-힣]{2,8})? ?(?:호텔|펜션|게스트하우스))"
    r"(?=(?:에|을|로|에서) ?(?:묵|예약|숙박|잡)))"
)
_WORDS = ("酒店", "宾馆", "民宿", "客栈", "ホテル", "旅館", "호텔", "펜션", "게스트하우스")
_LATIN = Book(phrase(house, None) for house in _HOUSES.split("|"))
_HOTEL = Book([phrase("فندق", None)])
_EASTERN = Book(phrase(word, None) for word in _WORDS)


def lodgings(text: str) -> Iterator[Anchor]:
    """Names of houses in sentences of a stay."""
    for begin, end, _ in spoken(text, _LATIN):
        match = _CAPITALS.match(text, end)
        if match and text[begin].isupper() and _stays(text, begin, match.end(), _STAYING):
            yield _anchor(begin, match.end())
    for begin, _, _ in spoken(text, _HOTEL):
        match = _ARABIC.match(text, begin)
        if match and _stays(text, begin, match.end(), _ARABIC_STAY):
            yield _anchor(*match.span("value"))
    for begin, end, _ in spoken(text, _EASTERN):
        for match in _EAST.finditer(text, max(0, begin - 20), end + 8):
            yield _anchor(*match.span(match.lastgroup or 0))


def _stays(text: str, begin: int, end: int, said: re.Pattern[str]) -> bool:
    """Whether the lines around a house speak of a stay."""
    before = text[max(0, begin - _REACH) : begin].rsplit("\n", 1)[-1]
    after = text[end : end + _REACH].split("\n", 1)[0]
    return bool(said.search(before) or said.search(after))


def _anchor(begin: int, end: int) -> Anchor:
    return Anchor(Span(begin, begin), Span(begin, end), STAY, "prose:lodging", True)
