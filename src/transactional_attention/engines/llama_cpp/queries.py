"""Queries of a few layers, as llama.cpp computes them: its callback for every node of a graph.

Asked for in the steps in which a field opens; the others pay for the calls alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gguf.bindings import library

NODE = "Qcur-"


class Queries:
    """Notes queries [token, head, dim], by layer, while ``on``. ``callback`` is llama.cpp's."""

    def __init__(self, layers: Sequence[int], heads: int) -> None:
        self.layers, self.heads, self.on = tuple(layers), heads, False
        self.vectors: dict[int, NDArray[np.float32]] = {}
        self._names = {f"{NODE}{layer}".encode(): layer for layer in layers}
        ffi = library().ffi
        self.callback = ffi.callback("bool(void *, bool, void *)", self._node)

    def begin(self, *, on: bool) -> None:
        """Before a forward: whether its queries are wanted."""
        self.on, self.vectors = on, {}

    def _node(self, tensor: Any, asks: bool, _: Any) -> bool:
        if not self.on:
            return False
        ffi, calls, _said = library()
        if asks:
            return ffi.string(calls.ggml_get_name(tensor)) in self._names
        name = ffi.string(calls.ggml_get_name(tensor))
        values = np.empty(calls.ggml_nbytes(tensor) // 4, np.float32)
        place = ffi.from_buffer("uint8_t[]", values)
        calls.ggml_backend_tensor_get(tensor, place, 0, values.nbytes)
        self.vectors[self._names[name]] = values  # the last of a name has positions applied
        return True

    def of(self, column: int, tokens: int) -> list[NDArray[np.float32]]:
        """Of each layer the query [head, dim] of one of the ``tokens`` of the last forward; none
        where the model's graph names no queries."""
        if len(self.vectors) < len(self.layers):
            return []
        return [self.vectors[n].reshape(tokens, self.heads, -1)[column] for n in self.layers]
