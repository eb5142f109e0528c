"""Published methods, and controls: registered as a method of any other package is.

Importing this registers them all, by the names of ``methods.toml``. Torch is loaded when something
is measured.
"""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.methods.method import Method
from transactional_attention.methods.registry import (
    METHODS,
    Prefix,
    register_method,
    register_prefix,
)
from transactional_attention.methods.scorers import Scorer

from . import boundary
from .ada_kv import AdaKV
from .arkv import ARKV, OQ
from .boundary import inner_window, tenth
from .chunk_kv import chunk_kv
from .dynamic_kv import DynamicKV
from .expected_attention import ExpectedAttention
from .h2o import H2O
from .keys import KeyDiff, KeyNorm
from .kvzip import KVzip
from .pyramid_kv import PyramidKV
from .r_kv import RKV
from .random_spans import displaced
from .snap_kv import RocketKV, SnapKV, window_of
from .splitting import ends_of
from .struct_kv import StructKV
from .threshold import Threshold
from .tova import TOVA
from .trim_kv import TrimKV
from .whitelist import Whitelist

WORDS = tomllib.loads(files(__package__).joinpath("methods.toml").read_text(encoding="utf-8"))
NO_ENDS: dict[str, Any] = {"sinks": 0, "recent": 0}
WINDOW: dict[str, Any] = {"sinks": 0, "recent": window_of}
KVZIP: dict[str, Any] = {"sinks": 1, "recent": 4}


def _method(name: str, scorer: Callable[[Retention], Scorer], **given: Any) -> Method:
    return register_method(
        Method(name=name, scorer=scorer, **WORDS[name], **given), module=__name__
    )


def _like(method: Method, name: str, **given: Any) -> Method:
    return register_method(replace(method, name=name, **WORDS[name], **given), module=__name__)


def _snap_kv(kernel: int, *, maximum: bool) -> Callable[[Retention], Scorer]:
    return lambda retention: SnapKV(window_of(retention), kernel, maximum)


STREAMING = METHODS["streaming-llm"]
_like(STREAMING, "streaming-whitelist", detectors=(Whitelist(),))
_like(STREAMING, "sidequest", ends_turns=True)
_method("h2o", lambda _: H2O(), sinks=0, recent=lambda r: min(r.budgets(), default=0) // 2)
_method("tova", lambda _: TOVA(), newest=False, **NO_ENDS)

SNAP_KV = _method("snapkv", lambda r: SnapKV(window_of(r)), **WINDOW)
PYRAMID_KV = _like(
    SNAP_KV,
    "pyramidkv",
    scorer=_snap_kv(7, maximum=True),
    allocation=lambda r: PyramidKV(ends_of(r).size),
)
_like(
    PYRAMID_KV,
    "pyramidkv-authors",
    allocation=lambda r: PyramidKV(ends_of(r).size, faithful=True),
    exact=False,
)
DYNAMIC_KV = _like(
    SNAP_KV,
    "dynamickv",
    scorer=_snap_kv(7, maximum=False),
    allocation=lambda r: DynamicKV(ends_of(r)),
)
_like(
    DYNAMIC_KV,
    "dynamickv-authors",
    allocation=lambda r: DynamicKV(ends_of(r), faithful=True),
    exact=False,
)
_like(
    SNAP_KV,
    "ada-kv",
    scorer=_snap_kv(7, maximum=True),
    allocation=lambda r: AdaKV(ends_of(r)),
)
_like(SNAP_KV, "chunkkv", scorer=chunk_kv)
_like(SNAP_KV, "rocketkv", scorer=lambda r: RocketKV(window_of(r)))
_like(
    SNAP_KV,
    boundary.AROUND_SNAPKV,
    scorer=lambda r: SnapKV(inner_window(r)),
    sinks=tenth,
    recent=lambda r: max(tenth(r), inner_window(r)),
)
BOUNDED = Prefix(
    boundary.bounded, "any method, a tenth of K kept at each end (control)", "2605.18053"
)
register_prefix(boundary.PREFIX, BOUNDED)

_method("keydiff", lambda _: KeyDiff(), **NO_ENDS)
_method("knorm", lambda _: KeyNorm(), **NO_ENDS)
_method("r-kv", lambda r: RKV(window_of(r)), **WINDOW)
_method("trim-kv", lambda _: TrimKV(), **NO_ENDS)
ARKV_INT8 = _method(
    "arkv", lambda r: ARKV(window_of(r)), precision=lambda r: OQ("int8", window_of(r)), **WINDOW
)
_like(ARKV_INT8, "arkv-authors", precision=lambda r: OQ("fp8", window_of(r), twice=True))
_method("expected-attention", lambda _: ExpectedAttention(), sinks=4, recent=0)
_method("kvzip", lambda _: KVzip(), allocation=lambda r: Threshold(ends_of(r, **KVZIP)), **KVZIP)
_method("structkv", lambda r: StructKV(window_of(r)), **WINDOW)
_like(METHODS["ta-fast-semantic"], "random-spans", displace=displaced, whole_prompt=True)
