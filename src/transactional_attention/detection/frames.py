"""Stack traces: where code stands, and where it lay in one run, is not what a trace is about.

Addresses in frames are no values. Files and lines of frames are, but one trace names many of them,
so they stand back behind what its message names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..types import Anchor
from .line_begins import line_begin

LEFT = 0.4
"""What is left of the confidence of a place in code."""
REACH = 400  # characters of a frame's line
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,16}")
_CALL = re.compile(  # Go: every argument of a frame is an address
    r"[ \t]*[\w./*()\[\]-]{1,120}\((?:[{}, .?_]|0x[0-9a-fA-F]{1,16}){1,160}+\)[ \t]*\r?(?:\n|\Z)"
)
_NUMBERED = re.compile(r"[ \t]*#?\d{1,3}:?[ \t]{1,8}")  # gdb, lldb, Rust: "#3  0x00007f2b in main"
# What lines of traces begin with; a place of code lies inside it.
_FRAME = re.compile(
    r"""[ \t]*(?:
      at[ ](?:[^\n()]{1,160}?[ ])?\(?[^\s()]{1,240}:\d+(?::\d+)?\)?[ \t]*(?=\r?\n|\Z)  # JS, Rust
    | at[ ][\w.$<>/@+`-]{3,240}\([^()\n]{0,240}\)(?:[ ]in[ ][^\n]{1,240}?:line[ ]\d+)?  # Java, C#
    | (?:from[ ])?[^\s:'"]{1,240}\.\w{1,5}:\d+:in[ ][`'"]  # Ruby
    | /[^\n:]{1,240}\.go:\d+(?:[ ]\+0x[0-9a-f]+)?[ \t]*(?=\r?\n|\Z)
    | \#\d{1,3}[ ]+[^\n()]{1,240}\(\d+\):  # PHP
    | \#\d{1,3}[ ]+[^\n]{1,240}[ ]at[ ][^\s:]{1,200}:\d+(?=\s|\Z)  # gdb
    | \(\w{1,40}[ ]\d+(?:\.\d+)+\)[ ][^\s:]{1,200}:\d+:  # Elixir
    )""",
    re.VERBOSE,
)
_LINE_NUMBER = re.compile(r"[\"')]?(?:,? line|:line| on line) \d")  # Python, Perl, C#, PHP
_SIGNS = "panicked at ", ".php:"
FURTHER = 16  # characters of the numbers behind a file
_POSITION = re.compile(
    r"(?:panicked at [^\s:]{1,200}|in [^\s:]{1,200}\.php):\d+(?::\d+)?"
)  # Rust, PHP


def apart(anchors: Iterable[Anchor], text: str, origin: int) -> Iterator[Anchor]:
    """The anchors without addresses of frames, places of code less confident.

    ``origin``: the offset of ``text`` in what the anchors' spans count in.
    """
    signs, numbered = [sign for sign in _SIGNS if sign in text], "line " in text
    for anchor in anchors:
        begin, end = anchor.value.start - origin, anchor.value.end - origin
        if anchor.rule.startswith("pattern"):
            yield anchor
        elif (numbered and _LINE_NUMBER.match(text, end)) or _is_place(text, begin, end, signs):
            yield anchor._replace(confidence=anchor.confidence * LEFT)
        elif not is_frame_address(text, begin, end):
            yield anchor


def is_frame_address(text: str, begin: int, end: int) -> bool:
    """Whether ``text[begin:end]`` is an address in a frame of a stack."""
    if not text.startswith("0x", begin) or not _ADDRESS.fullmatch(text, begin, end):
        return False
    line = line_begin(text, begin, REACH)
    if _CALL.match(text, line):
        return True
    numbered = _NUMBERED.fullmatch(text, line, begin)
    return bool(numbered) and text.startswith((" in ", " - "), end)


def _is_place(text: str, begin: int, end: int, signs: list[str]) -> bool:
    """Whether ``text[begin:end]`` says where in its code a program was; ``signs``: those that the
    text holds."""
    line = line_begin(text, begin, REACH)
    frame = _FRAME.match(text, line)
    if frame is None and any(text.find(sign, line, end + FURTHER) >= 0 for sign in signs):
        frame = _POSITION.search(text, line, end + FURTHER)
    return frame is not None and frame.start() <= begin and end <= frame.end()
