"""Chunks of running text that hold a digit, ``@`` or a slash, or that a bracket opens as a number.

Most text holds none. So what tells a chunk is looked for in one pass over bytes, and a pattern is
tried at the delimiters before it alone; it matches there what it would find by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from .detector import MAX_VALUE

OUT = r"\s\"'`<>()\[\]{},;|=“”‘’«»„「」『』【】〔〕《》：。、，；！？（）…"
# A value in scripts that write no spaces stands between their letters.
_WIDE = (
    r"\u0590-\u065f\u066d-\u06ef\u06fa-\u0965\u0970-\u0dff"
    r"\u0e00-\u0fff\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af"
)
_PLANE = 1 << 16  # characters of the basic plane; few texts hold others
_ASCII_OUT = r"\t-\r\x1c- \"'`<>()\[\]{},;|="


def _token(out: str, digit: str) -> re.Pattern[str]:
    """Possessive, and begun only at a delimiter: every chunk is walked once."""
    return re.compile(
        rf"[{out}]((?:[^{out}{digit}@/\\]*+[{digit}@/\\]|\((?=(?:\d{{2,5}}|0)\) ?\d)"
        rf"|\[(?!\d\d?:\d\d[:.\]])(?=[0-9a-f]{{0,4}}:)|[$€£¥](?=\d))"
        rf"(?:[^{out}]|(?<=\d),(?=\d{{3}})){{0,{MAX_VALUE}}}+(?:={{1,2}}(?![\"']?[\w/%+]))?)"
    )


# Sets that name their characters are asked faster than those that hold a class.
_SPACES = r" \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
DIGITS = "".join(filter(str.isdecimal, map(chr, range(_PLANE))))
"""Of the basic plane, as many characters of a class."""
_ENDS = OUT.replace(r"\s", _SPACES) + _WIDE
_TOKEN = _token(_ENDS, DIGITS + "\U0001d7ce-\U0001d7ff")  # with the mathematical ones
_ASCII_TOKEN = _token(_ASCII_OUT, "0-9")  # the same in such texts, in less time
_DELIMITER, _TELLING, _SQUARE, _ROUND = 1, 2, 3, 5  # odd: delimiters
Codes = npt.NDArray[np.uint8]


def chunk_matches(text: str) -> Iterator[re.Match[str]]:
    """Matches over ``" " + text``: a delimiter, and the chunk behind it."""
    padded = " " + text
    token = _ASCII_TOKEN if text.isascii() else _TOKEN
    codes = _codes(padded)
    if codes is None:
        yield from token.finditer(padded)
        return
    last = 0
    for begin in _begins(codes):
        match = token.match(padded, begin) if begin >= last else None
        if match:
            last = match.end()
            yield match


def _begins(codes: Codes) -> list[int]:
    """Where chunks may begin: at the last delimiter before what tells one, and before a bracket."""
    delimiters = np.flatnonzero(codes & 1)
    telling = np.flatnonzero(codes == _TELLING)
    near = delimiters[np.searchsorted(delimiters, telling) - 1]
    square = np.flatnonzero(codes == _SQUARE)
    opened = np.concatenate([near[codes[near] == _ROUND], square]) - 1
    opened = opened[opened >= 0]
    opened = opened[codes[opened] & 1 > 0]
    return np.unique(np.concatenate([near, opened])).tolist()


def _codes(text: str) -> Codes | None:
    """What each character is to a chunk; None where one is beyond the tables."""
    if text.isascii():
        return np.frombuffer(text.encode().translate(_ascii_table()), np.uint8)
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return None if characters.max() >= _PLANE else _table(_ENDS, DIGITS, _PLANE)[characters]


@lru_cache(maxsize=1)
def _ascii_table() -> bytes:
    return _table(_ASCII_OUT, "0-9", 256).tobytes()


@lru_cache(maxsize=2)
def _table(out: str, digit: str, size: int) -> Codes:
    """The codes of the first ``size`` characters."""
    every = "".join(map(chr, range(size)))
    table = np.zeros(size, np.uint8)
    for form, code in ((rf"[{out}]", _DELIMITER), (rf"[{digit}@/\\]", _TELLING)):
        table[[match.start() for match in re.finditer(form, every)]] = code
    table[ord("[")], table[ord("(")] = _SQUARE, _ROUND
    return table
