"""Addresses in the frames of a stack: where code and data lay in one run, which nobody asks for."""

from __future__ import annotations

import re

REACH = 200  # characters of a frame's line
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,16}")
_CALL = re.compile(  # Go: every argument of a frame is an address
    r"[ \t]*[\w./*()\[\]-]{1,120}\((?:[{}, .?_]|0x[0-9a-fA-F]{1,16}){1,160}+\)[ \t]*\r?(?:\n|\Z)"
)
_NUMBERED = re.compile(r"[ \t]*#?\d{1,3}:?[ \t]{1,8}")  # gdb, lldb, Rust: "#3  0x00007f2b in main"


def is_frame_address(text: str, begin: int, end: int) -> bool:
    """Whether ``text[begin:end]`` is an address in a frame of a stack."""
    if not text.startswith("0x", begin) or not _ADDRESS.fullmatch(text, begin, end):
        return False
    line = text.rfind("\n", max(0, begin - REACH), begin) + 1
    if _CALL.match(text, line):
        return True
    numbered = _NUMBERED.fullmatch(text, line, begin)
    return bool(numbered) and text.startswith((" in ", " - "), end)
