"""Patterns of whole lines, looked for at the beginnings of lines alone.

``^`` is tried at every character; a line feed is found at the speed of memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


class LinePattern:
    """A pattern that begins where a line begins; its groups keep their names."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._here = re.compile(pattern, re.MULTILINE | flags)
        self._below = re.compile(rf"\n(?:{pattern})", re.MULTILINE | flags)

    def search(self, text: str, begin: int, end: int) -> re.Match[str] | None:
        """The first match from ``begin`` on, where a line begins. It may hold the line feed before
        its line, so its places are those of its groups."""
        return self._here.match(text, begin, end) or self._below.search(text, begin, end)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches, in order."""
        first = self._here.match(text)
        if first:
            yield first
        yield from self._below.finditer(text, first.end() if first else 0)
