"""What one forward does with one slot table: masks, writes and cuts as tensors, made once.

Layers that share a table share this record, so an index or a mask reaches the device once a
forward and not once a layer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.nn.attention.bias import causal_lower_right

from ...retention import Step
from ...slots import PADDING
from ...utility import Ints


class TableForward:
    """One forward over one table.

    ``positions`` [row, slot]: all tokens that attention sees, held ones first and then the new
    ones, or in slot order when the new token overwrites a slot. ``new`` [row, new]: the positions
    of the new tokens. ``ranks``: rank of each token among the visible ones (compact positions).
    ``padded``: some of ``positions`` is padding. ``check``: look for keys that are not finite.
    """

    def __init__(
        self,
        step: Step,
        positions: Ints,
        new: Ints,
        ranks: Ints | None,
        *,
        padded: bool,
        check: bool,
    ) -> None:
        self.step, self.positions, self.new, self.ranks = step, positions, new, ranks
        self.padded, self.check = padded, check
        self.finite: list[torch.Tensor] = []
        self._on_device: dict[Any, Any] = {}

    def _tensor(self, name: str, array: np.ndarray, device: torch.device) -> torch.Tensor:
        if (name, device) not in self._on_device:
            self._on_device[name, device] = torch.from_numpy(np.ascontiguousarray(array)).to(device)
        return self._on_device[name, device]

    def rank_tensors(self, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
        """Ranks of the visible and of the new tokens, [row, slot] and [row, new]."""
        assert self.ranks is not None
        visible = self._tensor("ranks", self.ranks, device)
        return visible, self._tensor("new_ranks", self.new_ranks(), device)

    def new_ranks(self) -> Ints:
        """Ranks of the new tokens: their position ids in a compact cache."""
        assert self.ranks is not None
        if self.step.slots is not None:
            return np.take_along_axis(self.ranks, self.step.slots[:, None], 1)
        return self.ranks[:, -self.new.shape[1] :]

    def check_finite(self, keys: torch.Tensor) -> None:
        """Note, without waiting for the device, whether new keys are finite."""
        if self.check:
            self.finite.append(torch.isfinite(keys).all())

    def write(self, buffer: torch.Tensor, new: torch.Tensor) -> None:
        """Overwrite one slot a row in place; ``new`` [row, kv_head, 1, head_dim]."""
        slots = self.step.slots
        assert slots is not None
        if len(slots) == 1:
            buffer.narrow(2, int(slots[0]), 1).copy_(new)
            return
        index = self._tensor("slots", slots, buffer.device)[:, None, None, None]
        buffer.scatter_(2, index.expand(-1, new.shape[1], 1, new.shape[3]), new)

    def take(self, states: torch.Tensor | None) -> torch.Tensor:
        """Keep the chosen slots: ``index_select`` for one row (paper, section 3.2), else gather."""
        assert states is not None and self.step.keep is not None
        index = self._tensor("keep", self.step.keep, states.device)
        if index.shape[0] == 1:
            return states.index_select(2, index[0])
        return states.gather(
            2, index[:, None, :, None].expand(-1, states.shape[1], -1, states.shape[3])
        )

    def mask(self, num_queries: int, window: int | None, device: torch.device) -> Any:
        """None where nothing has to be hidden, a ``CausalBias`` for a chunk, else a bool mask.

        Bool masks are [row, 1, query, slot]. A decode step of an unpadded batch, and a prefill of
        one, need no tensor: the first sees everything, the second is plain ``is_causal``.
        """
        num_slots = self.positions.shape[1]
        if not self.padded and window is None:
            if num_queries == 1 or num_queries == num_slots:
                return None
            return causal_lower_right(num_queries, num_slots)
        key = ("mask", window, device)
        if key not in self._on_device:
            self._on_device[key] = self._bool_mask(num_queries, window, device)
        return self._on_device[key]

    def _bool_mask(
        self, num_queries: int, window: int | None, device: torch.device
    ) -> torch.Tensor:
        keys = self._tensor("positions", self.positions, device)[:, None, :]
        queries = self._tensor("new", self.new, device)[:, :, None]
        visible = (keys != PADDING) & (keys <= queries)
        if window is not None:
            visible = visible & (keys > queries - window)
        if num_queries > 1:  # a padding query sees itself: an empty row would turn into NaN
            start = self.positions.shape[1] - num_queries
            own = torch.arange(num_queries, device=device)
            visible[:, own, start + own] = True
        return visible[:, None]
