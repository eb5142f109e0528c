"""Words that take something back: an earlier value no longer holds, the following one does.

They need not stand next to the value: "Erratum: for the rendezvous read V", "wrong seed, it is
V".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from ..detection.labels import letter_tree

_WORDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_TO_SPACES = bytes(byte if chr(byte).isalnum() and byte < 128 else 32 for byte in range(256))


def split(lower: str) -> list[bytes]:
    """The ASCII words of a text in lower case."""
    return lower.encode("ascii", "replace").translate(_TO_SPACES).split()


def _any_of(markers: Iterable[str]) -> re.Pattern[str]:
    """One pattern for all markers. A marker in ASCII must be whole words, others may be stems."""
    return re.compile(letter_tree(map(_letters, markers)))


def _letters(marker: str) -> list[str]:
    letters = [re.escape(char) for char in marker.removesuffix("*")]
    begins = [r"\b"] if marker[0].isascii() else []
    ends = [r"\b"] if marker.isascii() and marker[-1].isalnum() else []
    return [*begins, *letters, *ends]


_MARKER = _any_of(_WORDS["markers"])
# These speak only beside the new value.
_INTERJECTION = re.compile(
    r"(?:[.,;!?(—–-]|\A|\n) ?(?:(?:hmm?|oh|ugh|ah|no),? )?(?:no|nope|nah|wait|sorry|ugh|argh"
    r"|edit|update|hmm?)\b ?[,.:;!—–-]"
)
WORDS = frozenset([*_WORDS["words"].split(), *" ".join(_WORDS["markers"]).split()])
"""Words of corrections that do not name a value."""
_FIRST = {split(marker)[0] for marker in _WORDS["markers"] if marker.isascii()}
_HINTS = {*_WORDS["hints"].encode().split(), *_FIRST, *(word + b"s" for word in _FIRST)}


def corrected(before: str) -> bool:
    """Whether the text before a value, its sentence and the one before, takes something back."""
    lower = before.lower()
    if lower.isascii() and _HINTS.isdisjoint(split(lower)):
        return False  # most of them, without a pattern
    return _MARKER.search(lower) is not None or _INTERJECTION.search(lower) is not None
