"""Days on which something is due, or to which it is moved: ``the deadline is 3 March 2026``, ``la
reunión se aplazó al 12 de noviembre de 2026``, ``the lease expires on May 4, 2027``.

Texts are full of days. One is kept where a verb of a term stands before it, or the name of a term
or of an event and a copula, and its year is no past one, or none is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..candidates import candidates
from ..corrections import retracted
from ..notations import MONTHS, written
from ..text_words import lowered, may_hold, places, words_of
from ..weighing import weighed
from .register import is_message

TERM = 0.66
_REACH = 72  # characters before a day that say what falls on it
_YEAR = re.compile(r"20[2-9]\d(?!\d)")
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb"
    "|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec"
)
# Around a year: a month and a day before it, or both behind it as computers write them.
_MONTH_FIRST = re.compile(rf"\b(?:{_MONTHS})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \Z")
_NO_CLOCK = re.compile(r"(?!,? at \d|-)")
_ISO = re.compile(r"-\d\d-\d\d(?![\w\-:/]|[T ]\d)")
_LONGEST = 20  # characters of a month and a day
_JOINED = frozenset("-/._0123456789")
# What happens to a term, or on it, and the words between that and the day.
_VERBS = (
    "moved|postponed|pushed(?: back| out)?|put back|brought forward|rescheduled|extended|shifted"
    "|delayed|deferred|adjourned|scheduled|planned|due|expires|expire|expiring|valid|lapses|ends"
    "|starts|begins|opens|closes|renews|effective|slipped|deadline|no later than"
    "|warranty|guarantee|contract|lease|subscription|shuts|close|leave|leaves|leaving|arrive|arrives"
    "|arriving|back|return|returns|returning|see you|meet|meets|booked|reserved|check in|check out"
    "|move in|move out|moving in|moving out|pick up|ships"
    "|delivered|flies|flying|renews itself|se renueva"
    "|vence|caduca|expira|finaliza|termina|empieza|comienza|aplaz(?:ad[oa]|ó|a)|pospuest[oa]"
    "|retras(?:ad[oa]|ó)|adelantad[oa]|trasladad[oa]|fijad[oa]|previst[oa]|programad[oa]|plazo"
    "|échéance|expire|reportée?s?|repoussée?s?|avancée?s?|fixée?s?|prévue?s?|décalée?s?|déplacée?s?"
    "|commence|finit|verschoben|verlegt|vertagt|fällig|gültig|endet|beginnt|startet|spätestens"
    "|vorgezogen|angesetzt|läuft|frist|scade|scadenza|rinviat[oa]|spostat[oa]|anticipat[oa]"
    "|posticipat[oa]|fissat[oa]|inizia|finisce|entro|adiad[oa]|marcad[oa]|antecipad[oa]"
    "|remarcad[oa]|prazo|começa|перен[её]с\\w*|перенос\\w*|назначен\\w*|истекает|действу\\w+"
    "|действител\\w+|не позднее|начин\\w+|заканчива\\w+|срок|дедлайн|ينتهي|تأجيل|موعد"
)
_FILL = (
    "to|for|on|by|until|till|from|as of|is|now|at|noon|midnight|the|el|al|para"
    "|del|a|es|día|hasta|le|au|pour|est|du|jusqu['’]au|auf|den|der|am|zum"
    "|ist|bis|ab|il|per|è|in data|em|o|é|dia|até|на|до|с|إلى|في|يوم"
)
_NAMES = (
    "deadline|(?:due|delivery|closing|start|end|launch|release|move-in|expiry|expiration|renewal"
    "|exam|target) date|appointment|hearing|interview|inspection|cut-?off|code freeze|go-live"
    "|meeting|exam|wedding|party|birthday|anniversary|surgery|operation|workshop|review|demo|flight"
    "|reunión|examen|boda|cumpleaños|réunion|mariage|anniversaire|prüfung|hochzeit|geburtstag|treffen"
    "|besprechung|umzug|esame|matrimonio|compleanno|riunione|prova|casamento|aniversário|reunião"
    "|экзамен|встреча|свадьба|приём|собрание"
    "|fecha|cita|entrega|rendez-vous|livraison|date limite|termin|abgabetermin|stichtag"
    "|liefertermin|abgabe|consegna|appuntamento|data limite|срок|дата|الموعد"
)
_COPULA = "is|was|will be|falls on|remains|es|será|est|sera|ist|è|é|—|–|:|هو|النهائي"
_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_VERBS})(?:,? (?:{_FILL})){{0,3}}"
    rf"|(?:{_NAMES})(?: [\w'’-]{{1,16}}){{0,4}}? ?(?:{_COPULA})(?: (?:{_FILL})){{0,3}}"
    r"|(?:vade|teslim tarihi|son tarih|son gün)):? \Z"
)

# A day and its month, or the other way round, that no year follows.
_NO_YEAR = r"(?!,? (?:de |del )?\d{4}|\w)"
_MONTH_BEHIND = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th|\.|º|°|er)? (?:de |of )?(?:{MONTHS}){_NO_YEAR}"
    r"(?!,? (?:at|um|à) \d)"
)
_MONTH_BEFORE = re.compile(rf"\b(?:{_MONTHS})\.? \Z")
_ENDS = frozenset((".", *(name[-1] for name in _MONTHS.split("|"))))
_NUMBER = re.compile(rf"\d{{1,2}}(?:st|nd|rd|th)?(?![\d:/-]|\.\d){_NO_YEAR}(?!,? at \d)")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)\b(?! (?:century|of|floor|street|avenue))")
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?\Z")
# The name of a day alone: only of a term, or of what was moved to it.
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SOON = re.compile(r" (?:txen|siht|gnimoc)(?!\w)")  # read backwards
_IN_A_DATE = re.compile(rf"s\b|['’\w]|,? (?:the )?\d|,? (?:{MONTHS})")
_ON = re.compile(r"(?<!\w)(?:on|every) \Z")
_WEEKDAY_BEFORE = re.compile(
    r"(?<!\w)(?:moved|postponed|pushed(?: back| out)?|put back|brought forward|rescheduled|shifted"
    rf"|due)(?: (?:{_FILL})){{0,3}} \Z"
    rf"|(?<!\w)(?:{_NAMES})(?: [\w'’-]{{1,16}}){{0,4}}? ?(?:is|will be|—|–|:)"
    rf"(?: (?:{_FILL})){{0,3}} \Z"
)
_EASTERN = re.compile(
    r"(?:締切|締め切り|〆切|期限|納期|会議|予定日|出発|到着|開始|終了|마감|기한|회의|납기|출발|도착|시작|일정"
    r"|예약|截止|会议|出发|到达|开始|交付|定于|改到|推迟到|延期到)[^\n。]{0,12}\Z"
)
_CALENDAR = frozenset(
    b"jan january janeiro janvier januar feb february febrero febbraio februar fevereiro mar march"
    b" marzo mars apr april aprile abril avril may mayo maio maggio mai jun june junio junho juni"
    b" giugno juin jul july julio julho juli luglio juillet aug august agosto sep sept september"
    b" septiembre septembre setembro settembre setiembre oct october octubre octobre outubro"
    b" ottobre oktober okt nov november noviembre novembre novembro dec december diciembre dezembro"
    b" dicembre dezember dez enero gennaio ocak nisan haziran temmuz ekim monday tuesday wednesday"
    b" thursday friday saturday sunday".split()
)
_CALENDAR |= {f"{name}s".encode() for name in _WEEKDAYS}
_COPULA_BEFORE = re.compile(r"(?:it's|it’s|it is|is now|es|ist|è|é|c'est|c’est|это)(?: on)? \Z")
_SHORT_REACH = 12
_ANYTHING = re.compile(r"\Z")
_UNSPACED = (_EASTERN, _ANYTHING)  # the others end with a space
_SHORT = 4  # characters of the number of a day


def terms(text: str) -> Iterator[Anchor]:
    """Days behind what says that something is due or falls on them."""
    lower = lowered(text)
    years = [match.span() for match in _YEAR.finditer(text)]
    days = [(*day, _BEFORE) for day in _days(text, lower, years)] if years else []
    for begin, end, before in [*days, *_days_alone(text, lower)]:
        at = None
        if before in _UNSPACED or lower[begin - 1 : begin] == " ":
            said = before.search(lower, max(0, begin - _REACH), begin)
            at = said.start() if said else _corrected(text, lower, begin)
        if at is None and before is _BEFORE and is_message(text, begin, end):
            at = begin
        if at is not None:
            label = Span(at, begin)
            yield Anchor(label, Span(begin, end), TERM, "prose:term", True)


def _corrected(text: str, lower: str, begin: int) -> int | None:
    """Where a correction begins that ends in a day: "scratch that, it's June 27"."""
    told = _COPULA_BEFORE.search(lower, max(0, begin - _SHORT_REACH), begin)
    return retracted(text, begin) if told else None


def _days(text: str, lower: str, years: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Begin and end of days with one of the years, as people write them."""
    for begin, end, composite, _ in weighed(text):
        dated = composite and _YEAR.search(text, begin, end)
        if dated and written(text, begin) == (end, "day"):
            yield begin, end
    for begin, end in years:
        month = None
        if text[begin - 1 : begin] == " ":
            month = _MONTH_FIRST.search(lower, max(0, begin - _LONGEST), begin)
        if month and _NO_CLOCK.match(text, end):
            yield month.start(), end
        day = _ISO.match(text, end)
        if day and text[begin - 1 : begin] not in _JOINED:
            yield begin, day.end()


