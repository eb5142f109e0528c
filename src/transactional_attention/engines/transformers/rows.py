"""How rows that left a cache are held on the host: in low precision, or as they are.

In low precision a key is held without rotation, as what differs from the centre of its head: a
model's biases can be ten times what tells keys apart (KIVI, 2402.02750, on channels of keys).
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from ...config import Packing
from ...errors import UnsupportedError
from ...retention.saving.records import check, part_of
from ...types import Ints
from .frequencies import FIXED
from .layer import RetentionLayer
from .precision import FP8, dequantise, quantise
from .rotary import Rotary
from .tensor_file import Tensors

PARTS = ("keys.0", "keys.1", "values.0", "values.1")
CENTRE = "centre"


class PairFormat:
    """Keys and values [layer, kv_head, token, head_dim] to what is held, and back.

    ``form``: None for the dtype of the model; ``int4`` is ``int8`` where keys cannot be turned
    back. ``decoder``: what turned the keys of the layers; None where they are held without
    rotation. ``centre`` [layer, kv_head, 1, head_dim]: of keys, made by the first that come.
    """

    def __init__(self, form: Packing | None, decoder: nn.Module | None) -> None:
        self.form = form
        self._rotary: Rotary | None = None
        self.centre: Tensor | None = None
        if form is not None and decoder is not None:
            try:
                self._rotary = Rotary(decoder, FIXED)
            except UnsupportedError:  # four bits need keys that are turned back
                self.form = "int8" if form == "int4" else form

    def held(self, keys: Tensor, values: Tensor, positions: Ints) -> Tensors:
        """What is held of the rows of some positions [token], by part (``PARTS``)."""
        if self.form is None:
            return {"keys.0": keys, "values.0": values}
        keys = keys.float()
        if self._rotary is not None:
            keys = self._rotary.unrotate(keys, torch.from_numpy(positions)[None, None])
        if self.centre is None:
            self.centre = keys.mean(2, keepdim=True)
        return self._packed("keys", keys - self.centre) | self._packed("values", values)

    def read(self, rows: Tensors, positions: Ints) -> tuple[Tensor, Tensor]:
        """Keys and values as the layers hold them."""
        if self.form is None:
            return rows["keys.0"], rows["values.0"]
        keys, values = (
            dequantise(rows[f"{name}.0"], rows[f"{name}.1"], self.form)
            for name in ("keys", "values")
        )
        assert self.centre is not None
        keys = keys + self.centre
        if self._rotary is not None:
            keys = self._rotary.rotate(keys, torch.from_numpy(positions)[None, None])
        return keys, values

    def exported(self) -> Tensors:
        """What a file has beside the rows."""
        return {} if self.centre is None else {CENTRE: self.centre}

    def resume(self, tensors: Tensors, layers: Sequence[RetentionLayer]) -> None:
        """Take in what ``exported`` gave, for these layers. Raises ValueError where it does not
        fit."""
        if self.form is not None and CENTRE in tensors:
            keys, _ = layers[0].states()
            shape = (len(layers), keys.shape[1], 1, keys.shape[3])
            self.centre = part_of(tensors, CENTRE, shape, torch.float32).clone()
            check(self.centre.isfinite().all(), CENTRE)

    def check(self, rows: Tensors, layers: Sequence[RetentionLayer]) -> int:
        """How many tokens the rows of a file are of. Raises ValueError for rows that are not held
        in this way, or not of these layers."""
        form, count = self.form, None
        check(set(rows) == set(PARTS[::2] if form is None else PARTS), "rows")
        check(form is None or self.centre is not None, CENTRE)
        for name, states in zip(("keys", "values"), layers[0].states()):
            heads, width = states.shape[1], states.shape[3] // (2 if form == "int4" else 1)
            dtype = states.dtype if form is None else torch.int8
            bits = part_of(rows, f"{name}.0", (len(layers), heads, count, width), dtype)
            numbers = bits.view(FP8).float() if form == "fp8" else bits
            check(numbers.isfinite().all(), name)
            count = bits.shape[2]
            if form is not None:
                kind = torch.int8 if form == "int4" else torch.float16
                scale = part_of(rows, f"{name}.1", (len(layers), heads, count, 1), kind)
                check(scale.isfinite().all(), name)
        assert count is not None
        return count

    def _packed(self, name: str, states: Tensor) -> Tensors:
        assert self.form is not None
        bits, scale = quantise(states, self.form)
        if scale.dtype is torch.float32:
            scale = scale.half()  # off by a 2,048th, a tenth of what the bits are off by
        return {f"{name}.0": bits, f"{name}.1": scale}
