"""People by what they are for somebody: ``your new contact will be Theodora Pike``, ``owner: Wren
Halloran``, ``Ihre Ansprechpartnerin ist Frau Dr. Steinhöfel``, ``her maiden name is Okonkwo``.

Texts are full of names. One is kept where a word for who answers for something stands before it,
with a sign or a copula, and it has two capitals at least; or where it is said to be the name of
somebody, or the one under which something is booked. Who wrote something is no such person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..spoken import Book, announced, phrase, spoken
from ..text_words import lowered

PERSON = 0.66
_REACH = 40  # characters before the word for a name that say whose it is
_ROLES = (
    "contact owner assignee assigned reviewer approver caseworker landlord landlady on-call"
    " supervisor fullname full_name cardholder beneficiary payee guarantor handler"
    " ansprechpartner ansprechpartnerin sachbearbeiter sachbearbeiterin betreuer betreuerin"
    " vermieter vermieterin hausarzt responsable interlocuteur interlocutrice contacto"
    " destinatario beneficiario referente contatto contato responsável titular titulaire"
    " ответственный ответственная sorumlu yetkili"
).split()
_JOINT = (
    r"(?:person|[ ]person|[ ]name|[ ](?:for|of|at|in|on|für|bei|im|am|para|pour|per|di|del|du|de)"
    r"(?:[ ][\w'’-]{1,20}){1,4})?"
    r"(?:(?:[ ]to)?[\"']?[ ]?[:=][ ]?[\"']?|>"
    r"|[ ](?:is|was|will[ ]be|becomes|remains|ist|wird|bleibt|es|será|est|sera|è|sarà|é)[ ]"
    r"(?:(?:now|ab[ ]sofort|jetzt|künftig|ahora|desde[ ]hoy|désormais|ora|agora)[ ])?"
    r"|[ ](?:to|[—–-])[ ])"
)
_TITLE = r"(?:(?:Mrs?|Ms|Dr|Prof|Frau|Herrn?|Sr|Sra|Mme|Sig|Dott)\.?[ ](?:Dr\.[ ])?)"
_WORD = r"[^\W\d_a-zà-ÿа-я][a-zà-ÿа-яğışöüçœ]{1,20}(?:['’-][^\W\d_][a-zà-ÿ]{1,20}){0,2}"
_PERSON = re.compile(
    rf"{_JOINT}(?!The |Our |Your )(?P<value>{_TITLE}{_WORD}(?:[ ]{_WORD}){{0,2}}"
    rf"|{_WORD}(?:[ ](?:[A-Z]\.|van|von|de|da|del|di|der|la|den))?(?:[ ]{_WORD}){{1,2}})"
    r"(?=[\"'<)]|[.,;:!?](?:\s|[\"']|\Z)|[ ]?(?:\n|\Z)|[ ](?:and|who|und|y|et|e|from|[—–(-]))"
)
# Behind these a name of one word is enough.
_SAYING = (
    "call me|everyone calls me|in the name of|booking under|booked under|reservation under"
    "|reserved under|table under|for two under|for three under|for four under|for six under"
    "|name is|name was|name will be|under the name|under the name of|reservation for|table for"
    "|a nombre de|me llamo|nombre es|au nom de|je m'appelle|je m’appelle|nom est|auf den namen"
    "|ich heiße|ich heisse|name ist|a nome di|a nome|mi chiamo|nome è|em nome de|me chamo|nome é"
    "|на имя|меня зовут|adına|adım"
).split("|")
_WHOSE = re.compile(
    r"\b(?:my|her|his|our|their|your|mi|tu|su|mon|ma|son|sa|votre|mein|dein|sein|ihr|meu|seu|mio|suo"
    r"|[\w-]{2,20}['’]s) (?:(?:maiden|first|last|middle|family|full|user|pet|dog|cat)['’]?s? )?\Z"
)
_NAMED = re.compile(
    rf"[ ][\"'“«]?(?P<value>{_TITLE}?{_WORD}(?:[ ]{_WORD}){{0,2}})"
    r"(?=[\"'”»]?[.,;:!?)](?:\s|\Z)|[ ]?(?:\n|\Z)|[ ](?:and|for|at|on|y|et|und|e|para|pour|für|per"
    r"|и|[—–(-])[ ])"
)
_PHRASES = [phrase(role, _PERSON) for role in _ROLES]
_PHRASES += [phrase(said, _NAMED) for said in _SAYING]
_BOOK = Book(_PHRASES)


def people(text: str) -> Iterator[Anchor]:
    """Names of people behind words for what they are to somebody."""
    for begin, end, pattern in spoken(text, _BOOK):
        match = pattern.match(text, end)
        if match and (pattern is _PERSON or _is_said(text, begin)):
            yield announced(begin, match, PERSON, "prose:person", delimited=True)


def _is_said(text: str, place: int) -> bool:
    """Whether somebody stands before the word for a name: things have names as well."""
    lower = lowered(text)
    if not lower.startswith(("name", "nom"), place):
        return True
    return _WHOSE.search(lower, max(0, place - _REACH), place) is not None
