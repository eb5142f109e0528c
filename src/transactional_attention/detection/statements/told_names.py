"""Names that a message tells: ``the interviews are in the Juniper Room``, ``we ought to read The
Salt Cartographer``, ``nos vemos na Praia da Adraga``.

Two words with capitals inside a sentence; one alone is whom the message speaks to or of. Greetings
and regards, days and what everybody knows are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from .register import is_message, talks

TOLD = 0.54
_CAPITAL = "A-ZÀ-ÖØ-ÞĆČĎĞİŁŃŘŚŞŠŤŽŻА-ЯЁ"
_WORD = rf"[{_CAPITAL}][a-zß-öø-ÿā-žа-яё'’]{{2,20}}(?:-[{_CAPITAL}][a-zß-öø-ÿā-žа-яё]{{2,20}})?"
_NAME = re.compile(
    rf" (?<=[a-zß-öø-ÿā-žа-яё,:;] )(?P<value>(?:The )?{_WORD}"
    rf"(?: (?:(?:de|da|do|del|di|du|of|the|van|von|la|&) )?{_WORD}){{1,3}})(?![\w-])"
)
_EVERYBODYS = frozenset(
    "kind best regards dear hello good morning evening new year years eve day christmas easter"
    " monday tuesday wednesday thursday friday saturday sunday january february march april may"
    " june july august september october november december google microsoft apple amazon windows"
    " united states kingdom north south america europe london paris new york san francisco los"
    " angeles great britain black friday world cup bank holiday star wars net flix mrs mr ms dr"
    " sir madam the and but der die das ein eine el los las le les il lo gli os as".split()
)


# Verbs of naming, behind which one word is enough.
_CALLED = Book(
    phrase(said, None)
    for said in (
        "named him|named her|named it|named them|call him|call her|calling him|calling her|i go by"
        "|she goes by|he goes by|they go by|elle s'appelle|elle s’appelle|il s'appelle"
        "|il s’appelle|er heißt|sie heißt|si chiama|lo hemos llamado|la hemos llamado|se llama"
        "|chama-se|moves to|moved to|offering it to|ask for"
    ).split("|")
)
_ONE = re.compile(
    rf" (?P<value>{_WORD})(?=[\"']?(?:[.,;!?)](?:\s|\Z)|\s*(?:\n|\Z)| (?:and|because|by|at)\b))"
)


def told_names(text: str) -> Iterator[Anchor]:
    """Names of two words and more in a message."""
    for first, last in talks(text):
        for match in _NAME.finditer(text, max(0, first - 1), last):
            words = match["value"].lower().split()
            if text[match.end() : match.end() + 1].isalnum():
                continue  # the passage ends in a word
            value = Span(*match.span("value"))
            if not is_message(text, value.start, value.end):
                continue
            if _EVERYBODYS.isdisjoint(words[1:] if words[0] == "the" else words):
                yield Anchor(Span(value.start, value.start), value, TOLD, "prose:mention", False)
    for begin, end, _ in spoken(text, _CALLED):
        named = _ONE.match(text, end)
        if named and named["value"].lower() not in _EVERYBODYS and is_message(text, begin, end):
            label, value = Span(begin, named.start("value")), Span(*named.span("value"))
            yield Anchor(label, value, TOLD, "prose:message", False)
