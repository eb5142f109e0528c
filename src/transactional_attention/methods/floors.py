"""The least that every layer and head must get, and how a split is raised to it.

A split by scores or by depth may leave a layer fewer tokens than a caller's range or a sponsored
value needs. The published formulas do not consider that; what is missing is taken from the largest
shares.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..selection.selection import Selection, least_budget
from ..selection.slot_table import SlotTable
from ..types import Floats, Ints, SponsoredSpan
from .allocation import Allocation

Explicit = Sequence[tuple[SponsoredSpan, bool]]  # with: whether it is required


def least_of(
    selection: Selection,
    explicit: Explicit,
    wanted: Iterable[SponsoredSpan],
    length: int,
    budget: int,
) -> int:
    """Tokens that every layer and head of a row needs, never more than ``budget``.

    That is what is mandatory or ``explicit`` and, of the ``wanted`` spans, best first, those that
    an even split would hold; with the whole ends if they fit too.
    """
    tokens = {t for span, _ in explicit for t in span.value}
    for span in sorted(wanted, key=lambda s: s.rank, reverse=True):
        for part in (selection.extent(span), span.value):
            more = tokens.union(range(part.start, min(part.end, length)))
            if selection.least_budget(more, length) <= budget:
                tokens = more
                break
    beside = least_budget(tokens, length, selection.sinks, selection.recent)
    return min(max(selection.mandatory, beside), budget)


def raised(split: Ints, least: int) -> Ints:
    """The split with no share below ``least``: the largest give, and the sum stays.

    If the sum is too small for that, the result is an even split.
    """
    short = int(np.maximum(least - split, 0).sum())
    budgets = np.maximum(split, least)
    for _ in range(short):
        budgets[budgets.argmax()] -= 1
    return budgets


@dataclass
class RaisedAllocation(Allocation):
    """Another allocation whose numbers are raised to what every row needs.

    ``least`` [row] is known after ``prepare``.
    """

    inner: Allocation
    least: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.joint, self.ragged = self.inner.joint, self.inner.ragged

    def prepare(
        self,
        selection: Selection,
        spans: Sequence[tuple[Explicit, Sequence[SponsoredSpan]]],
        lengths: Ints,
        budget: int,
    ) -> None:
        """Take the spans [row], named by the caller and sponsored, and the lengths [row]."""
        self.least = [
            least_of(selection, explicit, wanted, int(length), budget)
            for (explicit, wanted), length in zip(spans, lengths, strict=True)
        ]

    @property
    def by_length(self) -> bool:
        """Whether each layer's budget follows from a row's length and needs alone."""
        return not (self.joint or self.ragged)

    def by_row(self, budgets: Sequence[int], lengths: Ints) -> Ints:
        """Budgets [row, layer] of the inner one, raised over the layers of each row.

        If scores split them further, every row gets those of the row that needs most.
        """
        least = self.least if self.by_length else [max(self.least)] * len(lengths)
        split = (self.inner.layers(budgets, int(length)) for length in lengths)
        return np.stack([raised(np.asarray(line), n) for line, n in zip(split, least, strict=True)])

    def heads(self, table: SlotTable, scores: Floats) -> Ints | None:
        """Budgets [lane] of the inner one, raised over the kv heads of each row."""
        limits = self.inner.heads(table, scores)
        return None if limits is None else self._by_row([limits], table.rows)[0]

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane] of the inner one, raised over all of a row."""
        return self._by_row(self.inner.together(tables, scores), tables[0].rows)

    def _by_row(self, limits: Sequence[Ints], rows: Ints) -> list[Ints]:
        budgets = np.stack([np.asarray(line) for line in limits])
        for row, least in enumerate(self.least):
            of_row = budgets[:, rows == row]
            budgets[:, rows == row] = raised(of_row.ravel(), least).reshape(of_row.shape)
        return list(budgets)
