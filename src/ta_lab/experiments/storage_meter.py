"""Bytes of live tensors during a computation, counted on the tensors themselves.

Not the process's memory, which allocators round and keep: every storage that an operation returns
counts until it is freed. Buffers inside a fused kernel are not seen.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class StorageMeter(TorchDispatchMode):
    """``with StorageMeter() as meter:``; ``live`` and ``peak`` are bytes of what was made inside.

    Storages that existed before count when an operation returns them (views of weights do not: name
    what is known with ``ignore``).
    """

    def __init__(self, ignore: tuple[torch.Tensor, ...] = ()) -> None:
        super().__init__()
        self.live = self.peak = 0
        self._known = {tensor.untyped_storage().data_ptr() for tensor in ignore}
        self._sizes: dict[int, int] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run an operation and count what it returns."""
        output = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(output):
            if isinstance(leaf, torch.Tensor):
                self._note(leaf.untyped_storage())
        return output

    def _note(self, storage: torch.UntypedStorage) -> None:
        address, size = storage.data_ptr(), storage.nbytes()
        if address == 0 or address in self._known:
            return
        if address in self._sizes:
            return
        self._sizes[address] = size
        self.live += size
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._freed(address))

    def _freed(self, address: int) -> Callable[[], None]:
        def freed() -> None:
            self.live -= self._sizes.pop(address, 0)

        return freed
