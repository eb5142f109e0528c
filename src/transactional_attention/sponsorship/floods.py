"""Repetition as a signal: one wording that comes again and again says little each time.

A flood repeats one fake, or fills one template with fresh values. Its wording is counted, and from
``FLOOD`` on its claims stand back: the first one and those far from all others a little, since
the true statement may use that very wording, the rest further. Nothing is dropped for it.
Wordings are those of a source: what a tool repeats says nothing of what the user stated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .claims import CELL

FLOOD = 10
"""Claims of one wording from which they are a flood: people say things a few times, tables have
longer rows, and a flood shorter than that is outvoted by a budget of a few values."""
LONG_TABLE = 32
"""The same of the cells of a table, which share the name of their column."""
ALONE, NEAR = 4.0, 400  # a claim stands apart at this many mean gaps, and characters
APART, INSIDE = 0.3, 0.1
"""What is left of the likelihood of a flood's first or distant claims, and of the others."""
SERIES, ROW = 3, 0.85
"""Claims of one wording from which they are rows of a series, and what is left of the likelihood of
all but the first: what is said once stands before the rows of a list."""
REMEMBERED = 4096  # wordings
_NEVER = 0, 0, 0


@dataclass
class Repetition:
    """How often wordings came, and where their first and last claims lie; of at most ``REMEMBERED``
    wordings, the least recently seen are forgotten."""

    _wordings: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def copy(self) -> Repetition:
        """Independent counts."""
        return Repetition(dict(self._wordings))

    def rows(self) -> list[tuple[int, int, int, int]]:
        """Wording, count, first and last place of each, the least recently seen first."""
        return [(key, *known) for key, known in self._wordings.items()]

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[int, int, int, int]]) -> Repetition:
        """Counts as ``rows`` gave them."""
        return cls({key: (count, first, last) for key, count, first, last in rows})

    def note(self, template: int, place: int) -> int:
        """Count a claim; the distance to the one before it in this wording, in characters.

        A claim that is read again, as at the border of two chunks, counts once.
        """
        count, first, last = self._wordings.pop(template, (0, place, -NEAR))
        gap = place - last
        self._wordings[template] = (count + 1, first, place) if gap > 0 else (count, first, last)
        if len(self._wordings) > REMEMBERED:
            del self._wordings[next(iter(self._wordings))]
        return gap

    def row(self, template: int, place: int) -> float:
        """What is left of the likelihood of a claim that may be a row of a series."""
        count, first, _ = self._wordings.get(template, _NEVER)
        return ROW if count >= SERIES and place > first else 1.0

    def factor(self, template: int, place: int, gap: int, rule: str = "") -> float:
        """What is left of the likelihood of a claim that a rule found; ``gap``: to its nearest
        neighbour."""
        count, first, last = self._wordings.get(template, _NEVER)
        if count < (LONG_TABLE if rule == CELL else FLOOD):
            return 1.0
        mean = (last - first) / (count - 1)
        return APART if place <= first or gap > max(ALONE * mean, NEAR) else INSIDE
