"""How long the parts of a running forward take, measured inside it.

A difference between two whole forwards drowns in their noise where a part is a hundredth of them;
the parts themselves do not. Times are the host's: on a CUDA device an eviction is its launch.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transactional_attention.engines.transformers import RetentionCache

DETECTION, SELECTION, EVICTION, BOOKS = "detection", "selection", "eviction", "bookkeeping"
PARTS = (DETECTION, SELECTION, EVICTION, BOOKS)


class Parts:
    """``seconds`` by part; what runs inside another part counts once, for the inner one."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._inside = [0.0]

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Count what runs inside, without the parts that it contains."""
        self._inside.append(0.0)
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[part] += spent - self._inside.pop()
            self._inside[-1] += spent

    def watch(self, owner: Any, method: str, part: str) -> None:
        """Count every call of an object's method."""
        original = getattr(owner, method)

        def watched(*args: Any, **kwargs: Any) -> Any:
            with self.time(part):
                return original(*args, **kwargs)

        setattr(owner, method, watched)

    def watch_cache(self, cache: RetentionCache) -> None:
        """Count what a cache adds to the forwards that it drives.

        Detection reads the text; selection weighs and chooses; eviction cuts the tensors, and for
        methods that read layers it measures them, too; bookkeeping is the rest of both hooks.
        """
        make = cache.new_flow

        def new_flow(rows: int) -> Any:
            flow = make(rows)
            self.watch(flow, "read", DETECTION)
            self.watch(flow, "cut", SELECTION)
            return flow

        vars(cache)["new_flow"] = new_flow
        self.watch(cache, "begin", BOOKS)
        self.watch(cache, "end", BOOKS)
        for layer in cache.managed:
            self.watch(layer, "settle", EVICTION)
