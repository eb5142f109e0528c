"""The budget as a ledger: live tokens and stored bytes, counted on the cache itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch


@dataclass
class LedgerRecord:
    """Largest counts so far. Live tokens are per layer and kv head.

    ``between``: after a forward (``strict``: never above K). ``within``: inside a forward, when a
    chunk or a question is live beside what is held.
    """

    between: int = 0
    within: int = 0

    def note(self, between: int, within: int) -> None:
        """Take one forward in."""
        self.between, self.within = max(self.between, between), max(self.within, within)


def stored_bytes(tensors: Iterable[torch.Tensor | None]) -> int:
    """Bytes of the storage behind the tensors, each storage once: a view counts as its whole."""
    storages = {}
    for tensor in tensors:
        if tensor is not None:
            storage = tensor.untyped_storage()
            storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())
