"""People by what they are for somebody: ``your new contact will be Theodora Pike``, ``owner: Wren
Halloran``, ``Ihre Ansprechpartnerin ist Frau Dr. Steinhöfel``.

Texts are full of names. One is kept where a word for who answers for something stands before it,
with a sign or a copula, and it has two capitals at least. Who wrote something is no such person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .mirror import foreign_letters, lowered, places, words_of

PERSON = 0.66
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
    r"(?:[\"']?[ ]?[:=][ ]?[\"']?|>"
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
_ROLE_BYTES = [(role, re.split(r"\W|_", role)[-1].encode()) for role in _ROLES if role.isascii()]
_FOREIGN_ROLES = [
    (role, frozenset(char for char in role if not char.isascii()))
    for role in _ROLES
    if not role.isascii()
]


def people(text: str) -> Iterator[Anchor]:
    """Names of people behind words for what they are to somebody."""
    present, lower = words_of(text), lowered(text)
    if present is None or lower is None:
        return
    roles = [role for role, key in _ROLE_BYTES if key in present]
    if not text.isascii():
        letters = foreign_letters(text)
        roles += [role for role, needed in _FOREIGN_ROLES if needed <= letters]
    for role in roles:
        for place in places(lower, role):
            match = _PERSON.match(text, place + len(role))
            if match and not lower[place - 1 : place].isalnum():
                value = Span(*match.span("value"))
                yield Anchor(Span(place, value.start), value, PERSON, "prose:person", True)
