"""Forwards of a method's own over a full cache; they give the scores that it is cut by.

``PASSES`` names one for each scorer that declares ``Observation(passes=True)``. A pass that leaves
tokens out of some layers gives a cache of its own too, which is cut in place of the full one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from ...config import Retention
from ...errors import UnsupportedError
from ...methods.scorers import Scorer
from ...methods.scorers.kvzip import KVzip
from ...methods.scorers.struct_kv import StructKV
from .cache import RetentionCache
from .reconstruct import reconstruct
from .struct_kv import propagate

Needed = frozenset[int]


@dataclass(frozen=True)
class OwnPass:
    """Scores [layer][row, kv_head or 1, slot], and what they cost.

    ``tokens``: fed; ``seconds``: of the process's time, all its threads added up.

    ``cache``: what ``compress`` cuts by them; the source itself unless the pass prunes, or a judge
    deleted ``deleted`` tokens of tool outputs, where there are no scores (``end_turn``).
    """

    scores: list[torch.Tensor] | None
    tokens: int
    seconds: float
    cache: RetentionCache
    deleted: int = 0


@dataclass(frozen=True)
class Pass:
    """``run`` gives scores, tokens fed and the cache; ``prunes``: layers of it lack tokens."""

    run: Callable[[Any, RetentionCache, Needed], tuple[list[torch.Tensor], int, RetentionCache]]
    prunes: bool = False


PASSES: dict[type[Scorer], Pass] = {
    KVzip: Pass(lambda scorer, source, needed: (*reconstruct(source), source)),
    StructKV: Pass(propagate, prunes=True),
}


def needed_by(scorer: Scorer, retention: Retention, source: RetentionCache) -> Needed:
    """Tokens that a pruning pass must carry through every layer of a row.

    The mandatory ends, ranges that the caller names, sponsored values with their closing tokens,
    and labels: none could be kept in a layer that never held it. Empty where the pass prunes
    nothing, so that one pass serves a method, its twin and all budgets.
    """
    if not PASSES[type(scorer)].prunes:
        return frozenset()
    _check_row(scorer, source)
    flow = source.flow.forked(retention)
    length, ends = int(flow.lengths[0]), flow.selection
    tokens = {*range(min(ends.sinks, length)), *range(max(length - ends.recent, 0), length)}
    for span in (*(span for span, _ in flow.sequences[0].explicit()), *flow.sponsored(0)):
        tokens.update(range(span.value.start, min(ends.extent(span).end, length)))
        tokens.update(t for part in ends.before(span) for t in range(part.start, part.end))
    return frozenset(tokens)


def run_pass(scorer: Scorer, source: RetentionCache, needed: Needed = frozenset()) -> OwnPass:
    """Run what ``scorer`` needs over ``source``, an unlimited cache of one row; it is not changed.

    ``needed``: see ``needed_by``.

    Raises:
        UnsupportedError: for several rows or padding.
    """
    _check_row(scorer, source)
    start = time.process_time()
    with torch.no_grad():
        scores, tokens, cache = PASSES[type(scorer)].run(scorer, source, needed)
    return OwnPass(scores, tokens, time.process_time() - start, cache)


def _check_row(scorer: Scorer, source: RetentionCache) -> None:
    table = source.flow.tables.get(None)
    if table is None or len(table.rows) != 1 or table.padded:
        raise UnsupportedError(
            f"{type(scorer).__name__} reads one row of an unlimited cache, without padding"
        )
