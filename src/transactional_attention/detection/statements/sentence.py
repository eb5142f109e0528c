"""The sentence around a place."""

from __future__ import annotations

import re

_BORDER = re.compile(r"[.!?](?=\s)|[\n。！？।؟]")


def sentence(text: str, begin: int, end: int, reach: int) -> tuple[int, int]:
    """Where the sentence around ``text[begin:end]`` begins and ends, ``reach`` characters on either
    side at most."""
    first = max(0, begin - reach)
    first = max([first, *(match.end() for match in _BORDER.finditer(text, first, begin))])
    border = _BORDER.search(text, end, end + reach)
    return first, border.start() if border else min(len(text), end + reach)
