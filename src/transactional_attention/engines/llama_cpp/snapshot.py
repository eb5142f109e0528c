"""A sequence outside of its context."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...retention.flow import RetentionFlow
from ...retention.saving.flow import detached
from ...types import Ints
from .segment_cells import SegmentCells
from .shared_cells import SharedCells


class Snapshot(NamedTuple):
    """A sequence between two forwards, outside of its context: what was decided, its ``cells``, and
    their ``places``."""

    flow: RetentionFlow
    cells: SharedCells
    places: Ints
    context_open: bool
    live: tuple[int, int]  # the most, between and within forwards
    memory: SegmentCells | None = None

    def copy(self) -> Snapshot:
        """An independent one."""
        flow = detached(self.flow)
        flow.take_rows(np.arange(1))
        memory = None if self.memory is None else self.memory.copy()
        return self._replace(flow=flow, memory=memory)
