"""Passwords that hold no digit, so that they are no candidates: both cases, and a sign inside."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .chunks import OUT
from .extent import trim
from .text_words import places

_SIGNS = "!~^"
_SIGNED_BEFORE = re.compile(rf"[^{OUT}]{{1,32}}")
_SIGNED = re.compile(rf"[^{OUT}]{{1,32}}(?=[{OUT}]|\Z)")
_DIGIT = re.compile(r"[\d@/\\]")
LEAST_SIGNED = 8


def passwords(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each."""
    last = 0
    for sign in sorted(at for mark in _SIGNS for at in places(text, mark)):
        inside = text[sign - 1 : sign].isalnum() and text[sign + 1 : sign + 2].isalnum()
        if sign < last or not inside:
            continue
        before = _SIGNED_BEFORE.match(text[max(0, sign - 32) : sign][::-1])
        after = _SIGNED.match(text, sign)
        if before is None or after is None:
            continue
        begin, end = sign - before.end(), trim(text, sign, after.end(), sentence=True)
        last, value = end, text[begin:end]
        mixed = not (value.islower() or value.isupper()) and not _DIGIT.search(value)
        if len(value) >= LEAST_SIGNED and mixed:
            yield begin, end
