"""What is known of every token that a cache holds: one table for all layers that share it.

Attention-free methods have one table per distinct budget; methods that read layers have one per
layer. Tables live on the host. Attention-free methods decide from them alone, so a decode step
needs no device synchronisation. Slots are in no particular order: decoding overwrites the slot of
the token that gives way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..types import Bools, Floats, Ints, Span
from .places import placed
from .selection import Selected

PADDING = -1
GENERATED = -1
FORGOTTEN = -2
PER_SLOT = {
    "positions": np.int64,
    "ids": np.int64,
    "frequency": np.float64,
    "voucher": np.float64,
    "anchor": np.bool_,
    "held": np.bool_,
    "quantised": np.bool_,
}
"""What is known of every slot, by name."""


def lanes_of_rows(rows: Ints, heads: int) -> Ints:
    """The lanes of rows, in their order."""
    return (rows[:, None] * heads + np.arange(heads)).reshape(-1)


def inside(positions: Ints, spans: Iterable[Span]) -> Bools:
    """Which positions lie in one of the spans."""
    mask = np.zeros(positions.shape, bool)
    for span in spans:
        mask |= (positions >= span.start) & (positions < span.end)
    return mask


@dataclass(eq=False)
class SlotTable:
    """Tokens held per layer and kv head; every array is [lane, slot].

    A lane is a row of the batch, or one kv head of it: lane = row x heads + head. ``heads`` is 1 if
    all kv heads hold the same tokens.

    ``positions``: index in the row's own sequence, ``PADDING`` for padding. ``ids``: token id, or
    ``GENERATED`` (generated tokens have no frequency), or ``FORGOTTEN`` (their frequency stays as
    it was). ``frequency``: F at the last cut. ``voucher``: V. ``anchor``: S. ``held``: stays until
    the next cut. ``quantised``: stored in low precision. ``recent`` [lane]: newest tokens that stay
    mandatory. ``rows`` [lane]: the row of each lane. ``padded``: some slot holds padding, which
    attention has to hide. ``observed``: what the scorer measured in the latest forward. ``limits``
    [lane]: budgets of rows and kv heads where they differ; lanes below the widest one are filled
    with padding. ``sharp`` [lane]: slots in full precision, if the method quantises the others.
    ``selected`` [lane]: the latest selection; empty before the first.
    """

    budget: int | None
    positions: Ints
    ids: Ints
    frequency: Floats
    voucher: Floats
    anchor: Bools
    held: Bools
    quantised: Bools
    recent: Ints
    rows: Ints
    heads: int = 1
    padded: bool = False
    observed: Floats | None = None
    limits: Ints | None = None
    sharp: Ints | None = None
    selected: list[Selected] = field(default_factory=list)

    @classmethod
    def empty(cls, budget: int | None, rows: int, heads: int = 1) -> SlotTable:
        """A table that holds nothing."""
        known: dict[str, Any] = {n: np.zeros((rows * heads, 0), k) for n, k in PER_SLOT.items()}
        recent, of_lane = np.zeros(rows * heads, np.int64), np.repeat(np.arange(rows), heads)
        return cls(budget, **known, recent=recent, rows=of_lane, heads=heads)

    @property
    def width(self) -> int:
        """Slots per lane, padding included."""
        return self.positions.shape[1]

    @property
    def live(self) -> float:
        """Mean number of tokens per lane. Padding counts, unless kv heads have budgets of their
        own."""
        if self.limits is None:
            return self.width
        return float((self.positions != PADDING).sum(1).mean())

    @property
    def full(self) -> bool:
        """Whether the next token must take another token's slot."""
        most = self.budget if self.limits is None else int(self.limits.max())
        return most is not None and self.width >= most

    @property
    def capacity(self) -> int:
        """Slots that a cut leaves: the budget, or the largest budget of a lane; all if
        unlimited."""
        budget = self.width if self.budget is None else self.budget
        return budget if self.limits is None else int(self.limits.max())

    @property
    def least(self) -> int:
        """Slots that the lane with the smallest budget keeps; all if unlimited."""
        return self.capacity if self.limits is None else int(self.limits.min())

    def lanes_of(self, array: Ints) -> Ints:
        """Repeat an array of rows [row, ...] for the kv heads of each."""
        return array if self.heads == 1 else np.repeat(array, self.heads, 0)

    def append(self, positions: Ints, ids: Ints) -> None:
        """Add tokens [row, new] after the present ones."""
        new = {"positions": self.lanes_of(positions), "ids": self.lanes_of(ids)}
        shape = new["positions"].shape
        for name in PER_SLOT if self.observed is None else (*PER_SLOT, "observed"):
            added = new[name] if name in new else np.zeros(shape, PER_SLOT.get(name, np.float64))
            setattr(self, name, np.concatenate([getattr(self, name), added], 1))
        self.note_padding()

    def note_padding(self) -> None:
        """Update ``padded`` after ``positions`` were changed."""
        self.padded = bool((self.positions == PADDING).any())

    def overwrite(self, slots: Ints, positions: Ints) -> None:
        """Put a generated token with ``positions`` [lane] into ``slots`` [lane]."""
        for lane, slot in enumerate(slots.tolist()):  # scalars: a decode step is a few of them
            self.positions[lane, slot] = positions[lane]
            self.ids[lane, slot] = GENERATED
            self.frequency[lane, slot] = self.voucher[lane, slot] = 0.0
            self.anchor[lane, slot] = self.held[lane, slot] = False
            self.quantised[lane, slot] = False
            if self.observed is not None:
                self.observed[lane, slot] = 0.0
        if self.padded:
            self.note_padding()

    def take(self, slots: Ints) -> None:
        """Keep only ``slots`` [lane, kept], in that order."""
        names = PER_SLOT if self.observed is None else (*PER_SLOT, "observed")
        for name in names:
            setattr(self, name, np.take_along_axis(getattr(self, name), slots, 1))
        if self.limits is not None:
            empty = slots.shape[1] - np.minimum(self.limits, slots.shape[1])
            self.positions[np.arange(slots.shape[1]) < empty[:, None]] = PADDING
        self.note_padding()

    def filled(self, lane: int, slots: Ints, width: int) -> Ints:
        """``slots``, padded on the left up to ``width``; with any slot if the lane has no padding.

        Such a slot becomes padding when it is taken (kv heads with a smaller budget).
        """
        missing = width - len(slots)
        if not missing:
            return slots
        padding = np.flatnonzero(self.positions[lane] == PADDING)
        return np.concatenate([np.resize(padding if len(padding) else slots[:1], missing), slots])

    def holds(self, row: int, span: Span) -> bool:
        """Whether every kv head still holds a whole range. Always True with one lane per row, where
        it need not be checked."""
        if self.heads == 1:
            return True
        positions = self.positions[row * self.heads : (row + 1) * self.heads]
        return bool((inside(positions, [span]).sum(1) == len(span)).all())

    def live_slots(self, lane: int) -> Ints:
        """The slots of a lane that hold a token, in order of position."""
        order = np.argsort(self.positions[lane], kind="stable")
        return order[int((self.positions[lane] == PADDING).sum()) :]

    def is_recent(self, lengths: Ints) -> Bools:
        """Which slots hold one of the newest tokens that stay mandatory; ``lengths`` [row]."""
        return self.positions >= (self.lanes_of(lengths) - self.recent)[:, None]

    def take_rows(self, rows: Ints) -> None:
        """Reorder, repeat or drop rows (beams, batch selection)."""
        lanes = lanes_of_rows(rows, self.heads)
        self.rows = np.repeat(np.arange(len(rows)), self.heads)
        for name in (*PER_SLOT, "recent", "observed", "limits", "sharp"):
            if getattr(self, name) is not None:
                setattr(self, name, getattr(self, name)[lanes])
        self.selected = [self.selected[lane] for lane in lanes] if self.selected else []
        self.note_padding()

    def places(self, by: Ints) -> Ints:
        """Place of every slot's token while tokens stand lower ``by`` so much [lane]
        (``places.placed``); 0 for padding."""
        order = np.argsort(self.positions, 1, kind="stable")
        places = np.empty_like(order)
        ascending = np.take_along_axis(self.positions, order, 1)
        np.put_along_axis(places, order, placed(ascending, by[:, None]), 1)
        return places
