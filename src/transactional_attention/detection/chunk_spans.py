"""Tokens of running text that may be values: what holds a digit, ``@`` or a slash, as far as it
goes, and letters in no order (``disorder``). Words drawn by chance: see ``drawn``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .call_ids import ties_a_call
from .chunks import chunk_matches
from .detector import MAX_VALUE
from .disorder import scrambled
from .extent import COMPOSITE, UNSPACED, composite_end, trim
from .groups import grouped_begin, grouped_end
from .last_signs import is_keyed, is_last
from .notations import earlier, written
from .streets import street

# What is named and given a value; an address goes on behind the sign.
_GIVEN = re.compile(r"=(?!=)|[ \t]{1,8}=[ \t]")
_NAME = re.compile(r"[A-Za-z_][\w\-]*+(?:\.[\w\-]++)++")
_QUERY = re.compile(rf"[^\s\"'`<>\\|{{}}“”{UNSPACED}]{{1,{MAX_VALUE}}}+")


# The number of a house, and what is written on to it.
_HOUSE = re.compile(r"(?:[Nn]o[.:]|[Nn][º°]|n\.|д\.)?(?=\d)")
# Letters of a script without capitals between the groups of a number: 2025/ص/5598.
_ON = re.compile(r"[^\x00-\u036f\W\d_]{1,3}[/\-]\d[\d/\-]*(?<=\d)")
_BEFORE_SIGN = frozenset("= \t")
_OPENED = ("=", '"', "'", ":", "/")
_BEGIN_NONE = frozenset("abcdefghijlmopqrstuvwxyz/_@~")  # n., the number of a house, may begin one
_QUOTES = ('"', "'")
_SIGN_LAST = frozenset("*#.,;:!?")
LEAST = 3
"""Characters that a street may not take from a value before it."""


@lru_cache(maxsize=1)
def candidates(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Begin, end, and whether a known form of several words marks the end.

    What was read last is remembered: several detectors read the same text in turn.
    """
    found = list(_candidates(text))
    coded = [(begin, end, False) for begin, end in scrambled(text)]
    if not coded:
        return tuple(found)
    merged: list[tuple[int, int, bool]] = []
    for candidate in sorted(found + coded, key=lambda span: (span[0], -span[1])):
        if not merged or candidate[0] >= merged[-1][1]:
            merged.append(candidate)
    return tuple(merged)


@lru_cache(maxsize=1)
def untied(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Candidates that are no ids of calls."""
    return tuple([one for one in candidates(text) if not ties_a_call(text, one[0], one[1])])


def _candidates(text: str) -> Iterator[tuple[int, int, bool]]:
    last = taken = 0
    striking = "~~" in text
    for match in chunk_matches(text):
        begin, end = match.start(), match.end() - 1
        if begin < last:
            continue
        if striking and _is_struck(text, begin, end):
            last = end
            continue
        keyed = _keyed_end(text, begin, end) if text[end - 1] in _SIGN_LAST else 0
        if keyed:
            last = taken = keyed
            yield begin, keyed, False
            continue
        while begin < end and text[begin] in "_:-–—*#":
            if text[begin] == "-" and text[begin + 1 : begin + 2].isdigit():
                break  # a sign
            begin += 1
        if text[end : end + 1] in _BEFORE_SIGN and _GIVEN.match(text, end):
            if "://" in text[begin:end]:
                query = _QUERY.match(text, end)
                end = query.end() if query else end
            elif _is_key(text, begin, end):
                last = end
                continue
        first, stop = _composite(text, begin, end, last, taken)
        if stop > first:
            last = taken = stop
            yield first, stop, True
            continue
        end = end if text[end - 1].isalnum() else _end(text, begin, end)
        if end > begin:
            last = end
            taken = end if end - begin >= LEAST else taken
            yield begin, end, False


def _end(text: str, begin: int, end: int) -> int:
    """Where a chunk ends without the marks of its sentence, and with letters between its groups."""
    on = _ON.match(text, end) if text[end - 1] in "/-" else None
    end = on.end() if on else trim(text, begin, end, sentence=True)
    marks = "*#_" if text[begin - 1 : begin] in ("*", "_") else "*#"
    while end > begin and text[end - 1] in marks:
        end -= 1
    if end > begin:
        end -= text[end - 1] == "\\" and text[end : end + 1] in _QUOTES  # of the quote
        end += text[end - 1] == "-" and "\u4e00" <= text[end : end + 1] <= "\u9fff"  # 0619-沪
    return end


def _keyed_end(text: str, begin: int, end: int) -> int:
    """Where what a keypad takes ends in a chunk that begins with it; 0 where it does not."""
    while end > begin and text[end - 1] in ".,;:!?":
        end -= 1
    own = text[end - 1] in "*#" and (is_keyed(text, begin, end) or is_last(text, begin, end))
    return end if own else 0


def _composite(text: str, begin: int, end: int, last: int, taken: int) -> tuple[int, int]:
    """Begin and end of a known form of several words that the chunk ``text[begin:end]`` belongs to;
    twice the same if none. ``last``, ``taken``: where the value before ends, and a long one."""
    if text[begin - 1 : begin] in _OPENED and text[begin] in _BEGIN_NONE:
        return begin, begin  # many values, without a pattern
    if text[end : end + 1] == " ":
        first = max(grouped_begin(text, begin), last)
        stop = grouped_end(text, first)
        if stop > end:
            return first, stop
    house = _HOUSE.match(text, begin)
    if house is not None:
        first, stop = street(text, house.end(), taken)
        if stop > first and stop >= end - 2:
            return first, stop
    if text[begin - 1 : begin] == " " and text[max(last, begin - 4) : begin - 1].isupper():
        priced = COMPOSITE.match(text, begin - 4)  # a currency before its amount
        summed = priced and priced.end() >= end - 2 and "." in priced.group()
        begin -= 4 if summed else 0
    first = max(earlier(text, begin), last)
    stop = written(text, first)[0] if first < begin else begin
    if stop < end - 2 or stop <= begin:
        first, stop = begin, composite_end(text, begin)
    return (first, stop) if stop > first and stop >= end - 2 else (begin, begin)


def _is_key(text: str, begin: int, end: int) -> bool:
    """Whether a chunk before ``=`` is a name: behind another sign it is a value that holds one."""
    if text[end] == "=":
        return text[begin - 1 : begin] != "="
    return _NAME.fullmatch(text, begin, end) is not None


def _is_struck(text: str, begin: int, end: int) -> bool:
    """Whether a chunk is struck through: ``~~4471~~``."""
    opened = text.startswith("~~", begin)
    return text[max(0, begin - 2) : begin] == "~~" or (
        opened and text.find("~~", begin + 2, end) >= 0
    )
