"""Text as if its full-width letters, its digits of other scripts and the signs between them were
ASCII: ``１５，０００円`` is read as ``15,000円``, ``٣٬٧٥٠`` as ``3,750``. Every character keeps its
place."""

from __future__ import annotations

import re

from .text_words import foreign_letters

_ZEROS = "\u0660\u06f0\u0966\uff10"  # Arabic, Persian, Devanagari, full-width
_NATIVE = {ord(zero) + digit: ord("0") + digit for zero in _ZEROS for digit in range(10)}
_WIDE = "Ａ-Ｚａ-ｚ０-９"
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | _NATIVE
_TO_ASCII |= {ord("٬"): ord(","), ord("٫"): ord(".")}
# A comma between groups of three digits; another one belongs to the sentence.
_READ = re.compile(
    rf"[{''.join(map(chr, _NATIVE))}{_WIDE}]+"
    rf"|[－．：／＿＠](?<=[{_WIDE}].)(?=[{_WIDE}])"
    rf"|，(?<=[０-９]，)(?<![０-９]{{4}}，)(?=[０-９]{{3}}(?![０-９]))|＃(?=[{_WIDE}])"
    r"|[٬٫](?<=\d.)(?=\d)"
)
_CHANGED = frozenset(map(chr, _NATIVE)) | {chr(code) for code in range(0xFF41, 0xFF5B)} | {*"٬٫"}


def ascii_digits(text: str) -> str:
    """The text; where it holds such digits or letters, one of the same length with none."""
    if text.isascii() or _CHANGED.isdisjoint(foreign_letters(text)):
        return text
    return _READ.sub(_as_ascii, text)


def _as_ascii(match: re.Match[str]) -> str:
    return match[0].translate(_TO_ASCII)
