"""A decode step in place: a token of each row takes another one's slot, and nothing else moves.

All that layers need of the host is made once a step, before the first of them runs, as tensors.
So a layer does no work of Python's own, and one graph that ``torch.compile`` makes of a step serves
every later step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from .forward import TableForward

if TYPE_CHECKING:
    from .layer import RetentionLayer
    from .rotary import Rotary, Turns


@dataclass(frozen=True)
class InPlace:
    """``slots`` [row]: where the new tokens go. ``turns``: how compact keys are turned."""

    slots: torch.Tensor
    turns: Turns | None

    def update(
        self, held: tuple[torch.Tensor, torch.Tensor], new: tuple[torch.Tensor, torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Write new keys and values [row, kv_head, 1, head_dim]; returns all that is seen."""
        (keys, values), (key, value) = held, new
        if self.turns is None:
            self._write(keys, key)
            self._write(values, value)
            return keys, values
        self._write(keys, self.turns.undo(key))
        self._write(values, value)
        return self.turns.apply(keys), values

    def _write(self, held: torch.Tensor, new: torch.Tensor) -> None:
        if self.slots.shape[0] == 1:
            held.index_copy_(2, self.slots, new)
        else:
            held.scatter_(2, self.slots[:, None, None, None].expand_as(new), new)


def place(
    layers: Sequence[RetentionLayer],
    forwards: Sequence[TableForward],
    rotary: Rotary | None,
    device: torch.device,
) -> torch.Tensor | None:
    """Tell every layer whether its step is one in place; ``forwards``: one a layer.

    Returns the position ids [row, new] of compact caches, on a device.
    """
    ranks = None if rotary is None else rotary.begin(forwards[0], device)
    made: dict[tuple[int, torch.device], InPlace] = {}
    for layer, forward in zip(layers, forwards, strict=True):
        layer.in_place = None
        if _simple(layer, forward):
            assert layer.keys is not None
            key = id(forward), layer.keys.device
            if key not in made:
                turns = None if rotary is None else rotary.turns(forward, key[1])
                made[key] = InPlace(forward.slot_index(key[1]).flatten(), turns)
            layer.in_place = made[key]
    return ranks


def _simple(layer: RetentionLayer, forward: TableForward) -> bool:
    """Whether nothing has to be hidden, read, checked or kept in low precision."""
    return (
        forward.step.slots is not None
        and forward.heads == 1
        and not (forward.padded or forward.check)
        and layer.observer is None
        and isinstance(layer.keys, torch.Tensor)
        and isinstance(layer.values, torch.Tensor)
    )
