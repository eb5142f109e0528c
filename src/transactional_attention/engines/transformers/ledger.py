"""The budget as a ledger: live tokens and stored bytes, counted on the cache itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import torch

from .precision import States, parts


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


def stored_bytes(states: Iterable[States | None]) -> int:
    """Bytes of the storage behind keys and values, each once: a view counts as its whole."""
    storages = {}
    for tensor in chain.from_iterable(map(parts, states)):
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
    return sum(storages.values())


@dataclass(frozen=True)
class Holding:
    """What layers hold: pairs of a kv head in full and in low precision, and the bytes of all.

    Padding counts as the slot that it takes.
    """

    full: int
    low: int
    bytes: int


def holding(pairs: Iterable[tuple[States | None, States | None]]) -> Holding:
    """Count keys and values ``(layer.keys, layer.values)`` of layers."""
    held = [(keys, values) for keys, values in pairs if keys is not None]
    slots = sum(keys.shape[:3].numel() for keys, _ in held)
    low = sum(int(keys.low().sum()) for keys, _ in held if not isinstance(keys, torch.Tensor))
    return Holding(slots - low, low, stored_bytes(chain.from_iterable(held)))
