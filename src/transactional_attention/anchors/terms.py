"""Days on which something is due, or to which it is moved: ``the deadline is 3 March 2026``, ``la
reunión se aplazó al 12 de noviembre de 2026``, ``the lease expires on May 4, 2027``.

Texts are full of days. One is kept where a verb of a term stands before it, or the name of a term
and a copula, and its year is no past one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .mirror import lowered, words_of
from .notations import written
from .weighing import weighed

TERM = 0.66
_REACH = 72  # characters before a day that say what falls on it
_YEAR = re.compile(r"(?<!\d)20[2-9]\d(?!\d)")
_MONTHS = (
    "january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec"
).split()
_MONTH_KEYS = frozenset(month.encode() for month in _MONTHS)
_MONTH_FIRST = re.compile(
    rf"\b(?i:{'|'.join(_MONTHS)})\.? \d{{1,2}}(?:st|nd|rd|th)?,? 20[2-9]\d(?![\d\-])(?!,? at \d)"
)
_ISO = re.compile(r"(?<![\w\-/.])20[2-9]\d-\d\d-\d\d(?![\w\-:/]|[T ]\d)")
# What happens to a term, or on it, and the words between that and the day.
_VERBS = (
    "moved|postponed|pushed(?: back| out)?|put back|brought forward|rescheduled|extended|shifted"
    "|delayed|deferred|adjourned|scheduled|planned|due|expires|expire|expiring|valid|lapses|ends"
    "|starts|begins|opens|closes|renews|effective|slipped|deadline|no later than"
    "|warranty|guarantee|contract|lease|subscription"
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
    "to|for|on|by|until|till|from|as of|is|now|the|el|al|para|del|a|es|día|hasta|le|au|pour|est|du"
    "|jusqu['’]au|auf|den|der|am|zum|ist|bis|ab|il|per|è|in data|em|o|é|dia|até|на|до|с|إلى|في|يوم"
)
_NAMES = (
    "deadline|(?:due|delivery|closing|start|end|launch|release|move-in|expiry|expiration|renewal"
    "|exam|target) date|appointment|hearing|interview|inspection|cut-?off|code freeze|go-live"
    "|fecha|cita|entrega|rendez-vous|livraison|date limite|termin|abgabetermin|stichtag"
    "|liefertermin|abgabe|consegna|appuntamento|data limite|срок|дата|الموعد"
)
_COPULA = "is|was|will be|falls on|remains|es|será|est|sera|ist|è|é|—|–|:|هو|النهائي"
_BEFORE = re.compile(
    rf"(?<!\w)(?:(?:{_VERBS})(?:,? (?:{_FILL})){{0,3}}"
    rf"|(?:{_NAMES})(?: [\w'’-]{{1,16}}){{0,4}}? ?(?:{_COPULA})(?: (?:{_FILL})){{0,3}}"
    r"|(?:vade|teslim tarihi|son tarih|son gün)):? \Z"
)


def terms(text: str) -> Iterator[Anchor]:
    """Days behind what says that something is due or falls on them."""
    lower = lowered(text)
    if lower is None or "20" not in text:
        return
    for begin, end in _days(text):
        said = _BEFORE.search(lower, max(0, begin - _REACH), begin)
        if said:
            label = Span(said.start(), begin)
            yield Anchor(label, Span(begin, end), TERM, "prose:term", True)


def _days(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of days with their years, as people write them."""
    for begin, end, composite, _ in weighed(text):
        dated = composite and _YEAR.search(text, begin, end)
        if dated and written(text, begin) == (end, "day"):
            yield begin, end
    for match in _ISO.finditer(text):
        yield match.span()
    present = words_of(text)
    if present is None or not present.isdisjoint(_MONTH_KEYS):
        for match in _MONTH_FIRST.finditer(text):
            yield match.span()
