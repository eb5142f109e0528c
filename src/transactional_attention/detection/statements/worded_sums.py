"""Sums of money in words, as people agree on them: ``nine hundred and forty quid``, ``two thousand
three hundred euros``. Articles round such sums, so a verb of a bargain stands before one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...types import Anchor, Span
from ..spoken import Book, phrase, spoken
from .sentence import sentence

SUM = 0.72
_REACH, _LONGEST = 80, 96
_NUMBER = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
    "|grand|half"
)
_BEFORE = re.compile(rf"\b(?:an? )?(?:(?:{_NUMBER})(?:[ -](?:and )?)){{2,12}}\Z", re.IGNORECASE)
_ROUND = re.compile(r"(?:an? )?\w+ (?:hundred|thousand|grand) ", re.IGNORECASE)
_BARGAIN = re.compile(
    r"\b(?:shook hands|settled|agreed|paid|pay|pays|paying|owes?|owed|cost|costs|charge[ds]?|price"
    r"|quote[ds]?|offer(?:ed)?|bid|rent|deposit|fee|asks?|asking|wants?|budget|for|lent|borrowed|spent|bill|total"
    r"|invoice|comes? to|came to|takes?)\b",
    re.IGNORECASE,
)
_BOOK = Book(
    phrase(word, None)
    for word in "quid pounds pound euros dollars bucks francs kronor crowns pence zloty".split()
)


def worded_sums(text: str) -> Iterator[Anchor]:
    """Sums in words, with their currency."""
    for begin, end, _ in spoken(text, _BOOK):
        words = _BEFORE.search(text, max(0, begin - _LONGEST), begin)
        if words is None or _ROUND.fullmatch(words.group()):
            continue
        first, _ = sentence(text, words.start(), end, _REACH)
        if _BARGAIN.search(text, first, words.start()):
            value = Span(words.start(), end)
            yield Anchor(Span(value.start, value.start), value, SUM, "prose:term", True)
