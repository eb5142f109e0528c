"""The naming words of a label or a question."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_TABLE = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_LOOSE = frozenset(_TABLE["loose"].split())
_JOINING, _BENT = frozenset(_TABLE["joining"].split()), tuple(_TABLE["bent"].split())


def content_words(text: str) -> str:
    """The naming words in lower case, split as identifiers are (``apiKey``)."""
    words = [word.lower() for word in PIECE.findall(text)]
    return " ".join([word for word in words if word not in _LOOSE])


label_words = lru_cache(maxsize=1 << 12)(content_words)  # labels come again and again


@lru_cache(maxsize=1 << 14)
def is_common(word: str) -> bool:
    """Whether a word (in lower case) joins others, or has an ending that words get in sentences."""
    short = len(word) < 3 and word.isascii()
    return short or word in _JOINING or word.endswith(_BENT)
