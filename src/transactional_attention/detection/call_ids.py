"""Ids that tie a tool's result to the call that a model made: nobody asks for them.

They are known by their prefix, by their label, or by an object that says that it is a call.
"""

from __future__ import annotations

import re

from .detector import LOOKBACK

PREFIXES = ("call_", "toolu_", "tooluse_", "fc_", "chatcmpl-")
CALL_ID = rf"(?:{'|'.join(PREFIXES)})(?=\S*\d)[\w\-]+"

_CALL_ID = re.compile(CALL_ID)
_Q = r"[\"'\\]{1,4}"
_KINDS = "function|tool_use|tool_call"
_NAMED = re.compile(
    r"(?<![A-Za-z])(?:tool_?|function_?)?(?:call|use)_?id[\"'\\]{0,4} ?[:=] ?[\"'\\]{0,4}\Z",
    re.IGNORECASE,
)
_ID = re.compile(rf"{_Q}id{_Q}: ?{_Q}\Z")
_AFTER = re.compile(
    rf"{_Q},[ \t]{{0,8}}{_Q}(?:type{_Q}: ?{_Q}(?:{_KINDS})[\"'\\]|function{_Q}: ?\{{)"
)
_BEFORE = re.compile(
    rf"{_Q}(?:type{_Q}: ?{_Q}(?:{_KINDS}){_Q}"
    rf"|arguments{_Q}: ?(?:\{{[^{{}}]*\}}|\"(?:[^\"\\\n]|\\.)*\")),\s{{0,8}}\Z"
)
_LABEL = 40  # characters of a label with its signs


def is_call_id(value: str) -> bool:
    """Whether a value is spelled as runtimes spell the ids of calls (``call_9f8e7d``)."""
    return value.startswith(PREFIXES) and _CALL_ID.fullmatch(value) is not None


def ties_a_call(text: str, begin: int, end: int) -> bool:
    """Whether what stands around ``text[begin:end]`` makes it the id of a call."""
    if "id" not in text[max(0, begin - 10) : begin].lower():
        return False  # most values, without a pattern
    first = max(0, begin - _LABEL)
    if _NAMED.search(text, first, begin):
        return True
    label = _ID.search(text, first, begin)
    if label is None:
        return False
    at = label.start()
    return bool(_AFTER.match(text, end) or _BEFORE.search(text, max(0, at - LOOKBACK), at))
