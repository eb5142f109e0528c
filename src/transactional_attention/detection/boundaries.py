"""Where values may begin and end: at borders of words and signs, weighed by what is around them.

Two linear models over hashed n-grams say how likely a value begins, and ends, at a place. A begin
and a later end that are likely enough together become a candidate for the scorer. A value that is
missed here is lost, so little is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import Floats32, Ints
from .detector import MAX_VALUE
from .text_codes import PRIMES, QUOTE, Codes, TextCodes, column, mix

BUCKETS = 1 << 15
CHARACTERS, GRAMS, WORDS = 4, 6, 4  # on either side of a place
MOST_ENDS = 12  # likely ones that are tried for a begin
SUREST = 3.0  # log odds beyond which more says no more


@dataclass(frozen=True)
class Boundaries:
    """The trained numbers. ``weights`` [2, BUCKETS]: of begins and of ends, in 8 bits. ``scale``
    [2]. ``offsets`` [3]: log odds of any begin and of any end, and the sum from which a pair
    counts."""

    weights: npt.NDArray[np.int8]
    scale: Floats32
    offsets: Floats32

    def spans(self, codes: TextCodes) -> tuple[Ints, Ints]:
        """Begins and ends [span] of everything that may be a value, ordered by begin."""
        begin, end = places(codes)
        tables = zip((begin, end), self.weights, self.scale, self.offsets)
        scores = [
            np.take(table, rows_of(codes, at, side).T).sum(0, dtype=np.int16) * scale + offset
            for side, (at, table, scale, offset) in enumerate(tables)
        ]
        return pairs(codes, begin, scores[0], end, scores[1], float(self.offsets[2]))


def pairs(
    codes: TextCodes, begin: Ints, begins: Floats32, end: Ints, ends: Floats32, least: float
) -> tuple[Ints, Ints]:
    """Begins and ends [span] of pairs on one line whose log odds sum to at least ``least``."""
    begins, ends = np.minimum(begins, SUREST), np.minimum(ends, SUREST)
    # by a bound of their own, not by the likeliest here: a part of a text must give the same spans
    likely, likely_end = begins >= least - SUREST, ends >= least - SUREST
    begin, begins, end, ends = begin[likely], begins[likely], end[likely_end], ends[likely_end]
    if not len(begin) or not len(end):
        return begin[:0], end[:0]
    which = np.searchsorted(end, begin, "right")[:, None] + np.arange(MOST_ENDS)
    there = which < len(end)
    which = np.minimum(which, len(end) - 1)
    last = np.minimum(codes.line_end(begin), begin + MAX_VALUE)
    there &= codes.letter_count[end[which]] > codes.letter_count[begin][:, None]  # more than signs
    there &= (end[which] <= last[:, None]) & (begins[:, None] + ends[which] >= least)
    row, column = np.nonzero(there)
    return begin[row], end[which[row, column]]


def places(codes: TextCodes) -> tuple[Ints, Ints]:
    """Where a value may begin, and where one may end: not inside a word, except between characters
    of scripts without spaces."""
    letters, unspaced = codes.letters, codes.unspaced
    solid = codes.solid & (codes.marks & QUOTE == 0)
    joined = letters[1:] & letters[:-1] & ~(unspaced[1:] | unspaced[:-1])
    return np.flatnonzero(solid[1:] & ~joined) + 1, np.flatnonzero(solid[:-1] & ~joined) + 1


def rows_of(codes: TextCodes, at: Ints, side: int) -> Codes:
    """Rows of the table [place, feature] that describe the places as begins (``side`` 0) or ends
    (1)."""
    # of the n-grams ahead those on the line: no more may have come
    seen = at + 2 + column(GRAMS) <= codes.line_end(at)
    back, ahead = codes.words_before(at, WORDS), codes.words_after(at, WORDS - 1)
    groups = [
        codes.folded[at - 1 - column(CHARACTERS)],
        codes.folded[at + column(CHARACTERS)] * seen[:CHARACTERS],
        codes.grams[at - 3 - column(GRAMS)],
        codes.grams[at + column(GRAMS)] * seen,
        back,
        ahead,
    ]
    if side == 0:
        groups.append(codes.shapes[at + column(GRAMS)] * seen)
        groups.append(codes.grams[at - 3 - GRAMS - 2 * column(GRAMS)])
    else:
        groups.append(codes.shapes[at - 3 - column(GRAMS)])
    groups.append(back[:1] * PRIMES[2] + (ahead[:1] if side else back[1:2]))
    rows = np.concatenate(groups)
    rows += (column(len(rows), np.uint32) + np.uint32(1 + 100 * side)) * PRIMES[4]
    mix(rows)
    rows &= np.uint32(BUCKETS - 1)
    return rows.T
