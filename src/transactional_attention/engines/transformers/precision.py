"""Keys or values of a layer of which some slots are held in low precision, for real.

``MixedStates`` stands where a plain tensor stands; the functions below take either. A read makes
the whole tensor for as long as one attention call needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TypeAlias

import torch
from torch import Tensor

from ...config import Format, Packing

LARGEST = {"int4": 7.5, "int8": 127.0, "fp8": 448.0}  # fp8: torch.float8_e4m3fn
FP8 = torch.float8_e4m3fn


def quantise(states: Tensor, form: Packing) -> tuple[Tensor, Tensor]:
    """Bits (int8) of states [..., head_dim], and a scale [..., 1] in float32 for each token.

    Symmetric: the largest number of a token becomes the largest of the format. ``int4``: two
    numbers a byte, of states that are spread first; the scale in int8, as eighths of its exponent.
    """
    wide = _spread(states.float()) if form == "int4" else states.float()
    scale = wide.abs().amax(-1, keepdim=True) / LARGEST[form]
    scale = scale.clamp(min=torch.finfo(torch.float32).tiny)
    if form == "int4":
        eighths = (scale.log2() * 8).ceil().clamp(-128, 127)
        steps = (wide / torch.exp2(eighths / 8)).round().clamp(-8, 7).to(torch.int8)
        return steps[..., ::2] & 15 | steps[..., 1::2] << 4, eighths.to(torch.int8)
    steps = (wide / scale).clamp(-LARGEST[form], LARGEST[form])
    if form == "int8":
        return steps.round().to(torch.int8), scale
    return steps.to(FP8).view(torch.int8), scale  # indexing knows no float8


def dequantise(bits: Tensor, scale: Tensor, form: Packing) -> Tensor:
    """The numbers that are held, in float32."""
    if form == "int4":
        steps = torch.stack([bits << 4 >> 4, bits >> 4], -1).flatten(-2)
        return _spread(steps.float() * torch.exp2(scale.float() / 8))
    return (bits if form == "int8" else bits.view(FP8)).float() * scale


def _spread(states: Tensor) -> Tensor:
    """Every number over all of its head, so that none is far larger than the others: a Hadamard
    transform, which undoes itself (QuaRot, 2404.00456). In blocks of the largest power of two that
    divides head_dim."""
    size = states.shape[-1] & -states.shape[-1]
    matrix = _hadamard(size).to(states.device)
    return (states.unflatten(-1, (-1, size)) @ matrix / size**0.5).flatten(-2)


@cache
@torch.inference_mode(mode=False)  # it outlives the forward that asks first
def _hadamard(size: int) -> Tensor:
    """Sylvester's matrix [size, size] of 1 and -1, ``size`` a power of two."""
    if size == 1:
        return torch.ones(1, 1)
    half = _hadamard(size // 2)
    return torch.cat([torch.cat([half, half], 1), torch.cat([half, -half], 1)])


@dataclass
class MixedStates:
    """Slots of [row, kv_head, slot, head_dim]: some in ``full`` precision, the others as ``bits``.

    ``places`` [row, kv_head, slot]: where a slot is in ``full`` and, counted on, in ``bits``. Kv
    heads may differ in how many slots are low; those that need fewer leave places unused. Bits
    are made once and only moved: nothing is rounded twice.
    """

    full: Tensor
    bits: Tensor
    scale: Tensor
    places: Tensor
    form: Format

    @classmethod
    def of(cls, states: Tensor, form: Format) -> MixedStates:
        """All slots in full precision, none as bits."""
        bits, scale = quantise(states[:, :, :0], form)
        slots = torch.arange(states.shape[2], dtype=torch.int32, device=states.device)
        return cls(states, bits, scale, slots.expand(*states.shape[:2], -1).clone(), form)

    @property
    def shape(self) -> torch.Size:
        """That of the whole tensor."""
        return torch.Size((*self.places.shape, self.full.shape[3]))

    @property
    def device(self) -> torch.device:
        """Where it is held."""
        return self.full.device

    def tensors(self) -> tuple[Tensor, ...]:
        """All that is held."""
        return self.full, self.bits, self.scale, self.places

    def low(self) -> Tensor:
        """Which slots are held as bits, [row, kv_head, slot]."""
        return self.places >= self.full.shape[2]

    def read(self) -> Tensor:
        """The whole tensor, in the dtype of the model."""
        lowered = dequantise(self.bits, self.scale, self.form).to(self.full.dtype)
        return _gather(torch.cat([self.full, lowered], 2), self.places)

    def append(self, new: Tensor) -> MixedStates:
        """With new slots [row, kv_head, new, head_dim] after the present ones, full."""
        count, width = new.shape[2], self.full.shape[2]
        moved = torch.where(self.low(), self.places + count, self.places)
        added = torch.arange(width, width + count, dtype=torch.int32, device=self.device)
        places = torch.cat([moved, added.expand(*moved.shape[:2], -1)], 2)
        return MixedStates(torch.cat([self.full, new], 2), self.bits, self.scale, places, self.form)

    def take(self, keep: Tensor) -> MixedStates:
        """With the slots ``keep`` [row, kv_head or 1, kept] alone, in that order."""
        places = self.places.gather(2, keep.expand(-1, self.places.shape[1], -1))
        width = self.full.shape[2]
        return self._packed(places, places >= width, self.bits, self.scale, width)

    def lower(self, low: Tensor) -> MixedStates:
        """With the slots ``low`` [row, kv_head or 1, slot] as bits; those that were, stay so."""
        bits, scale = quantise(self.full, self.form)
        bits, scale = torch.cat([bits, self.bits], 2), torch.cat([scale, self.scale], 2)
        return self._packed(self.places, low.expand_as(self.places) | self.low(), bits, scale, 0)

    def _packed(
        self, places: Tensor, low: Tensor, bits: Tensor, scale: Tensor, first: int
    ) -> MixedStates:
        """Slots at old ``places``, full ones and ``low`` ones gathered; bits begin at ``first``."""
        counts, slots = low.sum(-1), places.shape[2]
        num_low, num_full = int(counts.max()), slots - int(counts.min())
        order = low.to(torch.uint8).argsort(dim=-1, stable=True)
        rank = order.argsort(-1)
        of_full = places.gather(2, order[..., :num_full]).clamp(max=self.full.shape[2] - 1)
        of_low = (places.gather(2, order[..., slots - num_low :]) - first).clamp(min=0)
        packed = torch.where(low, rank + num_full + num_low - slots, rank).to(torch.int32)
        return MixedStates(
            _gather(self.full, of_full),
            _gather(bits, of_low),
            _gather(scale, of_low),
            packed,
            self.form,
        )

    def write(self, slots: Tensor, demoted: Tensor, new: Tensor) -> None:
        """Overwrite a slot [row, kv_head or 1] in place with ``new`` [row, kv_head, 1, head_dim].

        Where that slot was low, ``demoted`` names a full one, and the two change places.
        """
        shape = (*self.places.shape[:2], 1)
        slots, demoted = slots[..., None].expand(shape), demoted[..., None].expand(shape)
        freed, taken = self.places.gather(2, slots), self.places.gather(2, demoted)
        if self.bits.shape[2]:
            into = (freed - self.full.shape[2]).clamp(min=0)
            moved = (freed != taken)[..., None]
            quantised_parts = quantise(_gather(self.full, taken), self.form)
            for held, made in zip((self.bits, self.scale), quantised_parts, strict=True):
                _scatter(held, into, torch.where(moved, made, _gather(held, into)))
        _scatter(self.full, taken, new)
        self.places.scatter_(2, slots, taken)
        self.places.scatter_(2, demoted, freed)

    def index_select(self, dim: int, index: Tensor) -> MixedStates:
        """Rows (``dim`` 0) or kv heads (1), as of a tensor."""
        assert dim in (0, 1)
        return self._each(lambda part: part.index_select(dim, index))

    def clone(self) -> MixedStates:
        """A copy that shares nothing."""
        return self._each(Tensor.clone)

    def _each(self, change: Callable[[Tensor], Tensor]) -> MixedStates:
        full, bits, scale, places = map(change, self.tensors())
        return MixedStates(full, bits, scale, places, self.form)


States: TypeAlias = Tensor | MixedStates


def _wide(index: Tensor, states: Tensor) -> Tensor:
    return index.long()[..., None].expand(*index.shape, states.shape[3])


def _gather(states: Tensor, index: Tensor) -> Tensor:
    """Slots ``index`` [row, kv_head, taken] of states [row, kv_head, slot, n]."""
    return states.gather(2, _wide(index, states))


def _scatter(states: Tensor, index: Tensor, new: Tensor) -> None:
    states.scatter_(2, _wide(index, states), new)


def read(states: States) -> Tensor:
    """The whole tensor; a plain one is handed out as it is."""
    return states if isinstance(states, Tensor) else states.read()


def append(states: States, new: Tensor) -> States:
    """With new slots after the present ones."""
    if isinstance(states, Tensor):
        return torch.cat([states, new], -2)
    return states.append(new)


def write(states: States, slots: Tensor, demoted: Tensor, new: Tensor) -> None:
    """Overwrite a slot [row, kv_head or 1] in place with ``new`` [row, kv_head, 1, head_dim].

    ``demoted``: as for ``MixedStates.write``.
    """
    if not isinstance(states, Tensor):
        states.write(slots, demoted, new)
    elif slots.numel() == 1:
        states.index_copy_(2, slots.flatten(), new)
    else:
        states.scatter_(2, slots[..., None, None].expand_as(new), new)


def lower(states: States, low: Tensor, form: Format) -> States:
    """With the slots ``low`` [row, kv_head or 1, slot] in low precision."""
    mixed = MixedStates.of(states, form) if isinstance(states, Tensor) else states
    return mixed.lower(low)


def parts(states: States | None) -> tuple[Tensor, ...]:
    """The tensors behind keys or values."""
    if states is None:
        return ()
    return (states,) if isinstance(states, Tensor) else states.tensors()


def stored_bytes(states: Iterable[States | None]) -> int:
    """Bytes of the storage behind keys and values, each once: a view counts as its whole."""
    storages = {}
    for tensor in chain.from_iterable(map(parts, states)):
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())
