"""The words of a text as an index knows them: folded, and split as identifiers are.

Scripts without spaces give pairs of neighbouring characters. Nothing here knows values or entries.
"""

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

MOST = 256  # words of a text that are read

_RUN = re.compile(r"(?P<digits>\d+)|(?P<letters>(?:[^\W\d_]|[\u0900-\u0dff])+)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DENSE = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)")
_VOICED = "\u3099\u309a"  # marks that make another kana
_PREFIX, _SHARE, _WHOLE = 4, 0.6, 5
SAME, INFLECTED, BEGUN = 1.0, 0.9, 0.5
"""How much a word counts that is the one asked for, a form of it, or shares its beginning or end
with it."""


def folded(text: str) -> str:
    """A text without the marks on its letters; its case stays."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    bare = [c for c in apart if c in _VOICED or unicodedata.category(c) != "Mn"]
    return unicodedata.normalize("NFC", "".join(bare))


def terms(text: str) -> list[str]:
    """Words in order: ``apiKey``, ``api_key`` and ``API-KEY`` give the same two."""
    found: list[str] = []
    for match in _RUN.finditer(folded(text)):
        if match["digits"]:
            found.append(match["digits"])
            continue
        for part in _DENSE.split(match["letters"]):
            if _DENSE.match(part):
                found += [part[i : i + 2] for i in range(max(len(part) - 1, 1))]
            elif part:
                found += [hump.lower() for hump in _HUMP.split(part)]
        if len(found) >= MOST:
            break
    return found[:MOST]


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """What the forms of an English word have in common; other words stay as they are."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed", "er", "or"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            word = word[:-1] if word[-1] == word[-2] else word
            break
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def ends(word: str) -> tuple[str, ...]:
    """Keys under which words are found that begin or end as this one does."""
    if len(word) < _PREFIX or word.isdigit() or word[0] == HIDDEN:
        return ()
    return ("^" + word[:_PREFIX], "$" + word[-_PREFIX:])


def likeness(asked: str, word: str) -> float:
    """How much ``word`` counts for the one asked for, in [0, 1]."""
    if asked == word:
        return SAME
    if stem(asked) == stem(word):
        return INFLECTED
    short, long = sorted((asked, word), key=len)
    if len(short) >= _WHOLE and (long.startswith(short) or long.endswith(short)):
        return BEGUN
    shared = next((i for i, (a, b) in enumerate(zip(asked, word)) if a != b), len(short))
    enough = shared >= max(_PREFIX, _SHARE * len(long)) and shared >= len(short) - 3
    return BEGUN if enough else 0.0


HIDDEN = "#"


def hidden(word: str, salt: bytes) -> str:
    """A word that may be part of a value, as a salted hash: it is found again, and not read."""
    return (
        HIDDEN + blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8, key=salt).hexdigest()
    )
