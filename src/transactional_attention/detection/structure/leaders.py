"""Label, dots, value: ``licence plate ........ QX 4471`` in lists and slips that people print."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor
from ..drawn import is_drawn
from ..roles import label_role
from ..worth import PROMISING
from .emit import emit

ROLE = 0.95
MAX_LABEL, MAX_VALUE = 64, 128
_POINTS, _OTHERS = ("....", ". . . ."), ("· · ", "····", "……")
# Possessive, and begun only where a row begins: every row is walked once.
_BY_POINTS = r"\.(?:(?<!\.\.)\.{3,}+|(?<!\. \.) (?:\. ){3,}+\.?)"  # found at the speed of memory
_BY_OTHERS = r"(?<!· )(?<!·)(?:· ?){4,}+|(?<!…)…{2,}+"
_LEADER, _POINTED = (
    re.compile(rf"(?:{dots})[ \t]*+(?P<value>[^\s.·…][^\n]{{0,{MAX_VALUE}}}+)")
    for dots in (f"{_BY_POINTS}|{_BY_OTHERS}", _BY_POINTS)
)
_PAGE = re.compile(r"[\divxlc]{1,4}")
_MARKS = " \t>#*+-•|"


def leaders(text: str, minimum: float) -> Iterator[Anchor]:
    """Values behind a row of dots, but for the numbers of pages."""
    others = not text.isascii() and any(dots in text for dots in _OTHERS)
    if not others and not any(dots in text for dots in _POINTS):
        return
    for match in (_LEADER if others else _POINTED).finditer(text):
        first = text.rfind("\n", max(0, match.start() - MAX_LABEL), match.start()) + 1
        begin = max(first, match.start() - MAX_LABEL)
        words = text[begin : match.start()].strip(_MARKS)
        value = match["value"].rstrip(" \t\r.|")
        if not words or not value or _PAGE.fullmatch(value):
            continue
        begin = text.index(words, begin)
        start = match.start("value")
        strength, drawn = label_role(words), is_drawn(value)
        if not drawn and " " in value and value.replace(" ", "").isalpha():
            continue  # a sentence that pauses
        strength = max(strength, PROMISING) if drawn else strength
        anchor = emit(
            text, (begin, begin + len(words)), (start, start + len(value)), ROLE,
            "structure:leader", delimited=True, minimum=minimum, strength=strength,
        )  # fmt: skip
        if anchor is not None:
            yield anchor
