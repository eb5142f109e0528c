"""The budget as a ledger: live tokens and stored bytes, counted on the cache itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from ...selection.slots import PADDING, SlotTable
from .precision import States, parts

if TYPE_CHECKING:
    from .layer import RetentionLayer


@dataclass
class LedgerRecord:
    """Largest counts so far. Live tokens are per layer and kv head.

    ``between``: after a forward, in the layer and kv head that holds most (``strict``: never above
    the budget that it was given). ``mean``: over all layers and kv heads, which K bounds where a
    method shares it out. ``within``: inside a forward, when a chunk or a question is live beside
    what is held.
    """

    between: int = 0
    within: int = 0
    mean: float = 0.0

    def note(self, tables: Sequence[SlotTable], within: int) -> None:
        """Take one forward in, after which the layers hold ``tables``, one each."""
        distinct = {id(table): table for table in tables}
        self.between = max(self.between, *(table.width for table in distinct.values()))
        self.within = max(self.within, within)
        live = {key: table.live for key, table in distinct.items()}
        mean = sum(live[id(table)] for table in tables) / len(tables)
        self.mean = max(self.mean, mean)


def stored_bytes(states: Iterable[States | None]) -> int:
    """Bytes of the storage behind keys and values, each once: a view counts as its whole."""
    storages = {}
    for tensor in chain.from_iterable(map(parts, states)):
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())


def pair_bytes(layers: Iterable[RetentionLayer]) -> int:
    """Bytes of the pairs that layers hold, were all in full precision and none padding."""
    total = 0
    for layer in layers:
        if layer.keys is None or layer.values is None or layer.table is None:
            continue
        pairs = int((layer.table.positions != PADDING).sum()) * layer.keys.shape[1]
        width = layer.keys.shape[3] + layer.values.shape[3]
        total += pairs // layer.table.heads * width * layer.dtype.itemsize
    return total
