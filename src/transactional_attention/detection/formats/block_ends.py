"""Where a value of several lines ends: each form of block has its own sign.

The text alone decides, at most ``MAX_VALUE`` characters after the begin. While the text so far does
not show the end, the block is open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..detector import MAX_VALUE
from .block_rest import TURN, BlockRest

OPEN = -1
MAX_ESCAPES = 64  # backslashes in a row that are counted
TAIL = 256  # characters that may follow an end on its line
_AFTER_QUOTE = re.compile(r"[ \t]*[,;)}\]]{0,4}\s*(?:(?:#|//)[^\n]*\s*)?")
_AFTER_MARK = re.compile(r"[\"');,]{0,4}\s*")
_JOINED = re.compile(r"\\\r?\n(?P<indent>[ \t]{0,32})(?P<chunk>[^\s\"'\\]{1,512}+)")
_CHUNK = re.compile(r"[^\s\"'\\]{1,512}+")
_AFTER_JOINED = re.compile(r"[ \t]*\r?(?:\n|\Z)")
_ARMOURED = re.compile(
    r"[ \t]*+(?:[A-Za-z0-9+/=]{1,128}+|[A-Z][\w\-]{1,32}: [^\n]{1,128}+)?[ \t]*+(?:\r?\n|\Z)"
)
MAX_NEXT = 640  # characters of a line that goes on with the one before it


@dataclass(frozen=True, slots=True)
class BlockExtent:
    """The characters ``[start, end)`` of a value; ``stop``: the end of its last line, ``OPEN``
    while unknown. ``rest``: how it ends, if it is longer than a value may be and continues at
    ``stop``."""

    start: int
    end: int
    stop: int
    rest: BlockRest | None = None


UNDECIDED = BlockExtent(0, 0, OPEN)


def indented_end(text: str, at: int, indent: int, final: bool) -> BlockExtent | None:
    """The lines from ``at`` on that are indented deeper than ``indent``, with blank ones
    between."""
    first, cap, end = at, at + MAX_VALUE, 0
    limit = min(len(text), cap)
    while at < limit:
        newline = text.find("\n", at, limit)
        line_end = newline if newline >= 0 else limit
        line = text[at:line_end]
        depth = len(line) - len(line.lstrip(" \t\r"))
        if depth < len(line):
            if depth <= indent:
                return _stripped(text, first, end, at) if end else None
            turn = TURN.search(line)
            if turn:
                return _closed(text, first, at + turn.start(), final)
            end = line_end
        if newline < 0:
            break
        at = newline + 1
    if final and len(text) < cap:
        return _stripped(text, first, end, limit)
    return _ran_out(text, first, BlockRest(indent), final)


def quoted_end(text: str, at: int, mark: str, final: bool) -> BlockExtent | None:
    """The extent of the text before the next unescaped ``mark``, if that mark ends its line."""
    cap = at + MAX_VALUE
    end = text.find(mark, at, cap)
    while end >= 0 and (skipped := _is_inside(text, at, end, mark)):
        end = text.find(mark, end + skipped, cap)
    if end < 0:
        return _ran_out(text, at, BlockRest(mark=re.escape(mark)), final, cut=len(mark) > 1)
    block = _closed(text, at, end, final)
    if block is None or block.stop == OPEN:
        return block
    return block if _AFTER_QUOTE.fullmatch(text, end + len(mark), block.stop) else None


def _is_inside(text: str, begin: int, at: int, mark: str) -> int:
    """Length of a mark that belongs to the value: escaped by a backslash, or doubled as in YAML; 0
    if the mark ends the value."""
    before = text[max(begin, at - MAX_ESCAPES) : at]
    if (len(before) - len(before.rstrip("\\"))) % 2:
        return 1
    return 2 if mark == "'" and text.startswith("''", at) else 0


def heredoc_end(text: str, at: int, mark: str, final: bool) -> BlockExtent | None:
    """The lines before the line that holds only ``mark``."""
    cap = at + MAX_VALUE
    for place in re.compile(rf"(?:(?<=\n)|\n)[ \t]*+{mark}").finditer(text, at, cap):
        stop = _line_end(text, place.end(), final)
        if stop == OPEN:
            return UNDECIDED
        if _AFTER_MARK.fullmatch(text, place.end(), stop):
            line = text.rfind("\n", at - 1, place.end()) + 1
            return _stripped(text, at, line, stop)
    return _ran_out(text, at, BlockRest(mark=rf"^\s*{mark}{_AFTER_MARK.pattern}$"), final, cut=True)


def armour_end(text: str, at: int, mark: str, final: bool) -> BlockExtent | None:
    """The armour that begins at ``at``, with the line that ends it. Without such a line it ends
    after the last line that armour may have."""
    cap = at + MAX_VALUE
    place = text.find(f"END {mark}", at, cap)
    if place < 0:
        if len(text) < cap and not final:
            return UNDECIDED
        end = _armoured_end(text, at, min(len(text), cap))
        if end < cap:
            return _stripped(text, at, end, end)
        return _ran_out(text, at, BlockRest(mark=f"END {mark}"), final)
    end = place + 4 + len(mark)
    while text[end : end + 1] in (" ", "-") and end < cap:
        end += 1
    return _closed(text, at, end, final)


def _armoured_end(text: str, at: int, limit: int) -> int:
    """The end of the lines that armour may have; the first line is not checked."""
    end = text.find("\n", at, limit) + 1
    while 0 < end < limit:
        line = _ARMOURED.match(text, end, limit)
        if line is None:
            return end
        end = line.end()
    return limit


def joined_end(text: str, at: int, own_line: bool, final: bool) -> BlockExtent | None:
    """Chunks that are joined by backslashes at the ends of their lines.

    ``own_line``: the value's label begins its line, so that indented lines may continue it.
    """
    chunk = _CHUNK.match(text, at)
    end = chunk.end() if chunk else at
    first = end
    while True:
        more = _JOINED.match(text, end, at + MAX_VALUE)
        if more is None or (more["indent"] and not (own_line and _fills(text, more))):
            break
        end = more.end()
    goes_on = text.startswith("\\", end) and len(text) < end + MAX_NEXT
    if goes_on and not final and text.find("\n", text.find("\n", end) + 1) < 0:
        return UNDECIDED
    return _closed(text, at, end, final) if end > first else None


def _fills(text: str, more: re.Match[str]) -> bool:
    """Whether an indented chunk fills its line and is no option of a command."""
    ends = text.startswith("\\", more.end()) or _AFTER_JOINED.match(text, more.end())
    return bool(ends) and not more["chunk"].startswith("-")


def _line_end(text: str, at: int, final: bool) -> int:
    """Where the line of ``at`` ends, or the text that is read of it; ``OPEN`` while unknown."""
    newline = text.find("\n", at, at + TAIL)
    if newline >= 0:
        return newline + 1
    known = final or len(text) >= at + TAIL
    return min(len(text), at + TAIL) if known else OPEN


def _closed(text: str, start: int, end: int, final: bool) -> BlockExtent | None:
    """A block that ends in the middle of its last line."""
    stop = _line_end(text, end, final)
    return UNDECIDED if stop == OPEN else _stripped(text, start, end, stop)


def _stripped(text: str, start: int, end: int, stop: int) -> BlockExtent | None:
    """A block without white space around its value."""
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    end = start + len(body.strip())
    return BlockExtent(start, end, stop) if start < end else None


def _ran_out(
    text: str, at: int, rest: BlockRest, final: bool, cut: bool = False
) -> BlockExtent | None:
    """The result for a block whose end was not found: undecided, None, or longer than a value may
    be. ``cut``: the end of the text also ends the block."""
    cap = at + MAX_VALUE
    if len(text) < cap:
        known = _stripped(text, at, len(text), len(text)) if cut else None
        return known if final else UNDECIDED
    stop = text.rfind("\n", at, cap) + 1 or cap
    return BlockExtent(at, stop, stop, rest)
