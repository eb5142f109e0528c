"""Names of the days of the week that stand before a date, or in Turkish behind it."""

from __future__ import annotations

NAMES = (
    "lunes|martes|miércoles|miercoles|jueves|viernes|sábado|sabado|domingo|lundi|mardi|mercredi"
    "|jeudi|vendredi|samedi|dimanche|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend"
    "|sonntag|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda(?:-feira)?"
    "|terça(?:-feira)?|quarta(?:-feira)?|quinta(?:-feira)?|sexta(?:-feira)?|понедельник|вторник"
    "|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|الاثنين|الأحد|الثلاثاء|الأربعاء|الخميس"
    "|الجمعة|السبت|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार"
)
_SHORT = (
    "lun|mar|mer|mié|mie|jeu|jue|gio|ven|vie|sam|sáb|sab|dim|dom|mo|di|mi|do|fr|sa|so|seg|ter|qua"
    "|qui|sex|пн|вт|ср|чт|пт|сб|вс"
)
BEFORE = f"(?:{NAMES}|{_SHORT})"
"""Not English, whose names begin with a capital; to be matched without regard to case."""
BEHIND = "(?: (?:pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)(?: günü)?)?"
_FULL = (
    NAMES.replace("сред[ау]", "среда|среду")
    .replace("пятниц[ау]", "пятница|пятницу")
    .replace("суббот[ау]", "суббота|субботу")
)
_WORDS = frozenset(
    name
    for found in f"{_FULL}|{_SHORT}".split("|")
    for name in (found.replace("(?:-feira)?", ""), found.replace("(?:-feira)?", "-feira"))
)
_BETWEEN = ("den", "the")
REACH = 24  # characters of a weekday and of what stands behind it


def weekday_before(text: str, begin: int) -> int:
    """Where a weekday begins that stands before ``begin`` and a space; ``begin`` if none does."""
    if not text[begin : begin + 1].isdigit() or text[begin + 1 : begin + 2].isalpha():
        return begin  # most candidates
    words = text[max(0, begin - REACH) : begin - 1].split(" ")
    last = words[-2:-1] if words[-1] in _BETWEEN else words[-1:]
    if not last or last[0].rstrip(".,").lower().lstrip("(\n-*") not in _WORDS:
        return begin
    word = last[0].lstrip("(\n-*")
    between = len(words[-1]) + 1 if words[-1] in _BETWEEN else 0
    return begin - 1 - between - len(word)
