"""What one forward does with one slot table: masks, writes and cuts as tensors, made once.

Layers that share a table share this record, so an index or a mask reaches the device once a
forward and not once a layer.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import torch

from ...methods.observation import visible
from ...retention.flow import Step
from ...selection.slots import SlotTable, lanes_of_rows
from ...types import Bools, Ints
from .precision import MixedStates, States


def trace_rows(held: Ints, new: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Some rows of what a layer's queries saw: held [lane, slot], new [row, new]."""
    return held[lanes_of_rows(rows, len(held) // len(new))], new[rows]


class When(Enum):
    """What a scorer's reading of a layer is for.

    ``LAYER``: it cuts the layer at once, and the step is known only then. ``END``: all layers are
    cut after the last one. ``NEXT``: it chooses what the next generated token overwrites.
    """

    NEVER, LAYER, END, NEXT = range(4)


class TableForward:
    """One forward over one table; lanes as in ``SlotTable``.

    ``positions`` [lane, slot]: all tokens that attention sees, held ones first and then the new
    ones, or in slot order when the new token overwrites a slot. ``new`` [row, new]: the positions
    of the new tokens. ``ranks``: rank of each token among the visible ones (compact positions).
    ``padded``: some of ``positions`` is padding. ``check``: look for keys that are not finite.
    ``when``: what the scorer's reading of the layer, after attention, is for. ``demoted`` [lane]:
    slots that turn low for new tokens in full precision; ``low`` [lane, slot]: slots to hold in low
    precision when the forward ends, None for no change.
    """

    def __init__(
        self,
        step: Step,
        table: SlotTable,
        new: Ints,
        *,
        positions: Ints,
        padded: bool,
        ranks: Ints | None = None,
        check: bool = False,
        when: When = When.NEVER,
        demoted: Ints | None = None,
    ) -> None:
        self.step, self.table, self.positions, self.new = step, table, positions, new
        self.ranks, self.padded, self.check = ranks, padded, check
        self.when, self.heads = when, table.heads
        self.demoted = demoted
        self.low: Bools | None = None
        self.finite: list[torch.Tensor] = []
        self._on_device: dict[Any, Any] = {}

    def by_head(self, array: np.ndarray) -> np.ndarray:
        """Lanes [lane, slot] as [row, kv_head, slot], or [row, 1, slot] when all heads agree."""
        lanes = array.reshape(-1, self.heads, array.shape[1])
        alike = self.heads == 1 or (lanes == lanes[:, :1]).all()
        return lanes[:, :1] if alike else lanes

    def slot_positions(self, device: torch.device) -> torch.Tensor:
        """Positions of the visible tokens [row, kv_head or 1, slot] on a device."""
        return self._tensor("positions", lambda: self.by_head(self.positions), device)

    def asking(self, device: torch.device) -> torch.Tensor:
        """Positions of the new tokens [row, new] on a device."""
        return self._tensor("new", lambda: self.new, device)

    def _tensor(
        self, name: str, make: Callable[[], np.ndarray], device: torch.device
    ) -> torch.Tensor:
        if (name, device) not in self._on_device:
            array = np.ascontiguousarray(make())
            self._on_device[name, device] = torch.from_numpy(array).to(device)
        return self._on_device[name, device]

    def rank_tensors(self, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
        """Ranks of the visible [row, kv_head or 1, slot] and of the new tokens [row, 1, new]."""
        assert self.ranks is not None
        ranks = self.ranks
        visible = self._tensor("ranks", lambda: self.by_head(ranks), device)
        return visible, self._tensor("new_ranks", self.new_ranks, device)[:, None]

    def new_ranks(self) -> Ints:
        """Ranks of the new tokens [row, new]: their position ids in a compact cache."""
        assert self.ranks is not None
        if self.step.slots is not None:
            ranks = self.ranks[np.arange(len(self.ranks)), self.step.slots][:, None]
        else:
            ranks = self.ranks[:, -self.new.shape[1] :]
        return ranks[:: self.heads]  # as many tokens are live in every head of a row

    def check_finite(self, keys: torch.Tensor) -> None:
        """Note, without waiting for the device, whether new keys are finite."""
        if self.check:
            self.finite.append(torch.isfinite(keys).all())

    def write(self, buffer: States, new: torch.Tensor) -> None:
        """Overwrite one slot a lane in place; ``new`` [row, kv_head, 1, head_dim]."""
        slots = self.step.slots
        assert slots is not None
        if isinstance(buffer, MixedStates):
            demoted = self.demoted_index(buffer.device)
            buffer.write(self.slot_index(buffer.device), demoted, new)
            return
        if len(slots) == 1:
            buffer.narrow(2, int(slots[0]), 1).copy_(new)
            return
        index = self.slot_index(buffer.device)[..., None, None]
        buffer.scatter_(2, index.expand(-1, new.shape[1], 1, new.shape[3]), new)

    def slot_index(self, device: torch.device) -> torch.Tensor:
        """The slots that are overwritten, [row, kv_head or 1]."""
        slots = self.step.slots
        assert slots is not None
        return self._tensor("slots", lambda: slots.reshape(-1, self.heads), device)

    def demoted_index(self, device: torch.device) -> torch.Tensor:
        """The slots that turn low in their place, [row, kv_head or 1]."""
        demoted = self.demoted
        assert demoted is not None
        return self._tensor("demoted", lambda: demoted.reshape(-1, self.heads), device)

    def low_slots(self, device: torch.device) -> torch.Tensor | None:
        """The slots to hold in low precision, [row, kv_head or 1, slot]."""
        low = self.low
        return None if low is None else self._tensor("low", lambda: self.by_head(low), device)

    def keep_index(self, device: torch.device) -> torch.Tensor:
        """The slots that are kept, [row, kv_head or 1, kept]."""
        keep = self.step.keep
        assert keep is not None
        return self._tensor("keep", lambda: keep.reshape(-1, self.heads, keep.shape[1]), device)

    def take_states(self, states: States) -> States:
        """Keep the chosen slots of keys or values."""
        if isinstance(states, MixedStates):
            return states.take(self.keep_index(states.device))
        return self.take(states)

    def take(self, states: torch.Tensor) -> torch.Tensor:
        """Keep the chosen slots of [row, kv_head or more, slot, ...].

        ``index_select`` for one lane (paper, section 3.2), else gather along the sequence.
        """
        index = self.keep_index(states.device)
        if index.shape[:2] == (1, 1):
            return states.index_select(2, index[0, 0])
        rows, heads, *rest = states.shape
        if self.heads > heads:  # shared by the heads so far
            states = states.expand(rows, self.heads, *rest)
        index = index.view(*index.shape, *[1] * (states.ndim - 3))
        return states.gather(2, index.expand(-1, states.shape[1], -1, *states.shape[3:]))

    def mask(self, num_queries: int, window: int | None, device: torch.device) -> Any:
        """None where nothing has to be hidden, a ``CausalBias`` for a chunk, else a bool mask.

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

    def _bool_mask(
        self, num_queries: int, window: int | None, device: torch.device
    ) -> torch.Tensor:
        mask = visible(self.slot_positions(device), self.asking(device), window)
        if num_queries > 1:  # a padding query sees itself: an empty row would turn into NaN
            start = self.positions.shape[1] - num_queries
            own = torch.arange(num_queries, device=device)
            mask[:, :, own, start + own] = True
        return mask
