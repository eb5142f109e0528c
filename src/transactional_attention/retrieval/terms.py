"""The words of a text as an index stores them: without accents, and split as identifiers are.

Scripts without spaces give pairs of neighbouring characters. Nothing here knows values.
"""

import re
import unicodedata
from hashlib import blake2b

MOST = 256  # words of a text that are read
HIDDEN = "#"

_RUN = re.compile(r"(?P<digits>\d+)|(?P<letters>(?:[^\W\d_]|[\u0900-\u0dff])+)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DENSE = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+)")
_VOICED = "\u3099\u309a"  # marks that make another kana


def folded(text: str) -> str:
    """A text without the marks on its letters; upper and lower case stay."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    bare = [c for c in apart if c in _VOICED or unicodedata.category(c) != "Mn"]
    return unicodedata.normalize("NFC", "".join(bare))


def terms(text: str) -> list[str]:
    """Words in order: ``apiKey``, ``api_key`` and ``API-KEY`` give the same two."""
    words: list[str] = []
    for match in _RUN.finditer(folded(text)):
        if match["digits"]:
            words.append(match["digits"])
            continue
        for part in _DENSE.split(match["letters"]):
            if _DENSE.match(part):
                words += [part[i : i + 2] for i in range(max(len(part) - 1, 1))]
            elif part:
                words += [hump.lower() for hump in _HUMP.split(part)]
        if len(words) >= MOST:
            break
    return words[:MOST]


def hidden(word: str, salt: bytes) -> str:
    """A salted hash of a word that may be part of a value: the word can be found again, but not
    read."""
    return (
        HIDDEN + blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8, key=salt).hexdigest()
    )
