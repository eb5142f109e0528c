"""Where the line of a character begins, looked for no further back than it matters."""

from __future__ import annotations


def line_begin(text: str, at: int, reach: int) -> int:
    """The first character of the line of ``at``; ``at - reach`` where the line is longer."""
    first = max(0, at - reach)
    return max(first, text.rfind("\n", first, at) + 1)
