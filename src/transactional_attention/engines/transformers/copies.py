"""Copies of a cache: as it is, of one row without a limit, or cut to another retention."""

import copy
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from ...config import Retention
from ...errors import InputError, UnsupportedError
from ...methods.scorers import Scorer
from ...methods.scorers.positions import Recency
from ...retention.flow import RetentionFlow
from ...retention.flow_state import detached
from .cache import Kind, RetentionCache
from .forward import cut_together, plan_prompt
from .layer import RetentionLayer

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
    target._forwards = plan_prompt(target.flow, width, evict=True)
    known = {} if readings is None else readings
    read = known.get(target.flow.scorer) or [None] * len(target.managed)
    known[target.flow.scorer] = [
        new.adopt(old, found)
        for old, new, found in zip(source.managed, target.managed, read, strict=True)
    ]
    cut_together(target.flow, target._forwards, target.managed)
    target.store_left(target._forwards)
    for old, new in zip(source.managed, target.managed, strict=True):
        if new.keys is old.keys and new.keys is not None and new.values is not None:
            new.keys, new.values = new.keys.clone(), new.values.clone()  # nothing is shared
    target._forwards = None
    tables = [target.flow.table_of(index) for index in range(len(target.managed))]
    target.ledger.note(tables, max(table.width for table in tables))
    return target


def forked(source: RetentionCache, retention: Retention, kind: type[Kind]) -> Kind:
    """An empty cache whose flow has read the tokens of ``source`` under another retention. Raises
    InputError as ``compress``."""
    flow = source.flow
    if set(flow.tables) != {None} or len(source.managed) != len(source.layers):
        raise InputError("only an unlimited cache without sliding layers can be compressed")
    if source.retention.positions != retention.positions:
        given = source.retention.positions
        raise InputError(f"a cache with {given} positions is compressed to {given} ones alone")
    source.read_generated()
    target = source.emptied(retention, kind)
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


def copy_of(cache: RetentionCache) -> RetentionCache:
    """A cache between two forwards that is as ``cache`` is and shares nothing that changes; of one
    that an error broke it has the error alone."""
    other = cache.emptied(cache.retention, type(cache))
    other.observe, other._broken = cache.observe, cache._broken
    other.prompt_end, other.question_end = cache.prompt_end, cache.question_end
    other.context_open, other.trace = cache.context_open, copy.copy(cache.trace)
    if cache._flow is None or cache._broken:
        return other
    cache.read_generated()
    _hand_on(cache, other, detached(cache.flow))
    for old, new in zip(cache.managed, other.managed, strict=True):
        new.measured, new.weighed = old.measured, old.weighed
        new.observer = copy.copy(old.observer)
    other.memory = None if cache.memory is None else cache.memory.copy()
    other.ledger = copy.copy(cache.ledger)
    other.take_rows(torch.arange(len(other.flow.sequences)))  # copies what is known of a row
    return other


def branch_of(cache: RetentionCache, row: int) -> RetentionCache:
    """A copy of one row of ``cache`` that goes on without a limit; ``cache`` is not touched. Raises
    UnsupportedError for a padded row beside layers that are not managed."""
    if len(cache.managed) < len(cache.layers) and int(cache.flow.lengths[row]) < cache.num_columns:
        raise UnsupportedError(
            "the model cannot be asked about padded rows beside sliding or linear-attention "
            "layers: use one cache a conversation, or another judge"
        )
    whole = Retention(budget=None, method="full", positions=cache.retention.positions)
    flow, branch = copy.copy(cache.flow), cache.emptied(whole, type(cache))
    flow.scorer, flow.allocation = Recency(), None
    flow.tables = {
        key: replace(table, budget=None, limits=None, selected=[])
        for key, table in flow.tables.items()
    }
    _hand_on(cache, branch, flow)
    for layer in branch.managed:  # what is held in low precision is read once
        layer.keys, layer.values = layer.states()
    branch.take_rows(torch.tensor([row]))
    return branch


def _hand_on(cache: RetentionCache, other: RetentionCache, flow: RetentionFlow) -> None:
    """Let ``other`` hold what ``cache`` holds, and go on by ``flow``."""
    other.use(flow)
    for index, (old, new) in enumerate(zip(cache.layers, other.layers, strict=True)):
        if isinstance(old, RetentionLayer) and isinstance(new, RetentionLayer):
            new.hold(old.keys, old.values, old.seen)
        else:
            other.layers[index] = copy.deepcopy(old)
