"""How unlike a word a value is: the bits that a reader could not guess, mapped to [0, 1].

A crude model of surprise that needs no dictionary. A word costs one or two bits, a digit 3.3, a
letter of a code 3.5 to 4.7, a symbol 1.5. ``the`` is near 0, ``4417`` at 0.6, ``XK7M9P2Q`` at 0.9.
Of several words only the most opaque one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ..types import Span
from .disorder import CUED, PAIRS, disorder

HALF = 9.0
"""Bits at which opacity is 0.5."""
UNREADABLE = 0.5
"""Opacity from which a word may be a secret that no detector found."""
LEAST_SECRET = 4  # characters of one, signs apart: shorter words number things (eu-2)

MAX_READ = 64  # characters that are read: longer values are opaque by then
MAX_WORDS = 8
DIGIT, LETTER, LONG_LETTER, UNSPOKEN, SYMBOL, JOINT = 3.3, 4.7, 3.0, 3.5, 1.5, 0.5
PASSWORD = 8  # characters from which symbols are a password's
SIGN = 4.0  # a symbol that no identifier has, in a word with digits: passwords
WORD, CAPITAL, ACRONYM = 1.0, 1.5, 2.0
LONG_WORD = 5  # letters that chance does not spell
SHORT_NUMBER = 2.0  # a digit of a number of up to three digits beside a word: sha256, python3
QUANTITY = 6.0  # years, 1,200, 3.14, 21st

_CHUNK, _JOINS = re.compile(r"\S+"), re.compile(r"[\W_]+")
_SIGNS = "!~$^&*#%"
LISTED = 0.6  # three words or more
_CASES = re.compile(r"\A(?=.*[a-z])(?=.*[A-Z])")
_LIST = re.compile(r"[^\W\d_A-Z]{3,16}(?:[ -][^\W\d_A-Z]{3,16}){2,7}")
LEAST_PAIRED = 4
_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+|[\W_]", re.ASCII)
_CODED = re.compile(r"[A-Za-z]\d+[A-Za-z]|\d[A-Za-z]+\d")
_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(r"[A-Za-z][a-z]{4}")  # without it no run is a long word
_UNSPEAKABLE = re.compile(r"[bcdfghjklmnpqrstvwxz]{6}|^[^aeiouy]{3,}$|q[^u]")
_QUANTITY = re.compile(
    r"(?:1[5-9]|20)\d\ds?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,4}\.\d{1,3}|\d{1,4}(?:st|nd|rd|th)"
)


def surprise(value: str) -> float:
    """Opacity of what is known to be a value: several plain words are hard to guess together."""
    weight = opacity(value)
    return LISTED if weight < LISTED and _LIST.fullmatch(value) else weight


def unreadable(text: str) -> Iterator[Span]:
    """Words of a text, between white space, that may be secrets although no detector found them; in
    order. Signs do not count: they join the words of keys and the digits of codes."""
    for chunk in _CHUNK.finditer(text):
        word = _JOINS.sub("", chunk.group())
        if len(word) >= LEAST_SECRET and opacity(word) >= UNREADABLE:
            yield Span(*chunk.span())


@lru_cache(maxsize=1024)
def opacity(value: str) -> float:
    """Opacity of a value: 0.5 at ``HALF`` bits of surprise, towards 1 for more. Cached, because
    several detectors weigh the same value."""
    words = value[:MAX_READ].split(maxsplit=MAX_WORDS)
    bits = _bits(words[0]) if words else 0.0
    for word in words[1:]:
        bits = max(bits, _bits(word))
    return 1.0 - 2.0 ** (-bits / HALF)


def _bits(word: str) -> float:
    if word.isascii() and (word.isdigit() or word.isalpha()):
        if word.isdigit():
            return QUANTITY if _QUANTITY.fullmatch(word) else len(word) * DIGIT
        if word.islower() and disorder(word) < CUED:
            return _letter_bits(word, False, True)
    elif word[0].isdigit() and _QUANTITY.fullmatch(word):
        return QUANTITY
    numbered = _DIGIT.search(word) is not None
    coded = numbered and _CODED.search(word) is not None
    if not numbered and disorder(word) >= CUED:
        return len(word) * LONG_LETTER
    runs = _RUNS.findall(word)
    if coded and _SPELLED.search(word) is None:  # most codes, judged without their runs
        return _code_bits(runs)
    letters = [run for run in runs if run.isalpha()]
    spoken = [run for run in letters if len(run) > 2 and not _unspeakable(run)]
    if coded:  # chance spells a word now and then
        spelled = sum([len(run) for run in spoken if _is_spelled(run)])
        if 2 * spelled < max(sum(map(len, letters)), 1):
            return _code_bits(runs)
    if not numbered and not word.isascii():
        numbered = any(run[0].isdigit() for run in runs)  # raised ones
    odd = len(word) >= PASSWORD and (numbered or _CASES.match(word) is not None)
    return _word_bits(runs, numbered, bool(spoken), odd)


def _is_spelled(run: str) -> bool:
    return len(run) >= LONG_WORD and not run.isupper() and not _is_unlikely(run)


@lru_cache(maxsize=1024)
def _unspeakable(run: str) -> bool:
    return run.isascii() and _UNSPEAKABLE.search(run.lower()) is not None


def _is_chance(run: str) -> bool:
    return not run.islower() and _is_unlikely(run)


@lru_cache(maxsize=1024)
def _is_unlikely(run: str) -> bool:
    """Whether at most half of its pairs of neighbouring letters occur in words."""
    if len(run) < LEAST_PAIRED or not run.isascii():
        return False
    lower = run.lower()
    pairs = sum(lower[i : i + 2] in PAIRS for i in range(len(lower) - 1))
    return 2 * pairs <= len(lower) - 1


def _code_bits(runs: list[str]) -> float:
    """Bits of a word in which letters and digits alternate."""
    bits = 0.0
    for run in runs:
        bits += _code_run_bits(run)
    return bits


@lru_cache(maxsize=4096)
def _code_run_bits(run: str) -> float:
    """Cached, because runs of codes are short and repeat."""
    if run[0].isdigit():
        return len(run) * DIGIT
    if run[0].isalpha():
        return len(run) * (LETTER if len(run) <= 2 else LONG_LETTER)
    return SYMBOL


def _word_bits(runs: list[str], has_digit: bool, has_word: bool, odd: bool) -> float:
    bits = 0.0
    for run in runs:
        first = run[0]
        if first.isdigit():
            bits += len(run) * (SHORT_NUMBER if has_word and len(run) <= 3 else DIGIT)
        elif not first.isalpha():
            strange = odd and run in _SIGNS
            bits += SIGN if strange else JOINT if has_word and run in "-_." else SYMBOL
        else:
            bits += _letter_bits(run, has_digit, has_word)
    return bits


def _letter_bits(run: str, has_digit: bool, has_word: bool) -> float:
    if len(run) <= 2:
        return len(run) * (LETTER if has_digit and not has_word else 1.0)
    if _unspeakable(run) or (has_digit and _is_chance(run)):
        return len(run) * (UNSPOKEN if len(run) > 4 else ACRONYM)
    return WORD if run.islower() else CAPITAL if run.istitle() else ACRONYM
