"""Several caches in one forward: a row each, every one with a policy of its own.

Everything but attention and the policies runs once for all rows, which is most of a small model's
step. What a row keeps and answers is what it would on its own, up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.active import DrivingCache, activate
from transactional_attention.errors import CacheStateError, UnsupportedError


class SeveralCaches(DrivingCache):
    """Caches of one row each, for forwards over a batch of as many rows.

    All have seen as many columns. They stay usable on their own, and in other company. Raises
    CacheStateError for caches of different models or lengths, or without a token; UnsupportedError
    for a cache that cannot share a forward (``can_share``).
    """

    is_compileable = False
    one_flow = False
    rotary = None  # rows see to it themselves

    def __init__(self, caches: Sequence[RetentionCache]) -> None:
        super().__init__(layers=[])
        self.caches = list(caches)
        seen = {(id(cache.decoder), cache.num_columns) for cache in self.caches}
        if len(seen) != 1 or self.num_columns == 0:
            raise CacheStateError("caches that share a forward must have seen as many tokens")
        if not all(map(can_share, self.caches)):
            raise UnsupportedError("a cache of this kind needs forwards of its own")

    @property
    def num_columns(self) -> int:
        """Columns that every row has seen."""
        return self.caches[0].num_columns

    def begin(self, decoder: nn.Module, ids: Tensor | None, *_: Tensor | None) -> Tensor | None:
        """Every row's cache reads and decides."""
        if ids is None or ids.shape[0] != len(self.caches):
            raise CacheStateError(f"{len(self.caches)} caches need input_ids of as many rows")
        for row, cache in enumerate(self.caches):
            cache.begin(decoder, ids[row : row + 1], None)
        return None

    def attend(
        self,
        attention: Callable[..., tuple[Tensor, None]],
        module: nn.Module,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        **kwargs: Any,
    ) -> tuple[Tensor, None]:
        """Attention of a layer, row by row; ``key`` and ``value`` are those of the new tokens."""
        outputs = []
        for row, cache in enumerate(self.caches):
            row_slice = slice(row, row + 1)
            keys, values = cache.update(key[row_slice], value[row_slice], module.layer_idx)  # type: ignore
            activate(cache)  # while its row attends
            try:
                outputs.append(attention(module, query[row_slice], keys, values, None, **kwargs)[0])
            finally:
                activate(self)
        return torch.cat(outputs), None

    def end(self, *, finished: bool) -> None:
        """Every row's cache closes its books."""
        for cache in self.caches:
            cache.end(finished=finished)

    # what transformers asks of a cache

    def update(
        self, key_states: Tensor, value_states: Tensor, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """The new tokens alone: ``attend`` gives them to the rows' caches."""
        return key_states, value_states

    def get_seq_length(self, *args: Any, **kwargs: Any) -> int:
        """Columns seen, evicted ones included."""
        return self.num_columns

    def get_mask_sizes(self, *args: Any, **kwargs: Any) -> tuple[int, int]:
        """Those of the first row; no mask is made of them."""
        return self.caches[0].get_mask_sizes(*args, **kwargs)


def can_share(cache: RetentionCache) -> bool:
    """Whether a cache may be a row of several: one row, at original positions, in layers that are
    all managed, and nothing to observe that comes before attention (gates)."""
    observers = (layer.observer for layer in cache.managed)
    gated = any(observer is not None and observer.wanted.gates for observer in observers)
    rows = len(cache.flow.sequences) if cache.num_columns else 0
    whole = len(cache.managed) == len(cache.layers)
    return rows == 1 and cache.positions.rotary is None and whole and not gated
