"""Whether in a passage somebody talks to somebody: what a message tells, an article mentions.

Manuals say "you" and "we"; somebody who talks says "I", "please" or "thanks".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from ..detector import LOOKBACK
from ..spoken import Book, phrase, spoken

BEHIND = 280  # characters behind a value, on its line, that may be talk
_WORDS = (
    "i|i'm|i’m|i've|i’ve|i'll|i’ll|i'd|i’d|my|me|please|thanks|"
    "thank you|sorry|dad|mum|let's|let’s|note to self|you asked|we've|we’ve"
    "|we'll|we’ll|we're|we’re|por favor|gracias|nuestro|nuestra|merci|"
    "s'il vous plaît|votre|vous|ich|mir|bitte|danke|dir|euch|grazie|"
    "per favore|obrigado|obrigada|você|vovó|oi|olá|пожалуйста|спасибо|мне|"
    "вам|тебе|bana|sana|lütfen|abla|hola|bonjour|ciao|hallo|moin"
)
_PHRASES = Book(phrase(said, None) for said in _WORDS.split("|"))
_GOES_ON = re.compile(r"[\w=(\[]|\.\w")  # of a name in a program
_I = re.compile(
    r" (?:am|was|have|had|will|would|don['’]t|didn['’]t|can|can['’]t|could|need|want|think|know"
    r"|said|told|just|got|get|never|always|put|left|do|did|only|still|also|read|keep|kept|booked|asked"
    r"|saw|met|made|went|go|find|found|forgot|forget|mean|meant|promised|hope|guess|once|really"
    r"|cannot|won['’]t|wrote|write|rang|called|spoke|finally|haven['’]t|should|must|misread|take"
    r"|took|use|used|like|love|hate|prefer|bought|see|picked|changed|set|tried|cast|suppose|wish)\b"
)
_TURN = re.compile(r"\n\n|\n<?(?:tool|assistant|system|user|human|ai)\b", re.IGNORECASE)
_PROGRAM = re.compile(r"[{}<>=;_|]|\bWar I\b|^\s*\d+[.)]", re.MULTILINE)


@lru_cache(maxsize=1)
def _said(text: str) -> list[int]:
    """Where the words of talk begin, in order."""
    found = {
        begin
        for begin, end, _ in spoken(text, _PHRASES)
        if not _GOES_ON.match(text, end) and _is_talk(text, begin, end)
    }
    return sorted(found)


def _is_talk(text: str, begin: int, end: int) -> bool:
    """Whether a word of talk is none of a title or of a program."""
    before = text[max(0, begin - 2) : begin]
    if text[begin:end] in ("i", "I"):
        return _I.match(text, end) is not None and before[-1:] not in (".", "_")
    if text[begin].isupper() and not text.startswith("I", begin):
        return not before or before[-1] in "\n\"“'(" or before in (". ", "! ", "? ", ": ", "- ")
    return before[-1:] not in (".", "_")


def talks(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of the passages in which ``is_message`` may be so, in order and apart."""
    first = last = -1
    for place in _said(text):
        begin = max(0, text.rfind("\n", max(0, place - BEHIND), place), place - BEHIND)
        if last >= 0 and begin > last:
            yield first, last
            first = -1
        first, last = begin if first < 0 else first, place + LOOKBACK
    if last >= 0:
        yield first, last


def is_message(text: str, begin: int, end: int) -> bool:
    """Whether somebody talks right before ``text[begin:end]`` or on the rest of its line."""
    said = _said(text)
    first = max(0, begin - LOOKBACK)
    at = bisect_left(said, first)
    if at == len(said) or said[at] >= end + BEHIND:
        return False  # in most places
    for turn in _TURN.finditer(text, first, begin):
        first = turn.end()
    at = bisect_left(said, first)
    if at == len(said):
        return False
    stop = text.find("\n", end, end + BEHIND)
    stop = stop if stop >= 0 else min(len(text), end + BEHIND)
    return said[at] < stop and _PROGRAM.search(text, first, stop) is None
