"""Forwards of a method's own over a full cache; they give the scores that it is cut by.

A scorer that declares ``Observation(passes=True)`` runs them in ``run_pass``. They may give a cache
of their own, which lacks tokens in some layers, and is cut in place of the full one.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ...config import Retention, retention_from
from ...errors import UnsupportedError
from ...methods.registry import get_method
from ...methods.scorers import Scorer
from ...retention.chunks import CHUNK
from ...types import SourceRange
from .cache import RetentionCache
from .compression import compress
from .prefill import prefill

Needed = frozenset[int]
Scored = tuple[list[Tensor], int, RetentionCache]  # scores, tokens fed, what they are of


@dataclass(frozen=True)
class OwnPass:
    """Scores [layer][row, kv_head or 1, slot], and what they cost.

    ``tokens``: fed; ``seconds``: of the process's time, all its threads added up.

    ``cache``: what ``compress`` cuts by them; the source itself unless the pass prunes.
    """

    scores: list[Tensor]
    tokens: int
    seconds: float
    cache: RetentionCache


def needed_by(scorer: Scorer, retention: Retention, source: RetentionCache) -> Needed:
    """Tokens that a pruning pass must carry through every layer of a row.

    The mandatory ends, ranges that the caller names, sponsored values with their closing tokens,
    and labels: none could be kept in a layer that never held it. Empty where the pass prunes
    nothing, so that one pass serves a method, its twin and all budgets.
    """
    if not scorer.prunes:
        return frozenset()
    _check_row(scorer, source)
    flow = source.flow.forked(retention)
    length, ends = int(flow.lengths[0]), flow.selection
    tokens = {*range(min(ends.sinks, length)), *range(max(length - ends.recent, 0), length)}
    for span in (*(span for span, _ in flow.sequences[0].explicit()), *flow.sponsored(0)):
        tokens.update(range(span.value.start, min(ends.extent(span).end, length)))
        tokens.update(t for part in ends.before(span) for t in part)
    return frozenset(tokens)


def run_pass(scorer: Scorer, source: RetentionCache, needed: Needed = frozenset()) -> OwnPass:
    """Run what ``scorer`` needs over ``source``, an unlimited cache of one row; it is not changed.

    ``needed``: see ``needed_by``. Raises UnsupportedError for several rows or padding.
    """
    _check_row(scorer, source)
    start = time.process_time()
    with torch.no_grad():
        scores, tokens, cache = scorer.run_pass(source, needed)
    return OwnPass(scores, tokens, time.process_time() - start, cache)


def _check_row(scorer: Scorer, source: RetentionCache) -> None:
    table = source.flow.tables.get(None)
    if table is None or len(table.rows) != 1 or table.padded:
        raise UnsupportedError(
            f"{type(scorer).__name__} reads one row of an unlimited cache, without padding"
        )


def prefill_whole(
    model: Any,
    input_ids: Tensor,
    tokenizer: Any,
    retention: Retention | int,
    *,
    chunk: int = CHUNK,
    sources: Sequence[Sequence[SourceRange]] | None = None,
) -> RetentionCache:
    """A cache that has read one prompt whole, run the method's own passes, and cut it to K.

    What methods with passes need. The last token is left for ``generate``: call it with the same
    inputs, as after ``prefill``. Other methods can do the same: they are cut once, after the
    prompt. The peak is the whole prompt in every layer.

    Args:
        input_ids: one row, [1, column], without padding.
        chunk: new tokens a forward, all of which stay until the cut.

    Raises:
        InputError: for an empty prompt, or compact positions.
        UnsupportedError: for several rows, or layers that the method cannot read.
    """
    retention = retention_from(retention)
    scorer = get_method(retention.method).scorer(retention)
    whole = Retention(budget=None, method="full")
    cache = RetentionCache(model, tokenizer, whole, sources=sources, observe=scorer.observes)
    prefill(model, input_ids, cache, chunk=chunk)
    if not cache.num_columns:  # a prompt of one token, which generate() reads
        return RetentionCache(model, tokenizer, retention, sources=sources)
    if not scorer.observes.passes:
        return compress(cache, retention)
    own_pass = run_pass(scorer, cache, needed_by(scorer, retention, cache))
    return compress(own_pass.cache, retention, own_pass.scores)
