"""Numbers that tell one thing of many apart: ``it's in locker 31``, ``Treffpunkt Gleis 11``,
``ячейка 64``, ``3番線``. Such a number is short, so the noun must be one that is not counted in
prose, as tables and pages are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, announced, phrase, spoken
from .register import is_message

PLACED, WHOLE = 0.68, 0.6
_REACH = 24  # characters before a noun that say that somebody or something is there
_BARE = (
    "locker|gate|platform|track|berth|cabin|stall|bay|pier|dock|desk|booth|room|suite|apartment"
    "|flat|terminal|bin|shelf|aisle|cubicle|ward|slot|storage unit|mailbox|po box|valve|breaker"
    "|fuse|rack|meeting room|parking space|parking spot|pitch|seat|counter|drawer|pallet|hangar"
    "|extension|cone|plot|stand|hall|court|lane|bus|tram"
)
_THERE = re.compile(
    r"(?:\b(?:in|at|to|from|is|was|it's|it’s|use|take|now|into|on|near|bed|open|opened|have|got|me)"
    r"(?: the| our| my| your| his| her| their)?|[:;(–—]|\A|\n) ?\Z",
    re.IGNORECASE,
)
_SEATED = (
    "we're at table|we’re at table|you're at table|it's table|it’s table|sit at table"
    "|seated at table|moved to table|reserved table|booked table|have table"
)
_FOREIGN = (
    "gleis|bahnsteig|zimmer|schließfach|spind|stellplatz|raum|tisch|box|halle|quai|voie|porte"
    "|chambre|casier|consigne|andén|vía|puerta|habitación|mesa|taquilla|asiento|plaza|binario"
    "|tavolo|camera|armadietto|sportello|posto|valvola|plataforma|portão|quarto|armário|assento"
    "|ячейка|ячейке|ячейку|ячейки|путь|платформа|платформе|комната|кабинет|кабинете|место|стол"
    "|стойка|выход|палата|oda|odası|kapı|peron|masa|dolap|koltuk|الغرفة|غرفة|البوابة|الرصيف|خزانة|المقعد|مقعد|العمود|الشقة|شقة|الطاولة"
    "|कमरा|कमरे|प्लेटफ़ॉर्म|प्लेटफॉर्म|गेट|सीट|लॉकर"
)
_NUMBER = re.compile(
    r"(?: (?:number|no\.?|nr\.?|num\.?|n[.]?[º°]|№|numéro|número|nummer|numero|номер|numaralı|رقم"
    r"|नंबर|संख्या))?(?: is| es| ist| è| é| est)?(?::? ?#|:? )"
    r"(?P<value>(?:[A-Z]{1,2}-?)?\d{1,4}(?:\.\d{1,3})?(?:-?[A-Za-zА-Яأ-ي](?!\w))?)"
    r"(?=[.;!?)\]\"'”»،。、]|,(?!\d)|:(?!\d)|\s*(?:\n|\Z)| [–—(-]"
    r"| (?:and|by|at|on|in|for|with|near|next|until|when|is|was|now|please|behind|beside|under|to"
    r"|alle|alla|um|às|gegen|dopo|prima|antes|después|vor|nach|après|avant|before|after|от|до|à"
    r"|und|am|an|im|bei|ist|auf|et|à|au|près|est|y|en|al|a|e|è|di|vicino|no|na|perto|и|на|в|у|возле"
    r"|ve|في|بجانب|قرب|عند|أمام|خلف|में|पर)\b)"
)
_WING = re.compile(r"(?<!\w)[A-Z]-\Z")  # C-Bay 14
_LOOSE = re.compile(r" (?P<value>[A-Z]?\d{1,4}[A-Za-z]?)(?= [a-z]|[.,;!?]\s)")
_COUNTERS = (
    "番線|番ホーム|番窓口|番ロッカー|番ゲート|番搭乗口|番テーブル|号室|号线|号柜|号门|号桌|号站台|号窗口"
    "|号车厢|号登机口|号柜子|번 출구|번 게이트|번 창구|번 홈|번 승강장|번 락커|번 사물함"
    "|번 테이블|번 보관함|호실"
)
_BEFORE_COUNTER = re.compile(r"\d{1,4}[A-Za-z]?(?:-[A-Z])?(?![\d.])")  # read backwards
_PORTS = Book(
    phrase(said, None)
    for said in "端口|番ポート|ポート|번 포트|포트|portunda|portundan|portuna|portunu".split("|")
)
_PORT = re.compile(r"\s?\d{3,5}(?![A-Za-z\d.,:-])")  # read backwards
_OPENED = Book(
    phrase(said, None)
    for said in (
        "puerto|porta|порт|порту|порта|портом|المنفذ|منفذ|पोर्ट|über port|auf port|le port"
    ).split("|")
)
_OPENS = re.compile(
    r"(?: n[.º°]?| número| numéro| номер| رقم| नंबर)? (?P<value>\d{4,5})(?![\w:/]|[.,]\d)"
)
_NOUNS = Book(
    [
        *(phrase(noun, True) for noun in _BARE.split("|")),
        *(phrase(noun, False) for noun in f"{_SEATED}|{_FOREIGN}".split("|")),
    ]
)
_TAILS = Book(phrase(tail, None) for tail in _COUNTERS.split("|"))


def designators(text: str) -> Iterator[Anchor]:
    """Short numbers beside nouns for places and things that stand in rows."""
    for begin, end, placed in spoken(text, _NOUNS):
        match = _NUMBER.match(text, end) or _LOOSE.match(text, end)
        begin -= 2 if match and _WING.search(text, max(0, begin - 3), begin) else 0
        if match is None:
            continue
        there = match.re is _NUMBER and (
            not placed or _THERE.search(text, max(0, begin - _REACH), begin)
        )
        if not there and not is_message(text, begin, match.end()):
            continue
        yield announced(begin, match, PLACED, "prose:designator", delimited=False)
        whole = Span(begin, match.end("value"))  # with its noun, of which the number is a part
        yield Anchor(Span(begin, begin), whole, WHOLE, "prose:designator", True)
    for begin, end, _ in spoken(text, _TAILS):
        number = _BEFORE_COUNTER.match(text[max(0, begin - 8) : begin][::-1])
        if number:
            value = Span(begin - number.end(), end)
            yield Anchor(Span(value.start, value.start), value, PLACED, "prose:designator", True)
    for begin, end, _ in spoken(text, _PORTS):
        number = _PORT.match(text[max(0, begin - 8) : begin][::-1])
        if number:
            value = Span(begin - number.end(), begin - (number.group()[0] == " "))
            yield Anchor(Span(begin, end), value, PLACED, "prose:designator", False)
    for begin, end, _ in spoken(text, _OPENED):
        match = _OPENS.match(text, end)
        if match:
            yield announced(begin, match, PLACED, "prose:designator", delimited=False)
