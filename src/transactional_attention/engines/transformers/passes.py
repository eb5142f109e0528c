"""Forwards of a method's own over a full cache; they give the scores that it is cut by.

``PASSES`` names one for each scorer that declares ``Observation(passes=True)``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ...errors import UnsupportedError
from ...scorers import Scorer
from ...scorers.kvzip import KVzip
from .cache import RetentionCache
from .reconstruct import reconstruct


@dataclass(frozen=True)
class OwnPass:
    """Scores [layer][row, kv_head, slot], and what they cost: tokens fed and seconds."""

    scores: list[torch.Tensor]
    tokens: int
    seconds: float


PASSES: dict[type[Scorer], Callable[[RetentionCache], tuple[list[torch.Tensor], int]]] = {
    KVzip: reconstruct
}


def run_pass(scorer: Scorer, source: RetentionCache) -> OwnPass:
    """Run what ``scorer`` needs over ``source``, an unlimited cache of one row; it is not changed.

    Raises:
        UnsupportedError: for several rows or padding.
    """
    table = source.flow.tables.get(None)
    if table is None or len(table.rows) != 1 or table.padded:
        raise UnsupportedError(
            f"{type(scorer).__name__} reads one row of an unlimited cache, without padding"
        )
    start = time.perf_counter()
    with torch.no_grad():
        scores, tokens = PASSES[type(scorer)](source)
    return OwnPass(scores, tokens, time.perf_counter() - start)
