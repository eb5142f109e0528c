"""People whom a sentence singles out for what they did: ``C'est Maëlle Kerguelen qui a signé``,
``quien firmó fue Nuria Etxeberri``, ``l'ha autorizzato Ilaria Bassani``, ``den Schlüssel hat
zuletzt Heike Brandner mitgenommen``, ``это сделала Алла Жукова``.

What they did is what one does for others: a story of deeds names people as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..personal_names import NAME, is_person
from ..spoken import Book, announced, phrase, spoken

DID = 0.7
_REACH = 90  # characters before a copula that ask who it was
_END = (
    r"(?=[.,;:!?)](?:\s|\Z)|\s*(?:\n|\Z)"
    r"| (?:qui|que|quando|cuando|y|e|et|и|no|não|non|in|en|em|per|por|der|die|das)\b)"
)
_FRENCH = re.compile(
    rf" (?P<value>{NAME}) qui (?:a (?:validé|signé|gardé|pris|autorisé|commandé|réglé"
    r"|reçu|récupéré"
    r"|approuvé|envoyé|noté|réservé)|garde|a les?|a la|gère|s['’]occupe|valide|signe"
    r"|détient|tient|sait"
    r"|peut|doit|décide|paie|fait|va|assure|prend)\b"
)
_WAS = re.compile(rf"(?: (?:a|o|la|el|il))? (?P<value>{NAME}){_END}")
_ASKS = re.compile(
    r"\b(?:quien|quién|la persona que|quem|a pessoa que|chi|la persona che|кто)\b[^.!?;\n]{3,72}\Z",
    re.IGNORECASE,
)
_DONE_BY = re.compile(rf" (?P<value>{NAME}){_END}")
_GERMAN = re.compile(
    rf"(?: (?:zuletzt|noch|jetzt|derzeit|diesmal|wohl|sicher))? (?P<value>{NAME})"
    r" (?:mitgenommen|unterschrieben|genehmigt|freigegeben|bestellt|abgeholt|bezahlt|eingesteckt"
    r"|bekommen|übernommen|reserviert|ausgeliehen|beauftragt|hinterlegt|verwahrt|zugesagt)\b"
)
_ITALIAN = (
    "autorizzato autorizzata firmato firmata ritirato ritirata approvato approvata pagato ordinato"
).split()
_RUSSIAN = (
    "сделала сделал согласовала согласовал подписала подписал разрешила разрешил утвердила"
).split()
_FORMS: tuple[tuple[tuple[str, ...], re.Pattern[str], re.Pattern[str] | None], ...] = (
    (("c'est", "c’est", "c'était", "c’était"), _FRENCH, None),
    (("fue", "foi", "es", "será", "é", "è stata", "è stato"), _WAS, _ASKS),
    (tuple(f"l'ha {done}" for done in _ITALIAN), _DONE_BY, None),
    (tuple(f"это {done}" for done in _RUSSIAN), _DONE_BY, None),
    (("hat",), _GERMAN, None),
)
"""What is said, what follows it, and what must have asked who it was."""
_BOOK = Book(phrase(one, (rest, asked)) for said, rest, asked in _FORMS for one in said)


def clefts(text: str) -> Iterator[Anchor]:
    """Names of those who did it."""
    for begin, end, (rest, asked) in spoken(text, _BOOK):
        match = rest.match(text, end)
        if match is None or not is_person(match["value"]):
            continue
        if asked is None or asked.search(text, max(0, begin - _REACH), begin):
            yield announced(begin, match, DID, "prose:person", delimited=True)
