"""Places by several numbers in a row, in languages with spaces: ``5. vagon 12C``,
``вагон 7, место 21``, ``Wagen 12, Platz 45``, ``العربة 5 المقعد 12``, ``कोच B4 सीट 32``.

Each number has its noun, the last one may have none where it has a letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken

PLACE = 0.74
_REACH = 8  # characters of an ordinal before a noun
_NOUNS = (
    # Turkish, Russian
    "vagon|vagonu|koltuk|koltuğu|sıra|peron|kat|blok|kapı|raf|вагон|вагоне|место|места|ряд|ряду|купе"
    "|этаж|этаже|подъезд|подъезде|секция|секции|сектор|сектора|секторе|корпус|платформа|платформе|стеллаж"
    # German, French
    "|wagen|platz|sitz|reihe|gleis|ebene|parkdeck|stellplatz|etage|voiture|place|siège|rang|quai"
    "|niveau|allée|emplacement"
    # Spanish, Italian, Portuguese
    "|coche|vagón|asiento|plaza|fila|andén|planta|sector|puerta|carrozza|posto|binario|livello|settore"
    "|piano|carruagem|vagão|assento|lugar|andar|setor|bloco|piso"
    # Arabic, Hindi
    "|العربة|عربة|المقعد|مقعد|الصف|صف|الطابق|طابق|البوابة|الرصيف|القطاع|العمود|कोच|डिब्बा|डिब्बे|सीट|बर्थ|मंज़िल"
    "|मंजिल|प्लेटफ़ॉर्म|प्लेटफॉर्म|ब्लॉक|पंक्ति"
    # English
    "|coach|carriage|seat|row|bay|level|berth|aisle|shelf"
)
_MARK = r"(?: (?:no\.?|nr\.?|n[º°.]|№|رقم|नंबर|number))?:? "
_CODE = r"[A-ZА-Я]{0,2}-?\d{1,4}(?:-?[A-ZА-Яa-dأ-ي])?(?!\w|[.,:]\d)"
_ORDINAL = r"\d{1,3}(?:\.|-?(?:й|я|е|м|ю|ом|ый|ая)|º|ª|°|er|e|ème|th|st|nd|rd)? "
_NAMED = rf"(?:{_NOUNS})(?!\w)"
_AND = (
    r"(?:,? (?:и|ve|und|et|y|e|and|في) "
    r"|[,،]? (?:(?:в|на|am|im|in|in der|à la|nel|al|no|na) )?)"
)
_ROW = re.compile(
    rf"(?:{_ORDINAL}(?i:{_NAMED})(?:{_MARK}{_CODE})?|(?i:{_NAMED}){_MARK}(?:{_CODE}|[A-ZА-Я](?!\w)))"
    rf"(?P<more>(?:{_AND}(?:{_ORDINAL}(?i:{_NAMED})|و?(?i:{_NAMED}){_MARK}(?:{_CODE}|[A-ZА-Я](?!\w))))"
    rf"{{1,4}}|[,،]? (?:\d{{1,3}}-?[A-ZА-Я]|[A-ZА-Я]-?\d{{1,3}})(?!\w))"
)
_BEFORE = re.compile(r"(?<!\w)\d{1,3}(?:\.|-?[а-я]{1,2}|º|ª|°|er|e|ème|th|st|nd|rd)? \Z")
_SAID = re.compile(rf"(?i:{_NAMED})")
_BOOK = Book(phrase(noun, None) for noun in dict.fromkeys(_NOUNS.split("|")))


def numbered_places(text: str) -> Iterator[Anchor]:
    """Rows of two places and more."""
    last = 0
    for begin in sorted({begin for begin, _, _ in spoken(text, _BOOK)}):
        if begin < last:
            continue
        ordinal = _BEFORE.search(text, max(last, begin - _REACH), begin)
        row = _ROW.match(text, ordinal.start()) if ordinal else None
        row = row or _ROW.match(text, begin)
        if row and _differ(row.group()):
            last = row.end()
            value = Span(*row.span())
            yield Anchor(Span(value.start, value.start), value, PLACE, "prose:designator", True)


def _differ(row: str) -> bool:
    """Whether a row names different things: one of them several times is a list."""
    nouns = _SAID.findall(row)
    return len(nouns) < 2 or len({noun.lower() for noun in nouns}) > 1
