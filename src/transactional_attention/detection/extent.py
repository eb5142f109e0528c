"""Where a value begins and ends, given the place after its announcement.

Matching quotes, brackets and backticks mark the end (``delimited``); otherwise a value ends at
white space or a delimiter. Punctuation of the sentence is left out, but dots, colons and slashes
inside paths, URLs, addresses and times stay. Several words are one value only in quotes or in a few
known shapes (coordinates, times, grouped numbers), because the end of a phrase in a sentence is not
certain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..types import Span
from .detector import MAX_VALUE
from .forms import several

_CLOSING = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "「": "」", "„": "“"}
_CLOSING |= {"(": ")", "[": "]", "<": ">"}
_ESCAPED = ('\\"', "\\'")
MAX_BRACKET = 128

_OPENING = re.compile(r"[*_]{0,2}(\\[\"']|[\"'`“‘«「„(\[<])")
_EMPHASIS = re.compile(r"\*{1,2}|_{2}")
# One character at a time, each by exactly one branch: linear, whatever the text.
_BARE = re.compile(
    r"(?:[^\s\"'`“”«»「」<>|,;&\\。，；、（）]|,(?=\d)|;(?=[^\s\"'])(?=\w{1,32}=)|&(?!\w{1,40}=)|(?<=\w)'(?=\w)|\\(?![\"'nrt]))"
    rf"{{1,{MAX_VALUE}}}"
)
# A mark before a letter ends no sentence.
_BELONGS = re.compile(r"!(?<=[A-Za-z\d]!)[^\W\d_]")
_OPENED_BY = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Extent:
    """The characters of a value, without quotes or brackets around it. ``delimited``: these, or its
    form, mark its end. ``quoted``: they stand around it."""

    value: Span
    delimited: bool
    quoted: bool


def find_extent(text: str, at: int, *, sentence: bool = False) -> Extent | None:
    """The value that begins at ``at``, or None when there is none.

    ``sentence``: a word announced the value, so ``!`` and ``?`` end the sentence, not the value.
    """
    opening = _OPENING.match(text, at)
    if opening:
        extent = _delimited(text, opening)
        if extent is not None:
            return extent
        if opening.group(1) in ("[", "(", "<"):
            return None
        at = opening.end()
    emphasis = _EMPHASIS.match(text, at)
    if emphasis:
        at = emphasis.end()
    end = several(text, at)[0]
    if end > at:
        return Extent(Span(at, end), True, False)
    bare = _BARE.match(text, at)
    if bare is None:
        return None
    end = trim(text, at, bare.end(), sentence=sentence)
    if end == at or text[end - 1] in "([{":  # nothing, or a call or a structure that begins here
        return None
    return Extent(Span(at, end), False, False)


def _delimited(text: str, opening: re.Match[str]) -> Extent | None:
    mark, start = opening.group(1), opening.end()
    closing = mark if mark in _ESCAPED else _CLOSING[mark]
    limit = start + (MAX_BRACKET if mark in "([<" else MAX_VALUE)
    line_end = text.find("\n", start, limit)
    limit = limit if line_end < 0 else line_end
    end = text.find(closing, start, limit)
    while end > start and text[end - 1] == "\\" and mark not in _ESCAPED:
        end = text.find(closing, end + 1, limit)
    if end <= start or (mark in "([<" and text.find(mark, start, end) >= 0):
        return None
    begin = start + (len(text[start:end]) - len(text[start:end].lstrip()))
    stop = start + len(text[start:end].rstrip())
    if mark in "([<" and any(quote in text[begin:stop] for quote in "\"'`"):
        return find_extent(text, begin)
    if not _says_something(text, begin, stop):
        return None
    return Extent(Span(begin, stop), True, mark not in "([<")


def trim(text: str, start: int, end: int, *, sentence: bool) -> int:
    """Where a value without quotes ends, without the punctuation of its sentence."""
    if end > start and text[end - 1].isalnum():
        return end
    spare: dict[str, int] = {}  # closing brackets more than opening ones
    while end > start:
        last = text[end - 1]
        if last in _OPENED_BY:
            if last not in spare:
                opening = _OPENED_BY[last]
                spare[last] = text.count(last, start, end) - text.count(opening, start, end)
            spare[last] -= 1
            if spare[last] < 0:
                break
        elif last in "!?":
            if not sentence or _BELONGS.match(text, end - 1):
                break
        elif last not in ".,;:*…" or text[end - 2 : end] == "/*":
            break
        end -= 1
    return end if _says_something(text, start, end) else start


def _says_something(text: str, start: int, end: int) -> bool:
    return any(char.isalnum() for char in text[start : min(end, start + 64)])
