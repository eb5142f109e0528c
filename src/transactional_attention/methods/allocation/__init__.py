"""How K is split over layers and kv heads; one file per method.

``Allocation`` is uniform: K everywhere. Override the method that differs. All numbers are KV pairs
per layer and kv head.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...config import Retention
from ...selection.slot_table import PADDING, SlotTable
from ...types import Bools, Floats, Ints
from ..scorers.snap_kv import window_of


class Allocation:
    """Budgets of layers and heads, asked for again at every later prompt.

    ``joint``: it needs the scores of all layers before any is cut. Layers then stay whole until the
    forward ends (the peak is the whole prompt in every layer), and ``together`` decides.
    ``ragged``: heads of one layer differ; they are padded, so the saving is masked.
    """

    joint = False
    ragged = False

    def layers(self, budgets: Sequence[int], length: int) -> Sequence[int]:
        """Budgets [layer] for a prompt of ``length`` tokens, before any score is known.

        ``budgets`` [layer] are the caller's: K for every layer, or one each.
        """
        return budgets

    def heads(self, table: SlotTable, scores: Floats) -> Ints | None:
        """Budgets [lane] of one layer from its utilities [lane, slot]; None if all are equal.

        A kv head below the widest one is filled with padding: the saving is masked, not
        physical.
        """
        return None

    def together(self, tables: Sequence[SlotTable], scores: Sequence[Floats]) -> Sequence[Ints]:
        """Budgets [layer][lane] from the utilities of all layers, if ``joint``."""
        raise NotImplementedError


def crowded_rows(tables: Sequence[SlotTable]) -> Iterator[Ints]:
    """The lanes of each row that does not fit the smallest budget of ``tables``."""
    least = min(table.budget or 0 for table in tables)
    for row in np.unique(tables[0].rows):
        lanes = np.flatnonzero(tables[0].rows == row)
        if max(int((t.positions[lanes] != PADDING).sum(1).max()) for t in tables) > least:
            yield lanes


@dataclass(frozen=True)
class Ends:
    """The first ``sinks`` and last ``recent`` tokens of a row, which are always kept and take no
    part in a split."""

    sinks: int
    recent: int

    @property
    def size(self) -> int:
        """Tokens that every layer and head keeps whatever the split."""
        return self.sinks + self.recent

    def competing(self, positions: Ints) -> Bools:
        """Which slots [lane, slot] hold a token that has to compete."""
        lengths = positions.max(1, keepdims=True) + 1
        return (positions >= self.sinks) & (positions < lengths - self.recent)


def ends_of(retention: Retention, sinks: int = 0, recent: int | None = None) -> Ends:
    """What a method always keeps: its window, unless the caller names sinks or recent tokens."""
    window = window_of(retention) if recent is None else recent
    return Ends(
        sinks if retention.sinks is None else retention.sinks,
        window if retention.recent is None else retention.recent,
    )


def apportion(shares: Floats, total: int) -> Ints:
    """Whole numbers that sum to ``total``, each share rounded down or up (largest remainder).

    ``shares`` sum to ``total``. Of equal remainders the first is rounded up.
    """
    whole = np.floor(shares + 1e-9).astype(np.int64)
    order = np.argsort(-(shares - whole), kind="stable")
    whole[order[: total - int(whole.sum())]] += 1
    return whole
