"""What is known of every token that a cache holds: one table for all layers of one budget.

The table lives on the host. Attention-free methods decide from it alone, so a decode step costs no
device synchronisation. Slots are in no particular order: decoding overwrites the slot of the token
that gives way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .utility import Floats, Ints

PADDING = -1
GENERATED = -1
PER_SLOT = ("positions", "ids", "frequency", "voucher", "anchor", "hold")


@dataclass(eq=False)
class SlotTable:
    """Tokens held per layer and kv head; every array is [row, slot].

    ``positions``: index in the row's own sequence, ``PADDING`` for padding. ``ids``: token id, or
    ``GENERATED`` (tokens outside the context have no frequency). ``frequency``: F at the last cut.
    ``voucher``: V. ``hold``: must survive until the next cut. ``recent`` [row]: newest tokens that
    stay mandatory. ``padded``: some slot holds padding, which attention has to hide.
    """

    budget: int | None
    positions: Ints
    ids: Ints
    frequency: Floats
    voucher: Floats
    anchor: NDArray[np.bool_]
    hold: NDArray[np.bool_]
    recent: Ints
    padded: bool = False

    @classmethod
    def empty(cls, budget: int | None, rows: int) -> SlotTable:
        """A table that holds nothing."""
        shape = (rows, 0)
        return cls(
            budget,
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(shape, bool),
            np.zeros(shape, bool),
            np.zeros(rows, np.int64),
        )

    @property
    def width(self) -> int:
        """Slots per row, padding included."""
        return self.positions.shape[1]

    @property
    def full(self) -> bool:
        """Whether the next token must take another one's slot."""
        return self.budget is not None and self.width >= self.budget

    def append(self, positions: Ints, ids: Ints) -> None:
        """Add tokens [row, new] behind the present ones."""
        shape = positions.shape
        self.positions = np.concatenate([self.positions, positions], 1)
        self.ids = np.concatenate([self.ids, ids], 1)
        self.frequency = np.concatenate([self.frequency, np.zeros(shape)], 1)
        self.voucher = np.concatenate([self.voucher, np.zeros(shape)], 1)
        self.anchor = np.concatenate([self.anchor, np.zeros(shape, bool)], 1)
        self.hold = np.concatenate([self.hold, np.zeros(shape, bool)], 1)
        self._note_padding()

    def _note_padding(self) -> None:
        self.padded = bool((self.positions == PADDING).any())

    def overwrite(self, slots: Ints, positions: Ints) -> None:
        """Put a generated token of ``positions`` [row] into ``slots`` [row]."""
        for row, slot in enumerate(slots.tolist()):  # scalars: a decode step is a few of them
            self.positions[row, slot] = positions[row]
            self.ids[row, slot] = GENERATED
            self.frequency[row, slot] = self.voucher[row, slot] = 0.0
            self.anchor[row, slot] = self.hold[row, slot] = False
        if self.padded:
            self._note_padding()

    def take(self, slots: Ints) -> None:
        """Keep only ``slots`` [row, kept], in that order."""
        for name in PER_SLOT:
            setattr(self, name, np.take_along_axis(getattr(self, name), slots, 1))
        self._note_padding()

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows (beams, batch selection)."""
        for name in (*PER_SLOT, "recent"):
            setattr(self, name, getattr(self, name)[rows])
        self._note_padding()

    def ranks(self) -> Ints:
        """Rank of every slot's token among the live tokens of its row, 0 for padding."""
        order = np.argsort(np.argsort(self.positions, 1, kind="stable"), 1, kind="stable")
        padding = (self.positions == PADDING).sum(1, keepdims=True)
        return np.maximum(order - padding, 0)
