"""How strongly an identifier announces a value: ``dbPassword``, ``X-Request-Id``, ``door code``.

Its last words decide, by the table of ``labels``. It is split at joints and at changes of case.
Unknown identifiers have a medium strength, dull ones a low one.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .labels import DISTANCE, STRENGTHS, WORDS

UNKNOWN, DULL = 0.73, 0.3
NAMED = 0.9  # of a word that names values in another language
OF_LEAST = 0.9  # strength of the words before a preposition from which they decide

_IDENTIFIERS = WORDS["identifiers"]
_DULL = frozenset(_IDENTIFIERS["dull"].split())
_SECRET = re.compile(r"passw|passwd|secret|token|passphrase|credential|apikey|pwd|pass$")
_LANGUAGES = dict(WORDS["languages"])
_ENDINGS = _LANGUAGES.pop("endings").split()
_ENDINGS += [w for key in ("zh", "ja", "ko") for w in _LANGUAGES[key].split() if not w.isascii()]
_NAMING = frozenset(" ".join(_LANGUAGES.values()).split())
_LETTER = r"(?:[^\W\d_A-Z]|[\u0900-\u0dff\u064b-\u0652])"
_WORDS = re.compile(rf"[A-Z]+(?!{_LETTER})|[A-Z]?{_LETTER}+|\d+")

# What a label speaks of stands before the preposition: combination of the bike lock.
_OF = re.compile(
    r"[ ](?:of|for|to|on|at|in|from|de|du|des|do|da|del|della|von|für|para|per|pour)[ ]"
)
_NUMBERED = re.compile(r" \d+\.\d")  # in version 3.11


def _table() -> dict[str, float]:
    table: dict[str, float] = {}
    more = {float(key): words.split() for key, words in _IDENTIFIERS.items() if key[0].isdigit()}
    for strength, words in (*more.items(), *STRENGTHS.items()):
        for word in words:
            table.setdefault(word.replace("-", ""), strength)
    for word in _IDENTIFIERS["secrets"].split():
        table.setdefault(word, 1.0)
    for word in _NAMING:
        if len(word) > 3 or not word.isascii():
            table.setdefault(word, NAMED)
    return table


_STRENGTH = _table()


@lru_cache(maxsize=4096)
def label_strength(identifier: str) -> float:
    """Strength in [0, 1] of a label of at most a few words, as it is written."""
    if _NUMBERED.search(identifier):
        return DULL
    head = _OF.search(identifier)
    if head and head.start():
        named = label_strength(identifier[: head.start()])
        return max(named * DISTANCE if named >= OF_LEAST else 0.0, _role(identifier))
    return _role(identifier)


def _role(identifier: str) -> float:
    """Strength of a label by its last words."""
    words = [word.lower() for word in _WORDS.findall(identifier)]
    while len(words) > 1 and words[-1].isdigit():
        words.pop()
    joined = "".join(words)
    if not joined or joined in _DULL or (len(words) == 1 and len(joined) == 1):
        return DULL
    for back in range(min(len(words), 4)):
        end = len(words) - back
        for size in (3, 2, 1):
            strength = _STRENGTH.get("".join(words[max(0, end - size) : end]))
            if strength is not None and size <= end:
                return strength * DISTANCE**back
        if not back and words[-1] in _DULL:
            return DULL
    if words[-1].endswith(tuple(_ENDINGS)):
        return NAMED
    return 1.0 if _SECRET.search(joined) else UNKNOWN
