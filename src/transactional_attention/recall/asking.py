"""A new text as queries: its parts, each with its own words and, weaker, those around them."""

import re
from collections.abc import Iterable, Mapping

from ..types import Span
from .entries import QUESTION, SENTENCE_END
from .kinds import kinds
from .terms import hidden, terms

READ = 2000  # characters at the end of a text that are read
PARTS = 16  # of a text that ask for themselves
ASKED_KIND, NAMED_KIND, IN_VALUE, AROUND = 1.0, 0.5, 0.6, 0.3
"""What a kind weighs that the words ask for, and one that they name; a word where it is part of
another value, or a number; and what is left of the words of other parts."""

_PART = re.compile(r"[,;:.!?](?=\s|$)|[()\[\]{}\n、。，！？；|]+")


def unstated(text: str, first: int, stated: Iterable[Span]) -> str:
    """A text that begins at the character ``first`` without what it states, each with its label: it
    asks for none of that, but in a question ("is order 17 paid?")."""
    for span in stated:
        begin, end = max(span.start - first, 0), max(span.end - first, 0)
        line = text[end:].partition("\n")[0]
        if not QUESTION.search(SENTENCE_END.split(line, maxsplit=1)[0]):
            text = text[:begin] + " " * (end - begin) + text[end:]
    return text


def queries(text: str, salt: bytes = b"") -> list[dict[str, float]]:
    """The parts of a text that may ask for a value, words with weights; the last ones of many.

    ``salt``: of the hashes under which entries keep what may be part of a value.
    """
    every = (_words(part, salt) for part in _PART.split(text[-READ:]))
    unlike = {tuple(words): words for words in every if words}  # a schema repeats its types
    own = [*unlike.values()][-PARTS:]
    return [{**around(own), **words} for words in own]


def around(parts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The words of several parts, as weak as they are for another one."""
    found: dict[str, float] = {}
    for words in parts:
        for word, weight in words.items():
            found[word] = max(found.get(word, 0.0), AROUND * weight)
    return found


def _words(part: str, salt: bytes) -> dict[str, float]:
    said, known = terms(part), kinds()
    words = [word for word in said if not known.says_nothing(word)]
    found = {word: 1.0 for word in words if not word.isdigit()}
    found |= dict.fromkeys([hidden(word, salt) for word in words], IN_VALUE)
    found |= dict.fromkeys(known.of_names(words), NAMED_KIND)
    return found | dict.fromkeys(known.of_question(said), ASKED_KIND)
