"""A new cache with the tokens of another one, cut to another retention."""

from collections.abc import Sequence

import numpy as np
from torch import Tensor

from ...config import Retention
from ...errors import InputError
from ...methods.scorers import Scorer
from .cache import CacheType, RetentionCache
from .planning import cut_together, plan_prompt

Readings = dict[Scorer, list[Tensor | None]]


def compress(
    source: RetentionCache,
    retention: Retention,
    scores: Sequence[Tensor] | None = None,
    readings: Readings | None = None,
) -> RetentionCache:
    """A new cache with the tokens of ``source``, cut to another retention's budget.

    ``source`` must be unlimited, with the same positions, managed layers only and no generated
    token; it is not changed, and the keys and values that are kept are copies. Methods that read
    attention need a source that collected it (``RetentionCache(observe=...)``). ``scores``
    [layer][row, kv_head or 1, slot]: given by passes of the method's own, for the tokens that each
    layer of ``source`` holds (``passes.OwnPass``). ``readings``: what scorers measured of the
    layers of this ``source`` in earlier calls; what is there is not measured again, which is exact:
    a scorer sees neither budget nor vouchers. Raises InputError when ``source`` is none of that.
    """
    target = forked(source, retention, RetentionCache)
    _leave_out(source, target)
    if scores is not None:
        for layer, given in zip(target.managed, scores, strict=True):
            layer.measured = given
            layer.hand_over()
    width = source.flow.tables[None].width
    forwards = plan_prompt(
        target.flow, width, target.positions.lowered_by(target.flow.lengths), evict=True
    )
    target.hand_out(forwards)
    known = {} if readings is None else readings
    read = known.get(target.flow.scorer) or [None] * len(target.managed)
    known[target.flow.scorer] = [
        new.adopt(old, reading)
        for old, new, reading in zip(source.managed, target.managed, read, strict=True)
    ]
    cut_together(target.flow, forwards, target.managed)
    if target.memory is not None:
        target.store_left(forwards)
    for old, new in zip(source.managed, target.managed, strict=True):
        if new.keys is old.keys and new.keys is not None and new.values is not None:
            new.keys, new.values = new.keys.clone(), new.values.clone()  # nothing is shared
    target.hand_out(None)
    tables = target.flow.layer_tables(len(target.managed))
    target.ledger.note(tables, max(table.width for table in tables))
    return target


def forked(source: RetentionCache, retention: Retention, kind: type[CacheType]) -> CacheType:
    """An empty cache whose flow has read the tokens of ``source`` under another retention. Raises
    InputError as ``compress``."""
    flow = source.flow
    if set(flow.tables) != {None} or len(source.managed) != len(source.layers):
        raise InputError("only an unlimited cache without sliding layers can be compressed")
    if source.retention.positions != retention.positions:
        given = source.retention.positions
        raise InputError(f"a cache with {given} positions is compressed to {given} ones alone")
    source.read_generated()
    target = source.fresh(retention, kind)
    target.use(flow.forked(retention))
    target.context_open = False
    return target


def _leave_out(source: RetentionCache, target: RetentionCache) -> None:
    """Take out of the target's tables what a layer of the source does not hold.

    Slots of the source's flow, which is one uncut row wherever layers differ, are positions.
    """
    whole = source.flow.tables[None]
    tables = [layer.table for layer in target.managed]
    for old, new in zip(source.managed, tables, strict=True):
        assert old.table is not None and new is not None
        if old.table is whole:
            continue
        if tables.count(new) > 1:
            raise InputError(
                "layers of this cache hold different tokens: only a method with a table for each "
                "layer can cut it, as the one whose pass made it"
            )
        new.take(np.repeat(old.table.positions, new.heads, 0))
