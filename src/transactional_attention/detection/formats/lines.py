"""Patterns that begin a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def of_lines(pattern: str) -> Callable[[str], Iterator[re.Match[str]]]:
    """What finds the matches of a pattern that begin a line and end on it, in a text.

    A search for a line break is several times as fast as one for ``^``.
    """
    first, later = re.compile(pattern), re.compile(rf"\n{pattern}")

    def found(text: str) -> Iterator[re.Match[str]]:
        match = first.match(text)
        if match is not None:
            yield match
        yield from later.finditer(text, 0 if match is None else match.end())

    return found
