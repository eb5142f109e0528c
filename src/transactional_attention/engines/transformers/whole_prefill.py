"""Prefill for methods with passes of their own: the whole prompt first, then one cut to K."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ...config import Retention, retention_from
from ...methods.registry import get_method
from ...types import SourceRange
from .cache import RetentionCache
from .compress import compress
from .passes import needed_by, run_pass
from .prefill import prefill

CHUNK = 512


def prefill_whole(
    model: Any,
    input_ids: torch.Tensor,
    tokenizer: Any,
    retention: Retention | int,
    *,
    chunk: int = CHUNK,
    sources: Sequence[Sequence[SourceRange]] | None = None,
    keep_last: bool = True,
    progress: Callable[[int, int | None], None] | None = None,
) -> RetentionCache:
    """A cache that has read one prompt whole, run the method's own passes, and cut it to K.

    What KVzip and StructKV need; then call ``generate`` with the same inputs, as after
    ``prefill``. Other methods can do the same: they are cut once, behind the prompt. The peak is
    the whole prompt in every layer.

    Args:
        input_ids: one row, [1, column], without padding.
        chunk: new tokens a forward, all of which stay until the cut.
        keep_last: leave the last token for ``generate``. False feeds all.
        progress: as for ``prefill``.

    Raises:
        InputError: for an empty prompt, or compact positions.
        UnsupportedError: for several rows, or layers that the method cannot read.
    """
    retention = retention_from(retention)
    scorer = get_method(retention.method).scorer(retention)
    whole = Retention(budget=None, method="full")
    cache = RetentionCache(model, tokenizer, whole, sources=sources, observe=scorer.observes)
    prefill(model, input_ids, cache, chunk=chunk, keep_last=keep_last, progress=progress)
    if not cache.num_columns:  # a prompt of one token, which generate() reads
        return RetentionCache(model, tokenizer, retention, sources=sources)
    if not scorer.observes.passes:
        return compress(cache, retention)
    own = run_pass(scorer, cache, needed_by(scorer, retention, cache))
    return compress(own.cache, retention, own.scores)
