"""What is written as label and value and states none: sentences, turns of a conversation, places
in a program."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u064b-\u0652\u0900-\u0dff'’\-])*")
# Behind a sign of the sentence a word follows that is no label of its own.
_GOES_ON = re.compile(r"[,;.!?،؛]{1,2} [^\W\d_]++(?:['’][^\W\d_]++)*(?![\w\-]|['’]\w|[ \t]*[:=])")
_TURN = re.compile(r"User|Human|Customer|Client|Caller|USER|HUMAN")
_CAPITAL = re.compile(r"[A-Z]['’]?[a-z]")
_MARKS = " \t#*>-[|"
_LINE_OF_CODE = re.compile(r":[\w./\\@\-]*:\d{1,6}:\d{1,6}(?!\w)")


def is_said(
    text: str, label: tuple[int, int], value: tuple[int, int], *, spread: bool, sure: bool
) -> bool:
    """Whether a bare plain word begins a sentence, or is what a turn of a conversation says.

    ``spread``: more follows it on its line. ``sure``: the label promises a value of any form.
    """
    start, end = value
    while not sure and end > start and text[end - 1] in "!?،؛":
        end -= 1
    if not _is_plain(text[start:end]):
        return False
    if spread or end < value[1] or (not sure and _GOES_ON.match(text, end)):
        return True
    before = text[max(0, label[0] - 12) : label[0]].rstrip(_MARKS)
    turns = before[-1:] in ("", "\n") and _TURN.fullmatch(text, *label)
    return bool(turns and _CAPITAL.match(text, start))


def _is_plain(value: str) -> bool:
    """Whether a value is a word without capitals, but for the first letter."""
    return value[1:] == value[1:].lower() and _PLAIN.fullmatch(value) is not None


def is_line_of_code(text: str, sign: int) -> bool:
    """Whether a colon stands in a place such as ``node:fs:601:3``."""
    return _LINE_OF_CODE.match(text, sign) is not None
