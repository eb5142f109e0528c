"""Words with a digit or an apostrophe among them, between the quotes behind a name and a verb:
``the door code is "blue whale 7"``, ``der Türcode ist „blauer Wal 7“``, ``my passphrase is
"winter's last rose"``. For plain words see ``passphrases`` and ``quoted_words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import Anchor, Span
from .quotes import mate
from .roles import label_role
from .worth import PROMISING

QUOTED = 0.8
# The quote first, so that a search for it is fast; then how these verbs end.
_OPENINGS = tuple(
    re.compile(rf"{mark}(?<=(?:is|as|ds|ys|ns|st|et|ßt|ar|es| è| é) {mark})") for mark in '"„“«'
)
_NAMED = re.compile(
    r"(?:si|saw|sdaer|syats|sniamer|tsi|tetual|tßieh|raw|se|tse|è|é)[ ]"
    r"(?P<name>[^\W_]{2,24}+(?:[ \-][^\W_]{1,24}+){0,3})(?!\w)"
)
_WORDS = re.compile(r"\w+(?:['’]\w+)*(?:[ \-]\w+(?:['’]\w+)*){1,7}")
_TELLING = re.compile(r"\d|['’]")
_END = re.compile(r"[\"”“»] ?(?:[.,;!?)\n]|\s*\Z|[ ](?:and|but|und|aber|et|y|e|—|–|-)[ ])")


def quoted_values(text: str) -> Iterator[Anchor]:
    """What is said between quotes to be the value of a name that promises one."""
    for opening in _OPENINGS[:1] if text.isascii() else _OPENINGS:
        for match in opening.finditer(text):
            place = match.start() - 1
            named = _NAMED.match(text[max(0, place - 96) : place][::-1])
            stop = mate(text, place + 1) if named else -1
            if named is None or stop < 0:
                continue
            begin = place + 2 + (text[place + 2] == " ")
            end = stop - (text[stop - 1] == " ")
            words = _WORDS.fullmatch(text, begin, end)
            if words is None or not _TELLING.search(words.group()) or not _END.match(text, stop):
                continue
            label = Span(place - named.end("name"), begin)
            strength = label_role(text[label.start : place - named.start("name")])
            if strength >= PROMISING:
                yield Anchor(label, Span(begin, end), strength * QUOTED, "prose:words", True)