def _days_alone(text: str, lower: str) -> Iterator[tuple[int, int, re.Pattern[str]]]:
    """Begin and end of days without a year, and what must stand before them."""
    if text.isascii() and _CALENDAR.isdisjoint(words_of(text)):
        return  # most texts
    yield from _weekdays(text, lower)
    for begin, end, composite in candidates(text):
        if composite and text[end - 1] > "\u3000" and written(text, begin) == (end, "day"):
            yield begin, end, _EASTERN
        if end - begin > _SHORT or not text[begin].isdigit():
            continue
        behind = _MONTH_BEHIND.match(lower, begin)
        if behind and text.endswith(" may", begin, behind.end()):
            continue  # the verb
        first, last = begin, behind.end() if behind else begin
        if not behind and text[begin - 1 : begin] == " " and lower[begin - 2] in _ENDS:
            month = _MONTH_BEFORE.search(lower, max(0, begin - _LONGEST), begin)
            number = _NUMBER.match(lower, begin)
            first, last = (month.start(), number.end()) if month and number else (begin, begin)
        ordinal = _ORDINAL.match(lower, begin) if last == begin else None
        if last == begin and not ordinal:
            continue
        weekday = _WEEKDAY.search(lower, max(0, first - _LONGEST), first)
        if not ordinal:
            yield weekday.start() if weekday else first, last, _BEFORE
        elif weekday:
            yield weekday.start(), ordinal.end(), _ANYTHING


def _weekdays(text: str, lower: str) -> Iterator[tuple[int, int, re.Pattern[str]]]:
    """Names of days that no date follows, and what must stand before them; in a message "on" is
    enough before all days of a name."""
    for name in _WEEKDAYS:
        for form, before in ((name, _WEEKDAY_BEFORE), (f"{name}s", _ON)):
            if not may_hold(text, form):
                continue
            for place in places(lower, form):
                end = place + len(form)
                if lower[place - 1 : place].isalnum() or _IN_A_DATE.match(lower, end):
                    continue
                if before is _WEEKDAY_BEFORE or is_message(text, place, end):
                    soon = _SOON.match(lower[max(0, place - 8) : place][::-1])
                    yield place - (soon.end() if soon else 0), end, before
