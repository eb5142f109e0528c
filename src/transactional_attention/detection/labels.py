"""The words that announce a value, and how strongly: the paper's pattern set P, as a table.

A label is read backwards from its separator, because its last words decide. The pattern runs over
the reversed text in lower case and starts at the separator, so nothing is searched.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from .detector import LOOKBACK

WORDS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
STRENGTHS = {float(strength): words.split() for strength, words in WORDS["strengths"].items()}


def letter_tree(words: Iterable[Sequence[str]]) -> str:
    """One regular expression for many words, branching letter by letter: ``key`` and ``kit`` share
    their ``k``. Other text fails at the first letter that no word has; of two words with the same
    beginning the longer one matches. Each word is a sequence of patterns, one a letter.
    """
    tree: dict = {}
    for word in words:
        node = tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return _branches(tree)


def _branches(node: dict) -> str:
    """Longer words first: the end of a word is the last branch."""
    longer = [letter + _branches(below) for letter, below in sorted(node.items()) if letter]
    return f"(?:{'|'.join([*longer, *([''] if '' in node else [])])})" if node else ""


DISTANCE = 0.97
"""Factor on a label's strength for each word between keyword and separator."""

_JOINT = re.compile(r"[ \t_.\-]")
_JOIN = r"[ \t_.\-]?"
_WORD = r"[\w'’&/#\-]{1,32}+"


@dataclass(frozen=True, slots=True)
class Label:
    """Words that announce a value. ``start``: their first character. ``adjacent``: the keyword is
    the last word."""

    start: int
    strength: float
    adjacent: bool


_STRENGTH: dict[str, float] = {}  # by keyword without its joints; the first mention counts
for _strength, _words in STRENGTHS.items():
    for _word in _words:
        _STRENGTH.setdefault(_word.replace("-", ""), _strength)
_KEYWORDS = letter_tree(
    [_JOIN if char == "-" else char for char in reversed(word)]
    for words in STRENGTHS.values()
    for word in words
)
_LABEL = re.compile(
    # a quote or bracket that closes the label; up to four words after the keyword, an index
    r"-?[\s\"'`*)\]\\]{0,6}"
    r"(?:(?:si|saw|era|eb)[ \t])?"
    rf"(?P<after>(?:{_WORD}[ \t]){{0,4}}?)(?:[^\W_]{{1,16}}[_.\-]){{0,2}}?(?:\d{{1,3}})?"
    rf"(?P<keyword>{_KEYWORDS})(?P<before>.?)",
    re.DOTALL,
)
# From the nearest "the" or "my", if there is one, otherwise up to three words; of what, before it.
_THE = r"[ \t](?:eht|ym|ruoy|ruo|rieht|sih|reh|sti|na|a)(?!\w)"
_QUALIFIERS = re.compile(
    rf"(?:[ \t]?{_WORD}){{0,3}}?{_THE}(?:[ \t](?:fo|rof)(?:[ \t]{_WORD}){{1,3}}?{_THE})?"
    rf"|(?:[ \t_.\-]?{_WORD}){{0,3}}[\"'`*]{{0,2}}"
)


@lru_cache(maxsize=1)
def _mirrored(text: str) -> str:
    """A text in lower case and reversed, made once for all its labels. Character ``p`` of the text
    is at ``len(text) - 1 - p``."""
    # The one letter whose small form is two characters becomes a plain one.
    return text.replace("İ", "i").lower()[::-1]


def find_label(text: str, end: int) -> Label | None:
    """The label that ends at ``end``, at most ``LOOKBACK`` characters long."""
    mirror, begin = _mirrored(text), len(text) - end
    stop = begin + min(LOOKBACK, end)
    match = _LABEL.match(mirror, begin, stop)
    if match is None or not _stands_alone(text, end + begin, match):
        return None
    keyword = _JOINT.sub("", match["keyword"][::-1])
    first = match.end("keyword")
    qualifiers = _QUALIFIERS.match(mirror, first, stop)
    start = end + begin - (qualifiers.end() if qualifiers else first)
    words = match["after"].count(" ")
    return Label(start, _STRENGTH[keyword] * DISTANCE**words, words == 0)


def _stands_alone(text: str, last: int, match: re.Match[str]) -> bool:
    """Whether no letter precedes the keyword, except as in ``apiKey``.

    ``last``: the sum of an index in the mirrored string and its index in the text.
    """
    if not match["before"].isalpha():
        return True
    at = last - match.end("keyword")
    return text[at].isupper() and text[at - 1].islower()
