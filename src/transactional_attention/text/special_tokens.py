"""Special tokens hidden from what scans a text: newlines stand for them, one for one."""

from __future__ import annotations

import bisect
from collections.abc import Sequence


def hidden(text: str, begin: int, start: int, special: Sequence[tuple[int, int]]) -> str:
    """What follows the character ``start`` of a text without special tokens.

    ``text`` is the part of it that begins at ``begin``; ``special``: begin and end of each special
    token, in order. No value extends over a newline, so none extends over a special token.
    """
    end, parts, done = begin + len(text), list[str](), start
    first = bisect.bisect_right(special, start, key=lambda span: span[1])
    for opened, closed in special[first:]:
        if opened >= end:
            break
        opened, closed = max(opened, done), min(closed, end)
        parts += [text[done - begin : opened - begin], "\n" * (closed - opened)]
        done = closed
    return "".join([*parts, text[done - begin :]])
