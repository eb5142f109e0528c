"""The rest of a block that is longer than a value may be: its lines are refused up to its end.

A scanner waits for ``MAX_VALUE`` characters and no more, so it continues inside such a block. All
that it needs to know is how the block ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

TURN = re.compile(r"<\|\w{1,32}\|>")  # a turn of a chat ends inside no value


@dataclass(frozen=True, slots=True)
class BlockRest:
    """How a block ends that is longer than ``MAX_VALUE``. ``indent``: at the first line that is
    indented no deeper. ``mark``: after a line that contains this pattern; because a mark may never
    come, a line of several words ends it too, as no line of the value has several. ``sealed``: the
    lines are parts of one value (see ``MultilineBlock``)."""

    indent: int = 0
    mark: str = ""
    sealed: bool = True


def rest_end(text: str, begin: int, end: int, rest: BlockRest) -> int | None:
    """Where in ``text[begin:end]`` a continued block ends; None if it goes on."""
    at, inside = begin, begin > 0 and text[begin - 1] != "\n"
    while at < end:
        newline = text.find("\n", at, end)
        stop = newline + 1 if newline >= 0 else end
        line = text[at:stop]
        if not inside and _is_outside(line, rest):
            return at
        if TURN.search(line) or (rest.mark and re.search(rest.mark, line)):
            return stop
        at, inside = stop, False
    return None


def _is_outside(line: str, rest: BlockRest) -> bool:
    words = line.strip()
    if not words:
        return False
    if rest.mark:
        return (" " in words or "\t" in words) and not re.search(rest.mark, line)
    return len(line) - len(line.lstrip(" \t")) <= rest.indent
