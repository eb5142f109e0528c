"""SnapKV and the methods that score by its observation window: entries of ``METHODS``."""

from __future__ import annotations

from dataclasses import replace

from ..config import Retention
from .allocation.ada_kv import ada
from .allocation.dynamic_kv import authors_dynamic, dynamic
from .allocation.pyramid_kv import authors_pyramid, pyramid
from .method import Method
from .scorers import Scorer
from .scorers.boundary import inner_window, tenth, tenth_or_window
from .scorers.chunk_kv import chunk_kv
from .scorers.rocket_kv import RocketKV
from .scorers.snap_kv import SnapKV, window_of


def _snap_kv(retention: Retention) -> Scorer:
    return SnapKV(window_of(retention))


def _smooth_snap_kv(retention: Retention) -> Scorer:
    return SnapKV(window_of(retention), kernel=7)


def _wide_snap_kv(retention: Retention) -> Scorer:
    return SnapKV(window_of(retention), kernel=7, maximum=True)


SNAP_KV = Method(
    "snapkv",
    "most attention from the last window",
    "2404.14469",
    _snap_kv,
    sinks=0,
    recent=window_of,
    decode="least attention from the newest window, rescored",
)
PYRAMID_KV = replace(
    SNAP_KV,
    name="pyramidkv",
    summary="SnapKV, fewer tokens in deeper layers, K on average",
    source="2406.02069",
    scorer=_wide_snap_kv,
    allocation=pyramid,
)
DYNAMIC_KV = replace(
    SNAP_KV,
    name="dynamickv",
    summary="SnapKV, layers share K by their best scores, K on average",
    source="2412.14838",
    scorer=_smooth_snap_kv,
    allocation=dynamic,
)
SNAP_FAMILY = (
    SNAP_KV,
    PYRAMID_KV,
    replace(
        PYRAMID_KV,
        name="pyramidkv-authors",
        summary="PyramidKV in the authors' rounding: may exceed K on average",
        allocation=authors_pyramid,
        exact=False,
    ),
    DYNAMIC_KV,
    replace(
        DYNAMIC_KV,
        name="dynamickv-authors",
        summary="DynamicKV in the authors' updates: may exceed K on average",
        allocation=authors_dynamic,
        exact=False,
    ),
    replace(
        SNAP_KV,
        name="ada-kv",
        summary="SnapKV, kv heads of a layer share K by their best scores",
        source="2407.11550",
        scorer=_wide_snap_kv,
        allocation=ada,
    ),
    replace(
        SNAP_KV,
        name="chunkkv",
        summary="chunks with most attention from the last window",
        source="2502.00299 [2nd]",
        scorer=chunk_kv,
        decode="the chunk with least attention from the newest window, rescored",
    ),
    replace(
        SNAP_KV,
        name="rocketkv",
        summary="stage 1 alone: SnapKV, pooled over 63 tokens",
        source="2502.14051",
        scorer=lambda retention: RocketKV(window_of(retention)),
    ),
    replace(
        SNAP_KV,
        name="boundary-10",
        summary="SnapKV, a tenth of K kept at each end (control)",
        source="2605.18053",
        scorer=lambda retention: SnapKV(inner_window(retention)),
        sinks=tenth,
        recent=tenth_or_window,
    ),
)
