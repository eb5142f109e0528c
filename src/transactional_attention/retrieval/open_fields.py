"""Generated text that opens a field: ``"api_key": "``, ``--ticket ``, ``host=``, "the password is".

Only the end of the last line is read, so calling it for every token costs next to nothing. A token
often brings the space before it along, so a field opens before its space does. An index decides
whether anything fits the label.
"""

import re

from .terms import folded
from .words import known_words

TAIL = 240  # characters of the text that are kept
_READ = 120  # of them, those that may hold the opening
_MOST_WORDS = 8  # of a sentence before the word that states its value

_NAME = r"[^\W\d_][\w.\-]{0,47}"
_FIELD = re.compile(
    rf"(?:[\"'`](?P<key>[^\"'`\n]{{1,48}})[\"'`]\s*[:=]\s*"
    rf"|(?<![\w\-])--?(?P<flag>{_NAME})(?:=|\s)?"
    rf"|(?P<head>{_NAME})\s?[:：]\s?(?:(?P<scheme>[A-Z][a-z]{{2,15}})\s?)?"
    rf"|(?P<name>{_NAME})\s?=\s?)[\"'`]?$"
)
_PARTS = ("key", "flag", "head", "scheme", "name")
_SENTENCE = re.compile(r"[.!?;]\s+|[。！？；]")
_OPENING = " \"'`:“「"
GOING_ON = " \t\r\n:："  # what may stand between the two parts of an opening


class OpenFieldReader:
    """Reads a text while it is generated."""

    def __init__(self) -> None:
        self._tail = ""

    def feed(self, text: str) -> str | None:
        """Read the next piece of the text. Returns the label of the field that is open at its end,
        if any."""
        self._tail = (self._tail + text)[-TAIL:]
        line = self._tail[self._tail.rfind("\n") + 1 :]
        match = _FIELD.search(line, max(0, len(line) - _READ))
        if match is None:
            return _stated(line)
        return " ".join([match[part] for part in _PARTS if match[part]])


def _stated(line: str) -> str | None:
    """The label of the field that a sentence opens: the words before a verb that states something
    ("is", "lautet", "は")."""
    words_before = line.rstrip(_OPENING)
    low = folded(words_before[-_READ:]).lower()
    for phrase in known_words().stating:
        before = low[: -len(phrase)]
        if not low.endswith(phrase) or (phrase.isascii() and before[-1:] != " "):
            continue
        words = _SENTENCE.split(before)[-1].split()[-_MOST_WORDS:]
        return " ".join(words) or None
    return None
