"""When something leaves, opens or begins, told in words: ``el tren sale a las siete y media``,
``明天下午四点半出发``, ``회의는 내일 오후 세 시 반``, ``le car part à 16 h 50``.

The sentence says what happens then, and the value holds the day that stands beside the clock. What
a story tells of its evenings is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from .. import clock_words as clock
from ..candidates import candidates
from ..spoken import Book, phrase, spoken
from ..weekdays import NAMES
from .sentence import sentence

MOMENT = 0.66
_REACH = 80  # characters of a sentence around a clock that say what happens then
_DAY_REACH = 40  # characters before a clock that hold its day
_EVENTS = re.compile(
    r"\b(?:leaves|departs|we meet|let['’]s meet|meeting|appointment|starts|begins|closes|opens"
    r"|pick"
    r"|boarding|doors|deadline|is due|will be|interview|see you|sale|salimos|quedamos|reunión|cita"
    r"|empieza|cierra|abre|nos vemos|recog\w+|part|partons|départ|rendez-vous|rdv|réunion|commence"
    r"|retrouv\w+|ferme|ouvre|on se voit|fährt|abfahrt|treff\w*|termin|sitzung|beginnt|schließt"
    r"|öffnet|abgeholt|besprechung|parte|partenza|ci vediamo|riunione|appuntamento|inizia|chiude"
    r"|apre|sai|saída|reunião|encontr\w+|começa|fecha|consulta|отходит|отправл\w+|встреч\w+"
    r"|собрание|начин\w+|закрыва\w+|открыва\w+|приём|совещание|вылет\w*|toplantı\w*|kalk\w+"
    r"|buluş\w+"
    r"|randevu\w*|başl[ıa]\w*|kapan\w+|açıl\w+)\b"
    r"|الاجتماع|يغادر|تغادر|موعد|نلتقي|يبدأ|تبدأ|يفتح|يغلق|ينطلق|تنطلق"
    r"|बैठक|मिल|छूट|शुरू|उड़ान|बंद|खुल|निकल|अपॉइंटमेंट"
    r"|出发|会议|开会|集合|见面|航班|起飞|发车|签约|发布会|开始|截止|关门|开门|面试|预约|定在"
    r"|改到|碰头|复查|手术|体检"
    r"|会議|出発|に出|待ち合わせ|開始|始ま|予約|面談|締め切り|締切|発です|集まり|手術|検査|診察|日程"
    r"|회의|출발|만나|모임|시작|예약|면접|마감|탑승|봐요|뵙|수술|검사|진료",
    re.IGNORECASE,
)
_NUMERAL = "[一二三四五六七八九十]{1,3}"
_WIDE_DAY = (
    rf"(?:(?:\d{{4}}年)?(?:\d{{1,2}}|{_NUMERAL}|[正冬腊])月(?:(?:\d{{1,2}}"
    rf"|{_NUMERAL})[日号]|初{_NUMERAL})(?:[（(].{{1,3}}[）)])?"
    r"|明天|后天|今天|今晚|明晚|(?:下个?|本|这)?(?:周|星期|礼拜)[一二三四五六日天]|明日|明後日"
    r"|今日|明朝"
    r"|(?:来週の?|今週の?)?[月火水木金土日]曜日?|(?:(?:\d{4}년 ?)?\d{1,2}월 ?)?\d{1,2}일|내일|모레"
    r"|오늘"
    r"|(?:다음 ?주 ?|이번 ?주 ?)?[월화수목금토일]요일|कल|परसों|आज|(?:सोम|मंगल|बुध|गुरु|शुक्र|शनि"
    r"|रवि)वार"
    r"|\d{1,2} [\u0900-\u097f]{2,8})(?: ?को)?の? ?\Z"
)
_SPACED_DAY = (
    rf"\b(?:{NAMES}|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|mañana|demain"
    r"|morgen|domani|amanhã|завтра|yarın|غدا|heute|hoy|aujourd['’]hui|oggi|hoje|сегодня|bugün)"
    r",?(?: (?:at|a|à|à la|um|às|alle|в|saat|a las?|(?:في )?الساعة|gegen|vers|verso|около))?"
    r"(?: a)? \Z"
)
_DAYS = (re.compile(_WIDE_DAY), re.compile(_SPACED_DAY, re.IGNORECASE))
_AT = "at "
_TELLING = (
    ("上午|下午|晚上|早上|中午|傍晚|凌晨|清晨|午前|午後|夕方|朝|夜"
     "|昼", rf"の? ?(?P<value>{clock.HAN})", True),
    ("오전|오후|저녁|아침|밤|새벽|낮", rf" ?(?P<value>{clock.HANGUL})", True),
    ("सुबह|शाम|दोपहर|रात|सवेरे", rf" (?:के )?(?P<value>{clock.HINDI}"
     rf"|\d{{1,2}}(?::\d\d)? बजे)", True),
    ("a las|a la", rf" (?P<value>{clock.SPANISH})\b(?<! una)(?! (?:veces|personas|mesa))", False),
    ("à|vers|dès", rf" (?P<value>{clock.FRENCH})", False),
    ("um|gegen", rf" (?P<value>{clock.GERMAN})\b", False),
    ("alle", rf" (?P<value>{clock.ITALIAN})\b", False),
    ("às", rf" (?P<value>{clock.PORTUGUESE})\b", False),
    ("в|около|к|на|встреча|сбор", rf" (?P<value>{clock.RUSSIAN})\b", False),
    ("saat", rf" (?P<value>{clock.TURKISH})", False),
    ("الساعة", rf" (?P<value>{clock.ARABIC})", False),
    ("half past|quarter past|quarter to", rf"(?P<value> {clock.ENGLISH})\b", True),
    ("at ten|at twenty|at five|at twenty-five", 
     rf"(?P<value> (?:past|to) {clock.ENGLISH})\b", True),
)  # fmt: skip
_BOOK = Book(
    phrase(said, (re.compile(rest), wide))
    for words, rest, wide in _TELLING
    for said in words.split("|")
)


def moments(text: str) -> Iterator[Anchor]:
    """Clocks in words, with their days, in sentences that say what happens then."""
    for begin, end, (pattern, wide) in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match is None:
            continue
        start = begin if wide else match.start("value")
        start += len(_AT) if wide and text.startswith(_AT, start) else 0
        for day in _DAYS:
            dated = day.search(text, max(0, start - _DAY_REACH), start)
            start = dated.start() if dated else start
        if _EVENTS.search(text, *sentence(text, start, match.end(), _REACH)):
            value = _whole(text, start, match.end("value"))
            yield Anchor(Span(value.start, value.start), value, MOMENT, "prose:moment", True)


def _whole(text: str, begin: int, end: int) -> Span:
    """A clock with the date that stands before it, where both are one written moment."""
    for first, last, composite in candidates(text):
        if composite and first < end and begin < last:
            begin, end = min(begin, first), max(end, last)
    return Span(begin, end)
