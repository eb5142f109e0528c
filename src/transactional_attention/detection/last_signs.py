"""Last signs that belong to a code or a password, where a sentence has the same ones: ``2958#`` and
``*7714#`` on a keypad, ``hunter22!`` behind the name of a secret, ``Juniper!9?`` in mid-sentence.

All is told by the value, by the line before it and by the few characters behind it.
"""

from __future__ import annotations

import re

from .tongues import SECRETS

REACH = 64  # characters before a value that may name it
_KEYED = re.compile(r"(?:[*#]{0,2}\d{2,12}(?:[*#]\d{1,12}){0,4}#|\d{3,12}\*)")
_INNER = re.compile(r"[!?#$%^&*+~]")
_NAMED = re.compile(
    rf"(?:pass(?:word|code|phrase|wd)?|pwd|pw|passe|{'|'.join(sorted(SECRETS))})"
    r"(?:[^\S\n]+[^\s.!?]{1,16}){0,4}[\s:=：\"'`“„«]*\Z",
    re.IGNORECASE,
)
_URGED = re.compile(r"!|remember|forget|note|careful|hurry|quick|merk|vergiss|olvid|oubli", re.I)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")  # scripts with an exclamation mark of their own


def is_keyed(text: str, begin: int, end: int) -> bool:
    """Whether ``text[begin:end]`` is what a keypad takes, its last sign included."""
    if _KEYED.fullmatch(text, begin, end) is None:
        return False
    if text[end - 1] == "#":
        return text[begin - 1 : begin] != "#"
    line = _line(text, begin)
    return "*" not in line and text[end : end + 1] != "*"  # else it ends what is set in bold


def is_last(text: str, begin: int, end: int) -> bool:
    """Whether the ``#`` that ends ``text[begin:end]`` belongs to a password."""
    if text[end - 1] != "#" or not _is_mixed(text[begin : end - 1]):
        return False
    return _named(_line(text, begin))


def is_own(text: str, begin: int, at: int) -> bool:
    """Whether the ``!`` or ``?`` at ``at`` belongs to the value that begins at ``begin``."""
    after, mixed = text[at + 1 : at + 3], _is_mixed(text[begin:at])
    if after[:1] in (".", ",", ";") and after[1:] in ("", " ", "\n"):
        return mixed  # another sign ends the sentence
    line = _line(text, begin)
    goes_on = after[:1] == " " and after[1:].islower()
    if text[at] == "?":
        return mixed and goes_on and (_INNER.search(text, begin, at) is not None or _named(line))
    if goes_on:
        return True
    if not mixed:
        return False
    if _WIDE.search(line):
        return True
    return _named(line) and _URGED.search(line) is None


def _line(text: str, at: int) -> str:
    """What stands before ``at`` on its line, as far as it matters."""
    return text[_line_begin(text, at, REACH) : at]


def _named(line: str) -> bool:
    """Whether a line ends with the name of a secret, and a few words behind it."""
    return _NAMED.search(line) is not None


def _is_mixed(value: str) -> bool:
    return any(map(str.isalpha, value)) and any(map(str.isdigit, value))


def _line_begin(text: str, at: int, reach: int) -> int:
    """The first character of the line of ``at``; ``at - reach`` where the line is longer."""
    first = max(0, at - reach)
    return max(first, text.rfind("\n", first, at) + 1)
