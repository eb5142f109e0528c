"""Cells of sequences at rest, on the host: what a token has in all layers is held once, however
many states hold the same.

The states of a conversation, and of those that begin alike, differ in few tokens. A row is found by
what it holds, not by its place: text that comes back, or is read again, may have others there.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakValueDictionary

import numpy as np

from ...types import Ints
from .cells import HEAD, Cells, Rows, read_cells

_held: WeakValueDictionary[int, Rows] = WeakValueDictionary()  # as long as a state has them


class SharedCells(NamedTuple):
    """``head``: the bytes before the cells; ``form``: one of them, and what is held beside; of all
    their ``places`` [cell] and ``rows`` [cell][bytes], in the order of their bytes; ``num_bytes``:
    of them alone, shared ones too."""

    head: bytes
    form: Cells
    places: Ints
    rows: tuple[Rows, ...]
    num_bytes: int

    @classmethod
    def of(cls, state: Rows) -> SharedCells:
        """What the library exports of a sequence. Raises InputError as ``read_cells``."""
        cells = read_cells(state, HEAD)
        form = cells.taken(np.zeros(1, np.int64))
        rows = tuple(map(shared, cells.rows()))
        return cls(bytes(state[:HEAD]), form, cells.places, rows, len(state))

    def exported(self) -> Rows:
        """The bytes again."""
        return self._written(self.form.with_rows(self.places, np.stack(self.rows)))

    def first(self) -> Rows:
        """The bytes with one of the cells alone."""
        return self._written(self.form)

    def _written(self, cells: Cells) -> Rows:
        return cells.spliced(self.head, np.arange(len(cells.meta)), ())


def shared(rows: Rows) -> Rows:
    """Rows [.., bytes], or others that are held and equal them."""
    data = rows.tobytes()
    shared_rows = _held.get(key := hash((rows.shape, data)))
    if shared_rows is None or shared_rows.shape != rows.shape or shared_rows.tobytes() != data:
        _held[key] = shared_rows = np.frombuffer(data, np.uint8).reshape(rows.shape)
    return shared_rows
