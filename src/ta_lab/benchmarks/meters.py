"""What is held: bytes of the keys and values of any cache at their peak, memory of the process."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Any

import torch

from transactional_attention.engines.transformers.ledger import stored_bytes

STATM = Path("/proc/self/statm")


def rss_bytes() -> int:
    """Memory of this process that is in RAM now; its peak where the system does not say."""
    if STATM.exists():
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def held_bytes(cache: Any) -> int:
    """Bytes of the storage behind keys and values of all layers of a cache."""
    pairs = ((getattr(la, "keys", None), getattr(la, "values", None)) for la in cache.layers)
    return stored_bytes(states for pair in pairs for states in pair if states is not None)


class PeakMeter:
    """Most bytes of keys and values that a cache held, read after every layer took its tokens.

    A layer of ours holds K + chunk tokens then and is cut before the next one begins; a rotated
    copy that attention is handed is no part of what is held.
    """

    def __init__(self, peak: int = 0) -> None:
        self.peak = peak

    def watch(self, cache: Any) -> None:
        """Read a cache after every ``update`` of its layers."""
        for layer in cache.layers:
            self._watch_layer(cache, layer)

    def _watch_layer(self, cache: Any, layer: Any) -> None:
        update = layer.update

        def watched(*args: Any, **kwargs: Any) -> tuple[torch.Tensor, torch.Tensor]:
            states = update(*args, **kwargs)
            self.peak = max(self.peak, held_bytes(cache))
            return states

        layer.update = watched
