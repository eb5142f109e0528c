"""Whether in a passage somebody talks to somebody: what a message tells, an article mentions.

Manuals say "you" and "we"; somebody who talks says "I", "please" or "thanks".
"""

from __future__ import annotations

import re
from functools import lru_cache

from .spoken import Book, phrase, spoken

_REACH = 280  # characters on either side, within a paragraph
_WORDS = (
    "i|i'm|i’m|i've|i’ve|i'll|i’ll|i'd|i’d|my|me|please|thanks|thank you|sorry|dad|mum|let's|let’s"
    "|we've|we’ve|we'll|we’ll|we're|we’re|por favor|gracias|nuestro|nuestra|merci|s'il vous plaît"
    "|votre|vous|ich|mir|bitte|danke|dir|euch|grazie|per favore|obrigado|obrigada|você|vovó|oi|olá"
    "|пожалуйста|спасибо|мне|вам|тебе|bana|sana|lütfen|abla|hola|bonjour|ciao|hallo|moin"
)
_PHRASES = Book(phrase(said, None) for said in _WORDS.split("|"))
_GOES_ON = re.compile(r"[\w=(\[]|\.\w")  # of a name in a program
_PROGRAM = re.compile(r"[{}<>=;_|]|\bWar I\b|^\s*\d+[.)]", re.MULTILINE)


@lru_cache(maxsize=1)
def talks(text: str) -> tuple[tuple[int, int], ...]:
    """Begin and end of the passages in which somebody talks, in order and apart."""
    found: list[tuple[int, int]] = []
    for begin, end, _ in spoken(text, _PHRASES):
        if _GOES_ON.match(text, end) or text[begin - 1 : begin] in (".", "_"):
            continue
        first = max(0, begin - _REACH)
        line = text.rfind("\n\n", first, begin)
        last = text.find("\n\n", end, end + _REACH)
        span = (line if line >= 0 else first), (last if last >= 0 else end + _REACH)
        if _PROGRAM.search(text, *span) is None:
            found.append(span)
    merged: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if merged and first <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return tuple(merged)


def is_message(text: str, begin: int, end: int) -> bool:
    """Whether ``text[begin:end]`` stands where somebody talks."""
    return any(first <= begin and end <= last for first, last in talks(text))
