"""Days of the week with a clock behind them: ``в пятницу в 9:50``, ``quinta, dia 8, às 14h30``,
``الثلاثاء 17 شباط الساعة 9:45 صباحًا``, ``शुक्रवार को सुबह 9:50 बजे``, ``周五15:30``,
``金曜の午後3時``, ``금요일 오후 3시``. They are one value; stories seldom tell the minute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...types import Anchor, Span
from .. import clock_words as clock
from ..notations import CLOCK, HALF, MONTHS
from ..spoken import Book, phrase, spoken

MOMENT = 0.59  # under a written moment, which may begin before the weekday
_NAMES = (
    "lunes|martes|miércoles|jueves|viernes|sábado|domingo|lundi|mardi|mercredi|jeudi|vendredi"
    "|samedi|dimanche|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|lunedì"
    "|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta"
    "|понедельник|вторник|среда|среду|четверг|пятница|пятницу|суббота|субботу|воскресенье|الاثنين"
    "|الإثنين|الأحد|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार"
    "|रविवार|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar"
)
_DAY = (
    r"(?:,? (?:(?:den|dem|le|il|el|o|dia|día|the|am) )?\d{1,2}(?:\.|º|°|er|-го)?"
    rf"(?:\.\d{{1,2}}\.?|/\d{{1,2}}| (?:de |du )?(?:{MONTHS}))?(?: (?:de )?20\d\d)?(?![\d:.h]))?"
)
_AT = (
    r"(?:,? (?:at|в|às|a las|a la|alle ore|alle|ore|à|um|gegen|ab|с|около|kl\.?|saat|günü saat"
    r"|günü|الساعة|عند الساعة|على الساعة|في الساعة|को))?(?: (?:सुबह|शाम|दोपहर|रात)(?: के)?)?,? "
)
_SPACED = re.compile(
    rf"(?:-feira)?(?i:{_DAY}){_AT}(?:\d{{1,2}}(?::\d\d)? बजे|{CLOCK}|{clock.ABROAD})"
    r"(?: (?:morgens|abends|nachmittags|früh|утра|вечера|дня|de la (?:mañana|tarde|noche)"
    r"|da (?:manhã|tarde|noite)|du (?:matin|soir)))?(?!\w|[.:]\d)"
)
_WIDE = re.compile(
    rf"[一二三四五六日天]?(?:日)?の? ?(?:{HALF})? ?"
    rf"(?:{clock.HAN}|{clock.HANGUL}|\d{{1,2}}[:：]\d\d(?!\d))"
)
_WIDE_BEFORE = {
    "周": r"(?:下个?|本|这)?周",
    "星期": r"(?:下个?|本|这)?星期",
    "礼拜": r"(?:下个?|本|这)?礼拜",
    "曜": r"(?:(?:\d{4}年)?\d{1,2}月\d{1,2}日の?|来週の?|今週の?)?[月火水木金土日]曜",
    "요일": r"(?:\d{1,2}월 ?\d{1,2}일 ?|다음 ?주 ?|이번 ?주 ?)?[월화수목금토일]요일",
}
_REACH = 16  # characters of a day before what ends it
_Form = tuple[re.Pattern[str] | None, re.Pattern[str]]
"""What stands before the end of a day's name, or None where the name is whole; what follows."""


def _forms() -> Iterator[tuple[str, _Form]]:
    yield from ((name, (None, _SPACED)) for name in _NAMES.split("|"))
    for sign, before in _WIDE_BEFORE.items():
        yield sign, (re.compile(rf"(?:{before})\Z"), _WIDE)


_BOOK: Book[_Form] = Book(phrase(said, form) for said, form in _forms())


def weekday_clocks(text: str) -> Iterator[Anchor]:
    """Anchors of days with their clocks."""
    for begin, end in days_with_clocks(text):
        yield Anchor(Span(begin, begin), Span(begin, end), MOMENT, "shape:moment", True)


@lru_cache(maxsize=1)
def days_with_clocks(text: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of weekdays with a clock behind them, in order."""
    found = []
    for begin, end, (before, behind) in spoken(text, _BOOK):
        match = behind.match(text, end)
        if match is None:
            continue
        if before is None:
            found.append((begin, match.end()))
        else:
            day = before.search(text, max(0, begin - _REACH), end)
            found += [(day.start(), match.end())] if day else []
    return tuple(sorted(found))
