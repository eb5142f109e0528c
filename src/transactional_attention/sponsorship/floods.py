"""Repetition as a signal: each further statement in one wording says less.

A flood repeats one fake value, or fills one template with new ones. From ``FLOOD`` claims of a
wording on they are ranked lower: the first one and those far from all others a little, because the
true statement may use that very wording, the rest further. Nothing is dropped. Wordings are counted
per source: what a tool repeats says nothing about what the user stated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .claims import CELL

FLOOD = 10
"""From this many claims of one wording on they are a flood. People say a thing a few times, tables
have more rows, and a shorter flood cannot fill a budget of more than a few values."""
LONG_TABLE = 32
"""The same for cells of a table, which share the name of their column."""
ALONE, NEAR = 4.0, 400  # a claim stands apart at this many mean gaps, and characters
APART, INSIDE = 0.3, 0.1
"""Factors on the likelihood of a flood's first or distant claims, and of its other claims."""
SERIES, ROW = 3, 0.85
"""From this many claims of one wording on, all but the first are rows of a series and their
likelihood is multiplied by ``ROW``: a value that is stated once ranks above rows of a list."""
REMEMBERED = 4096  # wordings
_NEVER = 0, 0, 0


@dataclass
class Repetition:
    """How often each wording occurred, and the places of its first and last claims. At most
    ``REMEMBERED`` wordings; the least recently seen one is forgotten first."""

    _wordings: dict[int, tuple[int, int, int]] = field(default_factory=dict)

    def copy(self) -> Repetition:
        """Independent counts."""
        return Repetition(dict(self._wordings))

    def rows(self) -> list[tuple[int, int, int, int]]:
        """Wording, count, first and last place; least recently seen first."""
        return [(key, *known) for key, known in self._wordings.items()]

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[int, int, int, int]]) -> Repetition:
        """The counts that ``rows`` gave."""
        return cls({key: (count, first, last) for key, count, first, last in rows})

    def note(self, template: int, place: int) -> int:
        """Count a claim. Returns its distance to the previous claim of this wording, in characters.

        A claim that is read twice, as at the border of two chunks, counts once.
        """
        count, first, last = self._wordings.pop(template, (0, place, -NEAR))
        gap = place - last
        self._wordings[template] = (count + 1, first, place) if gap > 0 else (count, first, last)
        if len(self._wordings) > REMEMBERED:
            del self._wordings[next(iter(self._wordings))]
        return gap

    def row(self, template: int, place: int) -> float:
        """Factor on the likelihood of a claim that may be a row of a series."""
        count, first, _ = self._wordings.get(template, _NEVER)
        return ROW if count >= SERIES and place > first else 1.0

    def factor(self, template: int, place: int, gap: int, rule: str = "") -> float:
        """What the likelihood of a claim is multiplied by: 1 where its wording is no flood,
        ``APART`` for a flood's first claim and for one far from all others, otherwise ``INSIDE``.

        ``template``: hash of the wording; ``place``: where the claim stands, in characters;
        ``gap``: characters to its nearest neighbour; ``rule``: by which it was detected."""
        count, first, last = self._wordings.get(template, _NEVER)
        if count < (LONG_TABLE if rule == CELL else FLOOD):
            return 1.0
        mean = (last - first) / (count - 1)
        return APART if place <= first or gap > max(ALONE * mean, NEAR) else INSIDE
