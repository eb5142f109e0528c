"""What stands between quotes behind the name of a value is that value, whole; so is a password
that a semicolon stands in."""

from __future__ import annotations

import re

from .joining import JOINING
from .quoted_words import names_a_secret
from .quotes import MARKS, mate

MOST = 8  # words
_LOOSE = " \t.,;:!?*_)"
# A semicolon that no pair follows, inside a password.
_SEMICOLON = re.compile(r";[^\s\"'`;=:,.!?<>(){}\[\]|]{1,32}(?=[ .,]|\s*(?:\n|\Z))")


def whole(text: str, label: int, begin: int, end: int) -> int:
    """Where the value that begins at ``begin`` ends, at ``end`` or, behind an opening quote, at its
    mate; ``begin`` where it has none although words follow. A sentence between quotes may begin
    with a value, unless what ``text[label:begin]`` names is a secret."""
    mark = text[begin - 1 : begin]
    if mark not in MARKS:
        more = _SEMICOLON.match(text, end) if text[end : end + 1] == ";" else None
        return more.end() if more and names_a_secret(text[label:begin]) else end
    stop = mate(text, begin - 1)
    if stop < 0:
        return end if mark in "'‘" or not _goes_on(text, end) else begin
    rest = text[end:stop]
    if stop <= end or not rest.strip(_LOOSE):
        return end
    words = text[begin:stop].split()
    if names_a_secret(text[label:begin]):
        return stop if len(words) <= 2 * MOST else begin
    said = len(words) > MOST or any(word.strip(_LOOSE).lower() in JOINING for word in words)
    return end if said else stop


def _goes_on(text: str, end: int) -> bool:
    """Whether words follow on the line."""
    return text[end : end + 1] == " " and text[end + 1 : end + 2].isalnum()
