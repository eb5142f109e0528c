"""How rows that left a sequence are held on the host: in eight bits a number, or as they are.

Keys of cells are turned to their positions, and cannot be told from a model's biases there: a
memory's ``int4`` is ``int8``, as it is on transformers for keys that cannot be turned back.
"""

from __future__ import annotations

import struct

import numpy as np

from ...config import Packing
from ...types import Ints
from .cells import PLAIN, Cells, Rows, packed, unpacked

BLOCK = 32  # numbers that share a scale, as in ggml


class RowFormat:
    """Cells in one ``form`` to what is held of them [token, bytes], and back.

    ``storage``: None for the cells' own bytes. Cells that are quantised already are held as they
    are, whatever ``storage`` says.
    """

    def __init__(self, storage: Packing | None, form: Cells) -> None:
        self.form = form.taken(np.zeros(1, np.int64)).bare()
        kinds = {struct.unpack_from("<i", part.head)[0] for part in form.parts}
        self._type = PLAIN.get(min(kinds)) if storage and len(kinds) == 1 else None
        numbers = [part.rows[0].size // np.dtype(self._type).itemsize for part in form.parts]
        self._block = min(BLOCK, *(count & -count for count in numbers))

    @property
    def num_bytes(self) -> int:
        """Of what is held of a token."""
        return self.held(self.form).shape[1]

    def held(self, cells: Cells) -> Rows:
        """What is held of some cells."""
        rows = cells.rows()
        if self._type is None:
            return rows
        return packed(rows.view(self._type).astype(np.float32), self._block)

    def read(self, places: Ints, rows: Rows) -> Cells:
        """The cells at ``places`` [token], as they come back."""
        if self._type is not None:
            rows = unpacked(rows, self._block).astype(self._type).view(np.uint8)
        return self.form.with_rows(places, rows)
