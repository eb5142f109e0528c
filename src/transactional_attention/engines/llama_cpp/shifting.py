"""Keys that wait at one place, shifted to others by llama.cpp itself, whatever its rope and types.

A small context takes the cells in, is told of their moves, and is asked for one token more than it
has room for: it shifts the keys first, then finds no cell, and computes nothing.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...errors import CacheStateError
from ...types import Ints
from .cells import HEAD, Cells, Rows, read_cells
from .context import Context, Tokens

CELLS, SEQUENCE = 256, 0  # as few cells as a context has
ORIGINAL = "rope.scaling.original_context_length"


class SmallContext(NamedTuple):
    """A context, and the bytes of a state with one token at 0 in it."""

    context: Context
    state: Rows


_made: WeakKeyDictionary[Context, SmallContext] = WeakKeyDictionary()


def shifted(context: Context, cells: Cells, places: Ints) -> Cells:
    """The ``cells`` of a context, or of another of its model and type, with their keys shifted to
    ``places`` [cell]. Raises CacheStateError where llama.cpp does otherwise than said above."""
    if np.array_equal(cells.places, places):
        return cells
    small, by, parts = _small(context), places - cells.places, []
    size = small.context.cells
    for which in np.split(np.arange(len(by)), range(size, len(by), size)):
        parts.append(_shifted(small, cells.taken(which), by[which]))
    rows = [np.concatenate([part.parts[n].rows for part in parts]) for n in range(len(cells.parts))]
    return cells.filled(places, rows)


def _small(context: Context) -> SmallContext:
    if context not in _made:
        model, cells = context.model, CELLS
        original = model.value(f"{model.architecture}.{ORIGINAL}")
        if original and context.cells > int(original):  # longrope: other factors from there on
            cells = context.cells
        alike = partial(Context, cell_type=context.cell_type, threads=1, chunk=1)
        small = alike(model, cells, flash_attention=context.flash_attention)
        small.forward([Tokens(SEQUENCE, [0], 0)])
        _made[context] = SmallContext(small, small.exported(SEQUENCE))
    return _made[context]


def _shifted(small: SmallContext, cells: Cells, by: Ints) -> Cells:
    """As many as there is room for, each shifted ``by`` so much; at places that mean nothing.

    Cells of one move lie together, far from the others, so that no range names a cell of another
    one; the first fills what is left of the context."""
    context, state = small
    moves, group = np.unique(by, return_inverse=True)
    size, cell_numbers = context.cells, np.arange(len(by))
    apart = int(np.abs(by).max()) + size
    begins, index = apart * (1 + 2 * np.arange(len(moves))), np.zeros(size, np.int64)
    index[: len(by)] = cell_numbers
    places = apart * (2 * len(moves) + 1) + np.arange(size)
    places[: len(by)] = begins[group] + cell_numbers
    beside = read_cells(state, HEAD).beside  # recurrent states, of the token at 0
    rows = [part.rows[index] for part in cells.parts]
    full = cells.filled(places, rows)._replace(beside=beside, streams=(size,))
    context.restore(SEQUENCE, full.spliced(state[:HEAD], np.arange(size), ()))
    for begin, move in zip(begins.tolist(), moves.tolist(), strict=True):
        context.move(SEQUENCE, begin, begin + size, move)
    places[: len(by)] += by
    context.shift_full(SEQUENCE, 1 if beside.recurrent else int(places.max()) + 1)
    shifted_cells = read_cells(context.exported(SEQUENCE), HEAD)
    if not np.array_equal(shifted_cells.places, places):
        raise CacheStateError("llama.cpp moved its cells: use the build that is tested")
    return shifted_cells.taken(cell_numbers)._replace(beside=cells.beside)
