"""One prefill, many retentions: a full cache cut to another method and budget."""

from __future__ import annotations

import copy

from ...config import Retention
from ...errors import InputError
from .cache import RetentionCache


def compress(source: RetentionCache, retention: Retention) -> RetentionCache:
    """A new cache with the tokens of ``source``, cut to another retention's budget.

    ``source`` must be unlimited, with original positions, managed layers only and no generated
    token; it is not changed, and the tensors that are kept are copies.

    Raises:
        InputError: when ``source`` is none of that.
    """
    flow = source.flow
    if set(flow.tables) != {None} or len(source.managed) != len(source.layers):
        raise InputError("only an unlimited cache without sliding layers can be compressed")
    if source.rotary is not None or retention.positions != "original":
        raise InputError("only a cache with original positions can be compressed")
    source._read_generated()
    target = copy.copy(source)
    target.retention = retention
    target.layers = target._build_layers()
    target._clear()
    target.use(flow.forked(retention))
    target._context_open = False
    target._forwards = [target._cut(table, table.width, evict=True) for table in target._tables]
    for old, new in zip(source.managed, target.managed, strict=True):
        new.adopt(old)
    target._forwards = None
    width = max(table.width for table in target._tables)
    target.ledger.note(width, width)
    return target
