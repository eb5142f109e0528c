"""Codes of letters alone: their order is one that no word and no name has.

Of codes of twelve letters and digits one in eight holds no digit, and some are letters by intent:
``TzzpUnzEaeMk``, ``kqzvwmtrpbxd``, ``QJXW-RTBK``. ``disorder`` weighs pairs of neighbours and,
where both cases occur, runs of one case. Its weights are a logistic fit, rounded, of random letters
against 50,000 words: of articles, of a declaration in nine European languages, and names in Python
packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from operator import add
from string import ascii_lowercase

import numpy as np

from .extent import UNSPACED

LEAST, MOST = 8, 256  # letters, with what joins them
LABELLED, CUED, ALONE = 0.0, 1.0, 3.0
"""Disorder from which a word is a code: under a fitting label, behind a cue, with neither."""
_COMMON, _RARE, _OTHER, _RUN, _SHORT, _NONE = -0.7, 2.0, 0.65, -0.5, 1.75, -1.4
PAIRS = frozenset(
    "th he in er an re nd on en at ou ed ha to or it is hi es ng st ar te se me sa ne wa ve "
    "le no ta al de ot so ll tt el ro ad di ew ra ri li io ic co ec ce ch ca as ma om of et "
    "ea ns nt ti us ut un ur up ul pe pr pl po pa la lo lu na ni ol ow oo op os od ov ob og "
    "id if ig il im ir iv ge gh gr ga ho ht ie ly mi mo mu mp my nc nk rs rt ry ru rd rm sc "
    "sh si sp su ss tr tu ty ts ub uc ue ug um vi wh wi wo wr ab ac ag ai ak am ap av aw ay "
    "ba be bi bl bo br bu ck cl cr ct da do dr du ef eg ei em ep ev ex ey fa fe fi fl fo fr "
    "ft fu ke ki ee".split()
)
"""Pairs of letters that words of European languages are made of, the commonest 200 of 676."""
RARE = frozenset(
    letters[:1] + second
    for letters in (
        "aoq bghknqvwxz cbgjqvwx dkqx fbghjknqvwxz gbjkqvwxz hcfgjkqvxz jbcdfghlmnpqrtvwxyz "
        "kbcfhjmqvxyz ljqxz mghjkqvwxz nqx oq pbjkqvxz qabcdefghijklmnoprstvwxyz rjqx sjx tjkqx "
        "uhjqwyz vbcdfghjklmnpqrstuwxyz wbfgjkmpquvxz xbdghjknqruvwz yhjkquvxz "
        "zbcdfghjklmpqrstvwx "
    ).split()
    for second in letters[1:]
)
"""Pairs of unlike letters that are fewer than one in 10,000 of the pairs of those words."""
_WEIGHTS = {
    (pair := first + second): _COMMON
    if pair in PAIRS or first == second
    else _RARE
    if pair in RARE
    else _OTHER
    for first in ascii_lowercase
    for second in ascii_lowercase
}
_WORD = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z]+)*")
_RUNS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ON = rf"[^\W{UNSPACED}]"  # a letter or digit that a word goes on with
_JOINED = re.compile(r"[A-Za-z_\-]*+")
_COMES_FROM = re.compile(rf"{_ON}|[@/\\.$%&+]")
_GOES_ON = re.compile(rf"{_ON}|[@/\\(]|[.&+=]{_ON}")


def _telling() -> np.ndarray:
    """By codes of two neighbours: a rare pair, or a capital inside a word."""
    table = np.zeros((256, 256), bool)
    for pair in RARE:
        first, second = (ord(letter) for letter in pair)
        for a in (first, first - 32):
            table[a, [second, second - 32]] = True
    table[ord("a") : ord("z") + 1, ord("A") : ord("Z") + 1] = True
    return table.ravel()


_TELLING = _telling()


def scrambled(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each such code between delimiters, from ``CUED`` on."""
    codes = np.frombuffer(text.encode("latin-1", "replace"), np.uint8).astype(np.uint16)
    last = 0
    for at in np.flatnonzero(_TELLING[codes[:-1] << 8 | codes[1:]]).tolist():
        if at < last:
            continue
        begin = at - _end(text[max(0, at - MOST) : at][::-1], 0)
        last = _end(text, at)
        if last - begin > MOST or _GOES_ON.match(text, last):
            continue
        if begin and _COMES_FROM.match(text, begin - 1):
            continue
        joined = text[begin:last]
        word = joined.strip("-_")
        if disorder(word) >= CUED:
            begin += joined.index(word)
            yield begin, begin + len(word)


def _end(text: str, at: int) -> int:
    """Where letters, and what joins them, end."""
    match = _JOINED.match(text, at)
    assert match is not None  # it matches nothing, too
    return match.end()


@lru_cache(maxsize=4096)
def disorder(word: str) -> float:
    """Log odds that chance, not a language, put the letters of a word in their order; of chance and
    language in equal parts. Minus infinity for what is no such word."""
    if not LEAST <= len(word) <= MOST or _WORD.fullmatch(word) is None:
        return -np.inf
    runs = _RUNS.findall(word)
    total = _NONE + _RUN * (len(runs) - 1)
    for run in runs:
        total += _SHORT * (len(run) <= 2 and len(runs) > 1)
        lower = run.lower()
        for pair in map(add, lower, lower[1:]):
            total += _WEIGHTS[pair]
    return total
