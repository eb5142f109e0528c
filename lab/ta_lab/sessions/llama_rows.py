"""Rows that are moved by hand in llama.cpp."""

from __future__ import annotations

import copy

import numpy as np
from numpy.typing import NDArray

from transactional_attention.engines.llama_cpp.context import Context, Tokens
from transactional_attention.engines.llama_cpp.model import GgufModel
from transactional_attention.errors import InputError
from transactional_attention.types import Ints

from .rows import Logits


class LlamaRows:
    """In cells of a context: of one sequence, and of a second one with the same cells for what is
    kept, for which they have to be ``shared``."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._rest: NDArray[np.uint8] | None = None  # its cells, while others use them

    @classmethod
    def of(cls, model: GgufModel, cells: int | None, threads: int | None) -> LlamaRows:
        """In a context of ``cells`` cells; None: as many as the model has positions, all of them
        kept. Raises InputError for layers that slide or keep a state."""
        if not model.plain:
            raise InputError(f"{model.path.name}: not all of its layers see all rows: take another")
        shared, cells = cells is None, cells or model.trained_length
        sequences = 2 if shared else 1
        return cls(Context(model, cells, sequences=sequences, shared=shared, threads=threads))

    def _wake(self) -> None:
        if self._rest is not None:
            self.context.restore(0, self._rest)
            self._rest = None

    def read(self, ids: Ints, at: int) -> Logits:
        """A forward."""
        self._wake()
        (logits,) = self.context.forward([Tokens(0, ids, at)])
        return logits[-1]

    def remove(self, start: int, end: int) -> None:
        """Free the cells that are not kept."""
        if start < end:
            self._wake()
            self.context.remove(0, start, end)

    def move(self, start: int, end: int, by: int) -> None:
        """As llama-server does it."""
        self._wake()
        self.context.move(0, start, end, by)

    def keep(self, start: int, end: int) -> None:
        """Let the second sequence have the cells."""
        self.context.copy(0, 1, start, end)

    def show(self) -> None:
        """Let the first sequence have the cells of the second."""
        self.context.remove(0, -1, -1)
        self.context.copy(1, 0)

    def forget(self, start: int) -> None:
        """Take cells from the second sequence."""
        self.context.remove(1, start, -1)

    def copy(self) -> LlamaRows:
        """As bytes, until it is used."""
        if self._rest is None:
            self._rest = self.context.exported(0)
        return copy.copy(self)
