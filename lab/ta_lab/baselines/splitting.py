"""How budgets are split: the tokens that take no part in it, and whole numbers that sum to K."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.selection.slot_table import PADDING, SlotTable
from transactional_attention.types import Bools, Floats, Ints

from .snap_kv import window_of


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
