"""How rows that left a sequence are held on the host: keys in eight bits a number and values in
eight or four, or as they are.

Keys of cells are turned to their positions, where four bits lose too much of them.
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
        self._block = block = min(BLOCK, *(count & -count for count in numbers))
        self._value_bits = 4 if storage == "int4" and block > 1 else 8
        self._num_keys = sum(numbers[: form.layers])  # numbers of a token
        self._key_bytes = self._num_keys // block * (block + 2)

    @property
    def num_bytes(self) -> int:
        """Of what is held of a token."""
        return self.held(self.form).shape[1]

    def held(self, cells: Cells) -> Rows:
        """What is held of some cells."""
        rows = cells.rows()
        if self._type is None:
            return rows
        keys, values = np.split(rows.view(self._type).astype(np.float32), [self._num_keys], 1)
        held = packed(keys, self._block), packed(values, self._block, self._value_bits)
        return np.concatenate(held, 1)

    def read(self, places: Ints, rows: Rows) -> Cells:
        """The cells at ``places`` [token], as they come back."""
        if self._type is not None:
            keys, values = np.split(rows, [self._key_bytes], 1)
            read = unpacked(keys, self._block), unpacked(values, self._block, self._value_bits)
            rows = np.concatenate(read, 1).astype(self._type).view(np.uint8)
        return self.form.with_rows(places, rows)
