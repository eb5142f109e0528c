"""Text as it is meant, with every character in its place: digits of other scripts and full-width
signs as ASCII (``３５，０００`` becomes ``35,000``), line breaks spelled in a JSON string (``path:
/srv\\nport: 8443``) as line breaks, and terminal colours as spaces."""

from __future__ import annotations

import re

_ZEROS = "\u0660\u06f0\u0966\uff10"  # Arabic, Persian, Devanagari, full-width
_NATIVE = {ord(zero) + digit: ord("0") + digit for zero in _ZEROS for digit in range(10)}
_WIDE = "Ａ-Ｚａ-ｚ０-９"
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | _NATIVE
_TO_ASCII |= {ord("٬"): ord(","), ord("٫"): ord(".")}
# A comma between groups of three digits; another one belongs to the sentence.
_DIGITS = re.compile(
    rf"[{''.join(map(chr, _NATIVE))}{_WIDE}]+"
    rf"|[－．：／＿＠](?<=[{_WIDE}].)(?=[{_WIDE}])"
    rf"|，(?<=[０-９]，)(?<![０-９]{{4}}，)(?=[０-９]{{3}}(?![０-９]))|＃(?=[{_WIDE}])"
    r"|[٬٫](?<=\d.)(?=\d)"
)
_ANY_DIGIT = re.compile(rf"[{''.join(map(chr, _NATIVE))}\uff41-\uff5a٬٫]")
# Not in armour, which is one value, and not in a path of Windows: C:\new\text.
_BREAK = re.compile(r"-----BEGIN [^\"\n]*+|(?<![:\\])\\[nr](?![\w.\-]*\\[^nrt\"\\])")

_COLOUR = re.compile(r"\x1b\[[\d;]{0,32}[A-Za-z]")


def plain(text: str) -> str:
    """The text with ASCII digits, real line breaks and no colours, at the same length."""
    if "\\n" in text and '"' in text:
        text = _BREAK.sub(lambda match: "\n\n" if len(match[0]) == 2 else match[0], text)
    if "\x1b" in text:
        text = _COLOUR.sub(lambda match: " " * len(match[0]), text)
    if text.isascii() or _ANY_DIGIT.search(text) is None:
        return text
    return _DIGITS.sub(lambda match: match[0].translate(_TO_ASCII), text)
