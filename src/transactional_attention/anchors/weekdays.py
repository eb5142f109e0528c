"""Names of the days of the week that stand before a date, or in Turkish behind it."""

from __future__ import annotations

_NAMES = (
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
BEFORE = f"(?:{_NAMES}|{_SHORT})"
"""Not English, whose names begin with a capital; to be matched without regard to case."""
BEHIND = "(?: (?:pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar)(?: günü)?)?"
_PLAIN = (
    _NAMES.replace("(?:-feira)?", "")
    .replace("сред[ау]", "среда|среду")
    .replace("пятниц[ау]", "пятница|пятницу")
    .replace("суббот[ау]", "суббота|субботу")
)
BACKWARDS = "|".join(
    ["arief-" + name[::-1] for name in ("segunda", "terça", "quarta", "quinta", "sexta")]
    + [name[::-1] for name in f"{_PLAIN}|{_SHORT}".split("|")]
)
"""``BEFORE``, from its last letter to its first."""
