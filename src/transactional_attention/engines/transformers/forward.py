"""What one forward does with the table that some layers of a cache share: so an index or a mask
reaches the device once a forward and not once a layer."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ...methods.observation import visible
from ...retention.flow import Step
from ...selection.slot_table import SlotTable
from ...types import Bools, Ints
from .precision import MixedStates, States, write


class CutTime(Enum):
    """What a scorer's reading of a layer is for.

    ``LAYER``: it cuts the layer at once, and the step is known only then. ``END``: all layers are
    cut after the last one. ``NEXT``: it chooses what the next generated token overwrites.
    """

    NEVER, LAYER, END, NEXT = range(4)


class ForwardPlan:
    """One forward over one table as it is before any cut; lanes as in ``SlotTable``.

    ``positions`` [lane, slot]: all tokens that attention sees, held ones first and then the new
    ones, or in slot order when the new token overwrites a slot. ``new`` [row, new]: the positions
    of the new tokens. ``places``: where each token stands, if not at its own position.
    ``padded``: some of ``positions`` is padding. ``check``: look for keys that are not finite.
    ``when``: what the scorer's reading of the layer, after attention, is for. ``demoted`` [lane]:
    slots that turn low for new tokens in full precision; ``low`` [lane, slot]: slots to hold in low
    precision when the forward ends, None for no change.
    """

    def __init__(
        self,
        table: SlotTable,
        new: Ints,
        step: Step | None = None,
        *,
        by: Ints | None = None,
        check: bool = False,
        when: CutTime = CutTime.NEVER,
    ) -> None:
        self.table, self.new, self.step = table, new, step or Step()
        self.positions, self.padded, self.heads = table.positions, table.padded, table.heads
        self.places = None if by is None else table.places(by[table.rows])
        self.check, self.when = check, when
        self.demoted = self.step.slots
        self.low: Bools | None = None
        self.finite: list[Tensor] = []
        self._on_device: dict[Any, Any] = {}

    def by_head(self, array: np.ndarray) -> np.ndarray:
        """Lanes [lane, slot] as [row, kv_head, slot], or [row, 1, slot] when all heads agree."""
        lanes = array.reshape(-1, self.heads, array.shape[1])
        alike = self.heads == 1 or (lanes == lanes[:, :1]).all()
        return lanes[:, :1] if alike else lanes

    def slot_positions(self, device: torch.device) -> Tensor:
        """Positions of the visible tokens [row, kv_head or 1, slot] on a device."""
        return self._tensor("positions", lambda: self.by_head(self.positions), device)

    def asking(self, device: torch.device) -> Tensor:
        """Positions of the new tokens [row, new] on a device."""
        return self._tensor("new", lambda: self.new, device)

    def _tensor(self, name: str, make: Callable[[], np.ndarray], device: torch.device) -> Tensor:
        if (name, device) not in self._on_device:
            array = np.ascontiguousarray(make())
            self._on_device[name, device] = torch.from_numpy(array).to(device)
        return self._on_device[name, device]

    def place_tensors(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """Places of the visible [row, kv_head or 1, slot] and of the new tokens [row, 1, new]."""
        assert self.places is not None
        places = self.places
        visible = self._tensor("places", lambda: self.by_head(places), device)
        return visible, self._tensor("new_places", self.new_places, device)[:, None]

    def new_places(self) -> Ints:
        """Places of the new tokens [row, new]: their position ids, if not their own positions."""
        assert self.places is not None
        if self.step.slots is not None:
            places = self.places[np.arange(len(self.places)), self.step.slots][:, None]
        else:
            places = self.places[:, -self.new.shape[1] :]
        return places[:: self.heads]  # as many tokens are live in every head of a row

    def write(self, buffer: States, new: Tensor) -> None:
        """Overwrite one slot a lane in place; ``new`` [row, kv_head, 1, head_dim]."""
        demoted = self._lanes("demoted", self.demoted, buffer.device)
        write(buffer, self.slot_index(buffer.device), demoted, new)

    def _lanes(self, name: str, lanes: Ints | None, device: torch.device) -> Tensor:
        """Slots [lane, ...] as [row, kv_head or 1, ...] on a device."""
        assert lanes is not None
        shape = -1, self.heads, *lanes.shape[1:]
        return self._tensor(name, lambda: lanes.reshape(shape), device)

    def slot_index(self, device: torch.device) -> Tensor:
        """The slots that are overwritten, [row, kv_head or 1]."""
        return self._lanes("slots", self.step.slots, device)

    def low_slots(self, device: torch.device) -> Tensor | None:
        """The slots to hold in low precision, [row, kv_head or 1, slot]."""
        low = self.low
        return None if low is None else self._tensor("low", lambda: self.by_head(low), device)

    def take(self, states: Any) -> Any:
        """Keep the chosen slots of [row, kv_head or more, slot, ...], a tensor or ``MixedStates``.

        ``index_select`` for one lane (paper, section 3.2), otherwise gather along the sequence.
        """
        index = self._lanes("keep", self.step.keep, states.device)
        if isinstance(states, MixedStates):
            return states.take(index)
        if index.shape[:2] == (1, 1):
            return states.index_select(2, index[0, 0])
        rows, heads, *rest = states.shape
        if self.heads > heads:  # shared by the heads so far
            states = states.expand(rows, self.heads, *rest)
        index = index.view(*index.shape, *[1] * (states.ndim - 3))
        return states.gather(2, index.expand(-1, states.shape[1], -1, *states.shape[3:]))

    def mask(self, num_queries: int, window: int | None, device: torch.device) -> Any:
        """None where nothing has to be hidden, a ``CausalBias`` for a chunk, otherwise a bool mask.

        Bool masks are [row, kv_head or 1, query, slot]. A decode step of an unpadded batch, and a
        prefill of one, need no tensor: the first sees everything, the second is ``is_causal``.
        """
        num_slots = self.positions.shape[1]
        if not self.padded and window is None:
            if num_queries == 1 or num_queries == num_slots:
                return None
            from torch.nn.attention.bias import causal_lower_right  # noqa: PLC0415  (slow)

            return causal_lower_right(num_queries, num_slots)
        key = ("mask", window, device)
        if key not in self._on_device:
            self._on_device[key] = self._bool_mask(num_queries, window, device)
        return self._on_device[key]

    def _bool_mask(self, num_queries: int, window: int | None, device: torch.device) -> Tensor:
        mask = visible(self.slot_positions(device), self.asking(device), window)
        if num_queries > 1:  # a padding query sees itself: an empty row would turn into NaN
            start = self.positions.shape[1] - num_queries
            query_index = torch.arange(num_queries, device=device)
            mask[:, :, query_index, start + query_index] = True
        return mask
