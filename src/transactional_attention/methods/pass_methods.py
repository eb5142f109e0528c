"""Methods that score by passes of their own over a whole prompt: entries of ``METHODS``."""

from __future__ import annotations

from .allocation.threshold import RECENT, SINKS, threshold
from .method import Method
from .scorers.kvzip import KVzip
from .scorers.snap_kv import window_of
from .scorers.struct_kv import StructKV

OWN_PASSES = (
    Method(
        "kvzip",
        "most attention while the context is repeated, one threshold over layers and heads",
        "2505.23416",
        lambda _: KVzip(),
        sinks=SINKS,
        recent=RECENT,
        allocation=threshold,
        decode="tokens that came after the pass, then the least attention in it",
    ),
    Method(
        "structkv",
        "most attention from the last window; deep layers see tokens central in all alone",
        "2604.06746 [2nd]",
        lambda retention: StructKV(window_of(retention)),
        sinks=0,
        recent=window_of,
        decode="tokens that came after the pass, then the least attention in it",
    ),
)
