"""A copy of a cache, as it is between two forwards."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch

from ...retention.flow import RetentionFlow
from ...retention.saving.flow import detached
from .layer import RetentionLayer

if TYPE_CHECKING:
    from .cache import RetentionCache


def clone(cache: RetentionCache) -> RetentionCache:
    """A cache between two forwards that is as ``cache`` is and shares nothing that changes; of one
    that an error broke it has the error alone."""
    other = cache.fresh(cache.retention, type(cache))
    other.observe, other._broken = cache.observe, cache._broken
    other.prompt_end, other.question_end = cache.prompt_end, cache.question_end
    other.context_open, other.trace = cache.context_open, copy.copy(cache.trace)
    if cache._flow is None or cache._broken:
        return other
    cache.read_generated()
    share(cache, other, detached(cache.flow))
    for old, new in zip(cache.managed, other.managed, strict=True):
        new.measured, new.weighed = old.measured, old.weighed
        new.observer = copy.copy(old.observer)
    other.memory = None if cache.memory is None else cache.memory.copy()
    other.ledger = copy.copy(cache.ledger)
    other.take_rows(torch.arange(len(other.flow.sequences)))  # copies what is known of a row
    return other


def share(cache: RetentionCache, other: RetentionCache, flow: RetentionFlow) -> None:
    """Let ``other`` hold what ``cache`` holds, and go on by ``flow``."""
    other.use(flow)
    for index, (old, new) in enumerate(zip(cache.layers, other.layers, strict=True)):
        if isinstance(old, RetentionLayer) and isinstance(new, RetentionLayer):
            new.hold(old.keys, old.values, old.seen)
        else:
            other.layers[index] = copy.deepcopy(old)
