"""Candidates to numbers: hashed n-grams of a value and of the text left and right of it, the rules
that propose it, and the words of its label.

All candidates of a text are computed at once. A feature is a row of the model's table. Where words
are read, digits count as ``0`` and capitals as small letters; where the form of the value is read,
characters count as they are.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ..types import Ints
from .candidates import Candidates
from .text_codes import (
    EDGE,
    PRIMES,
    Codes,
    TextCodes,
    codes_of,
    column,
    mix,
)

BUCKETS = 1 << 16
LEFT, FAR = 30, 10  # characters read to the left; from FAR on the exact distance is dropped
WORDS = 5  # before a value
HEAD, TAIL = 12, 6  # characters of a value that are read from its begin and its end
RIGHT, BEYOND, AFTER = 5, 14, 3
"""Characters read to the right one by one, those read in any order, and words."""
INSIDE, LAST = 5, 2  # words of a value, from its begin and from its end
NEAR, PAIRS, FIRST = 6, 2, 3  # characters and pairs of words before a value, its first characters
NUMBERS, SIGNS, SAID = 18, 3, 10  # of characters, of what is said of a candidate, rows of that
_KIND, _PLACE = np.array([0x3C6EF372, 0x510E527F], np.uint32)
MAX_LENGTH = 48  # lengths from here on are alike
FARTHEST = 4000  # characters to the end of the line: less than a scanner sees beyond a value


def features(
    text: str, offered: Candidates
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.float32]]:
    """Rows of the table [candidate, FEATURES], and plain numbers [candidate, NUMBERS]."""
    codes = codes_of(text)
    begin, end = offered.begins + EDGE, offered.ends + EDGE
    line_end, line_start = codes.line_end(end), codes.line_start(begin)
    groups = [
        *_left(codes, begin),
        *_value(codes, begin, end, line_end),
        *_right(codes, begin, end, line_end),
        *_line(codes, begin, line_start),
        *(form[None] for form in codes.form(begin, end)),
        *codes.words_inside(begin, end, INSIDE, LAST),
    ]
    rows = np.concatenate(groups)
    kinds = np.arange(1, len(groups) + 1, dtype=np.uint32) * _KIND  # apart once they are mixed
    rows += np.repeat(kinds, list(map(len, groups)))[:, None]
    mix(rows)
    rows &= np.uint32(BUCKETS - 1)
    rows_of_all = np.empty((len(rows) + SAID, len(offered)), np.uint16).T
    rows_of_all[:, :-SAID], rows_of_all[:, -SAID:] = rows.T, _proposal_rows((), "")
    numbers = np.zeros((len(offered), NUMBERS + SIGNS), np.float32)
    numbers[:, :NUMBERS] = _numbers(codes, begin, end, line_end)
    if offered.proposed:
        proposed = list(offered.proposed.values())
        at = list(offered.proposed)
        rows_of_all[at, -SAID:] = [_proposal_rows(one.rules, one.words) for one in proposed]
        numbers[at, NUMBERS:] = [
            (len(one.rules) / 2, one.label is not None, one.delimited) for one in proposed
        ]
    return rows_of_all, numbers


@lru_cache(maxsize=1 << 14)  # labels and rules come again and again
def _proposal_rows(rules: tuple[str, ...], words: str) -> tuple[int, ...]:
    """Rows for the rules that propose a candidate and for the last words of its label."""
    label = words.split()
    parts = [f"n:{min(len(rules), 3)}", "rules:" + "+".join(rules), *(f"r:{r}" for r in rules[:3])]
    if label:
        parts += [f"l:{label[-1]}", f"L:{words}", *(f"l2:{word}" for word in label[-2:-1])]
        parts += [f"rl:{rule}{label[-1]}" for rule in rules[:1]]
    parts = (parts + ["none"] * SAID)[:SAID]
    return tuple(crc32(part.encode("utf-8", "surrogatepass")) & (BUCKETS - 1) for part in parts)


def _left(codes: TextCodes, begin: Ints) -> list[Codes]:
    near = codes.folded[begin - 1 - column(NEAR)] + (1 + column(NEAR, np.uint32)) * _PLACE
    grams = codes.grams[begin - 3 - column(LEFT)]
    positional = grams[:FAR] + column(FAR, np.uint32) // 2 * PRIMES[4]
    back = codes.words_before(begin, WORDS)
    placed = back + column(WORDS, np.uint32) * PRIMES[3]
    pairs = back[:PAIRS] * PRIMES[2] + back[1 : PAIRS + 1]
    return [near, positional, grams[FAR // 2 :], placed, back, pairs]


def _value(codes: TextCodes, begin: Ints, end: Ints, line_end: Ints) -> list[Codes]:
    length = end - begin
    head, inside = begin + column(HEAD), column(HEAD) <= length - 3
    shapes = codes.shapes[head]
    shapes[0] += PRIMES[3]
    ends = codes.shapes[end - 3 - column(TAIL)]
    ends[0] += PRIMES[3]
    at = begin + column(FIRST)
    seen = at <= line_end  # a value of one sign may end the text so far
    first = codes.folded[at] * seen
    first += column(FIRST, np.uint32) * np.uint32(977)
    size = np.minimum(length, MAX_LENGTH).astype(np.uint32)
    whole = codes.grams[begin] * PRIMES[1] + codes.grams[np.maximum(end - 3, begin)]
    return [
        shapes * inside,
        codes.grams[head] * inside,
        ends * inside[:TAIL],
        first,
        size[None],
        (whole * seen[-1] + size)[None],
    ]


def _right(codes: TextCodes, begin: Ints, end: Ints, line_end: Ints) -> list[Codes]:
    at = end + column(BEYOND)
    after = codes.folded[at[:RIGHT]] * (at[:RIGHT] <= line_end)
    placed = after + column(RIGHT, np.uint32) * PRIMES[3]
    around = codes.folded[begin - 1] * PRIMES[1] + after[:1]
    # Nothing after the line: it may not have arrived yet.
    beyond = codes.grams[at] * (at + 2 <= line_end)
    return [placed, around, beyond, codes.words_after(end, AFTER)]


def _line(codes: TextCodes, begin: Ints, line_start: Ints) -> list[Codes]:
    """Distance from the line's begin, and how the line begins."""
    distance = np.minimum(begin - line_start, 31).astype(np.uint32)
    opening = codes.shapes[line_start] * (begin - line_start >= 3)
    return [distance[None], opening[None]]


def _numbers(codes: TextCodes, begin: Ints, end: Ints, line_end: Ints) -> npt.NDArray[np.float32]:
    """Shares of character classes, changes of class, and lengths."""
    length = (end - begin).astype(np.float32)
    inside = codes.counts(begin, end).T
    numbers = np.empty((len(begin), NUMBERS), np.float32)
    numbers[:, 0] = np.log2(length)
    numbers[:, 1] = np.log2(1.0 + np.minimum(line_end - end, FARTHEST))
    strange = codes.strange[end - 1] - codes.strange[begin]
    numbers[:, 16], numbers[:, 17] = strange / 160, strange / (20 * length)
    numbers[:, 2:16:2] = inside / length[:, None]
    numbers[:, 3:16:2] = np.log2(1.0 + inside)
    return numbers / np.float32(2.0)
