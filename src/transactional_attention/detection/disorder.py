"""Codes of letters alone: their order is one that no word and no name has.

Of codes of twelve letters and digits one in eight holds no digit, and some are letters by intent:
``TzzpUnzEaeMk``, ``kqzvwmtrpbxd``, ``QJXW-RTBK``. ``disorder`` weighs pairs of neighbours and,
where both cases occur, runs of one case. Its weights are a logistic fit, rounded, of random letters
against 50,000 words: of articles, of a declaration in nine European languages, and names in Python
packages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import add
from string import ascii_lowercase

import numpy as np

LEAST, MOST = 8, 256  # letters, with what joins them
CUED, ALONE = 1.0, 3.0
"""Disorder from which a word is a code: where something speaks for one, and where nothing does."""
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
PAIR_ODDS = {
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
            total += PAIR_ODDS[pair]
    return total
