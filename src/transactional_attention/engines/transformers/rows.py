"""Rows of a cache that holds a batch: beams, batch selection, and a copy of one row.

All that a cache holds of a row goes together: keys and values, slot tables, texts and registries.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import torch
from transformers.cache_utils import Cache

from ...config import Retention
from ...errors import UnsupportedError
from ...methods.scorers.positions import Recency
from ...retention.flow import RetentionFlow
from ...selection.slots import SlotTable
from ...types import Ints
from .forward import trace_rows
from .layer import RetentionLayer
from .precision import read

if TYPE_CHECKING:
    from .cache import RetentionCache


class BatchOfRows(Cache):
    """What transformers asks of a cache when the rows of a batch change places."""

    managed: list[RetentionLayer]
    trace: list[list[tuple[Ints, Ints]]] | None
    _flow: RetentionFlow | None

    def read_generated(self) -> None:
        """Bring what was generated to the host, before rows part."""
        raise NotImplementedError

    def reorder_cache(self, beam_idx: torch.Tensor) -> None:
        """Follow a beam search: row i becomes a copy of row ``beam_idx[i]``."""
        self.take_rows(beam_idx)

    def batch_repeat_interleave(self, repeats: int) -> None:
        """Repeat every row ``repeats`` times."""
        if self._flow is not None:
            self.take_rows(torch.arange(len(self._flow.sequences)).repeat_interleave(repeats))

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep only the rows of ``indices``."""
        self.take_rows(indices)

    def take_rows(self, rows: torch.Tensor) -> None:
        """Reorder, repeat or drop rows; a cache that saw no token has none."""
        if self._flow is None:
            return
        self.read_generated()
        for layer in self.layers:
            if isinstance(layer, RetentionLayer):
                layer.select_rows(rows)
            else:
                layer.reorder_cache(rows)  # type: ignore[arg-type]
        index = rows.cpu().numpy()
        self._flow.take_rows(index)
        if self.trace is not None:
            self.trace = [[trace_rows(*pair, index) for pair in step] for step in self.trace]

    def crop(self, *args: Any, **kwargs: Any) -> None:
        """Refused: what was evicted cannot come back."""
        self.managed[0].crop()

    def activate_past_recording(self) -> None:
        """Refused: newer transformers ask for it before they feed what they may roll back."""
        self.crop()


def copy_of(cache: RetentionCache) -> RetentionCache:
    """A cache between two forwards that is as ``cache`` is and shares nothing that changes."""
    cache.read_generated()
    flow, other = cache.flow, cache.emptied(cache.retention, type(cache))
    other.observe, other.long_factors = cache.observe, cache.long_factors
    other.prompt_end, other.context_open = cache.prompt_end, cache.context_open
    other.ledger = copy.copy(cache.ledger)
    own = copy.copy(flow)
    own.provisional, own.allocation = list(flow.provisional), copy.deepcopy(flow.allocation)
    own.tables = {key: copy.copy(table) for key, table in flow.tables.items()}
    renamed = {id(flow.tables[key]): id(table) for key, table in own.tables.items()}
    own.selected = {renamed[key]: list(chosen) for key, chosen in flow.selected.items()}
    other.use(own)
    for index, (old, new) in enumerate(zip(cache.layers, other.layers, strict=True)):
        if not isinstance(old, RetentionLayer):
            other.layers[index] = copy.deepcopy(old)
            continue
        assert isinstance(new, RetentionLayer) and old.keys is not None and old.values is not None
        new.lazy_initialization(read(old.keys), read(old.values))
        new.keys, new.values, new.seen = old.keys, old.values, old.seen
        new.measured, new.weighed = old.measured, old.weighed
        new.observer = copy.copy(old.observer)
    other.trace = None if cache.trace is None else list(cache.trace)
    other.take_rows(torch.arange(len(flow.sequences)))  # copies what is held and known of a row
    return other


def branch_of(cache: RetentionCache, row: int) -> RetentionCache:
    """A copy of one row of ``cache`` that goes on without a limit; ``cache`` is not touched.

    Raises:
        UnsupportedError: for a padded row beside layers that are not managed.
    """
    if len(cache.managed) < len(cache.layers) and int(cache.flow.lengths[row]) < cache.num_columns:
        raise UnsupportedError(
            "the model cannot be asked about padded rows beside sliding or linear-attention "
            "layers: use one cache a conversation, or another judge"
        )
    whole = Retention(budget=None, method="full", positions=cache.retention.positions)
    branch = cache.emptied(whole, type(cache))
    for index, (old, new) in enumerate(zip(cache.layers, branch.layers, strict=True)):
        if isinstance(old, RetentionLayer):
            assert isinstance(new, RetentionLayer)
            _copy_tokens(old, new)
        else:
            branch.layers[index] = copy.deepcopy(old)
    branch.use(_unlimited(cache.flow))
    branch.take_rows(torch.tensor([row]))
    return branch


def _unlimited(flow: RetentionFlow) -> RetentionFlow:
    """A flow that goes on from where ``flow`` is and evicts nothing."""
    other = copy.copy(flow)
    other.scorer, other.allocation, other.selected = Recency(), None, {}
    other.tables = {key: _unlimited_table(table) for key, table in flow.tables.items()}
    return other


def _unlimited_table(table: SlotTable) -> SlotTable:
    other = copy.copy(table)
    other.budget = other.limits = None
    return other


def _copy_tokens(old: RetentionLayer, new: RetentionLayer) -> None:
    """Take a layer's tokens over; what is held in low precision is read once."""
    assert old.keys is not None and old.values is not None
    keys, values = read(old.keys), read(old.values)
    new.lazy_initialization(keys, values)
    new.keys, new.values, new.seen = keys, values, old.seen
