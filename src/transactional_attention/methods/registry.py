"""METHODS: methods by name; their descriptions are in ``methods.toml``.

One entry per method. TWINS adds sponsorship to each. ``register_method`` adds methods of other
packages.
"""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

from ..config import Retention
from ..detection.paper.embedding import Embedding
from ..detection.paper.learned import Learned, learn_rank
from ..detection.paper.whitelist import Whitelist
from ..errors import InputError, UnknownNameError
from ..laboratory import brought
from ..sponsorship.caller_ranges import displaced
from .allocation import ends_of
from .allocation.ada_kv import AdaKV
from .allocation.dynamic_kv import DynamicKV
from .allocation.pyramid_kv import PyramidKV
from .allocation.threshold import Threshold
from .method import Method
from .scorers import Scorer
from .scorers.arkv import ARKV, OQ
from .scorers.chunk_kv import chunk_kv
from .scorers.expected_attention import ExpectedAttention
from .scorers.h2o import H2O
from .scorers.keys import KeyDiff, KeyNorm
from .scorers.kvzip import KVzip
from .scorers.positions import RandomTokens, Recency
from .scorers.r_kv import RKV
from .scorers.snap_kv import RocketKV, SnapKV, inner_window, tenth, window_of
from .scorers.struct_kv import StructKV
from .scorers.ta import FullTA, TAFast
from .scorers.tova import TOVA
from .scorers.trim_kv import BUFFER, TrimKV

TWIN, BOUNDED = "ta+", "boundary-10+"
WORDS = tomllib.loads(files(__package__).joinpath("methods.toml").read_text(encoding="utf-8"))


def _method(name: str, scorer: Callable[[Retention], Scorer], **given: Any) -> Method:
    return Method(name=name, scorer=scorer, **WORDS[name], **given)


def _like(method: Method, name: str, **given: Any) -> Method:
    return replace(method, name=name, **WORDS[name], **given)


def _snap_kv(kernel: int, *, maximum: bool) -> Callable[[Retention], Scorer]:
    return lambda retention: SnapKV(window_of(retention), kernel, maximum)


def _own(retention: Retention) -> Scorer:
    """What ``ta`` leaves to values, it gives to the newest tokens."""
    newest = retention.preset == "default" and retention.choices.newest
    return Recency() if newest else TAFast(retention.weights)


NO_ENDS: dict[str, Any] = {"sinks": 0, "recent": 0}
WINDOW: dict[str, Any] = {"sinks": 0, "recent": window_of}
KVZIP: dict[str, Any] = {"sinks": 1, "recent": 4}

STREAMING = _method("streaming-llm", lambda _: Recency(), sinks=4, recent=1)
SNAP_KV = _method("snapkv", lambda r: SnapKV(window_of(r)), **WINDOW)
PYRAMID_KV = _like(
    SNAP_KV,
    "pyramidkv",
    scorer=_snap_kv(7, maximum=True),
    allocation=lambda r: PyramidKV(ends_of(r).size),
)
DYNAMIC_KV = _like(
    SNAP_KV,
    "dynamickv",
    scorer=_snap_kv(7, maximum=False),
    allocation=lambda r: DynamicKV(ends_of(r)),
)
ARKV_INT8 = _method(
    "arkv", lambda r: ARKV(window_of(r)), precision=lambda r: OQ("int8", window_of(r)), **WINDOW
)
FAST = _method(
    "ta-fast-regex", lambda r: TAFast(r.weights), detectors=("regex",), finds_values=True
)
SEMANTIC = _like(FAST, "ta-fast-semantic", detectors=("semantic",))
FULL_TA = _like(SEMANTIC, "ta-full", scorer=lambda r: FullTA(r.weights))
TA = _method(
    "ta", _own, detectors=("values",), finds_values=True, paper_detectors=SEMANTIC.detectors
)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        _method("full", lambda _: Recency(), unlimited=True),
        _method("random", lambda r: RandomTokens(r.seed)),
        _method("oracle", _own),
        STREAMING,
        _like(STREAMING, "streaming-whitelist", detectors=(Whitelist(),)),
        _like(STREAMING, "sidequest", ends_turns=True),
        _method("h2o", lambda _: H2O(), sinks=0, recent=lambda r: min(r.budgets(), default=0) // 2),
        _method("tova", lambda _: TOVA(), newest=False, **NO_ENDS),
        SNAP_KV,
        PYRAMID_KV,
        _like(
            PYRAMID_KV,
            "pyramidkv-authors",
            allocation=lambda r: PyramidKV(ends_of(r).size, faithful=True),
            exact=False,
        ),
        DYNAMIC_KV,
        _like(
            DYNAMIC_KV,
            "dynamickv-authors",
            allocation=lambda r: DynamicKV(ends_of(r), faithful=True),
            exact=False,
        ),
        _like(
            SNAP_KV,
            "ada-kv",
            scorer=_snap_kv(7, maximum=True),
            allocation=lambda r: AdaKV(ends_of(r)),
        ),
        _like(SNAP_KV, "chunkkv", scorer=chunk_kv),
        _like(SNAP_KV, "rocketkv", scorer=lambda r: RocketKV(window_of(r))),
        _like(
            SNAP_KV,
            "boundary-10",
            scorer=lambda r: SnapKV(inner_window(r)),
            sinks=tenth,
            recent=lambda r: max(tenth(r), inner_window(r)),
        ),
        _method("keydiff", lambda _: KeyDiff(), **NO_ENDS),
        _method("knorm", lambda _: KeyNorm(), **NO_ENDS),
        _method("r-kv", lambda r: RKV(window_of(r)), **WINDOW),
        _method("trim-kv", lambda _: TrimKV(), buffer=BUFFER, **NO_ENDS),
        ARKV_INT8,
        _like(ARKV_INT8, "arkv-authors", precision=lambda r: OQ("fp8", window_of(r), twice=True)),
        _method("expected-attention", lambda _: ExpectedAttention(), sinks=4, recent=0),
        _method(
            "kvzip",
            lambda _: KVzip(),
            allocation=lambda r: Threshold(ends_of(r, **KVZIP)),
            **KVZIP,
        ),
        _method("structkv", lambda r: StructKV(window_of(r)), **WINDOW),
        FULL_TA,
        _like(FULL_TA, "ta-full-weighted", weighted=True),
        _like(FULL_TA, "ta-full-unsponsored", sponsors=False),
        TA,
        _like(FAST, "ta-fast-embedding", detectors=(Embedding(),)),
        _like(FAST, "ta-learned", detectors=(Learned(),)),
        _like(FAST, "ta-learnrank", detectors=(learn_rank(),)),
        FAST,
        SEMANTIC,
        _like(SEMANTIC, "random-spans", displace=displaced, whole_prompt=True),
    )
}


def twin_of(method: Method) -> Method:
    """The method with sponsorship on top: its scorer, mandatory tokens and allocation are kept."""
    return replace(
        method,
        name=f"{TWIN}{method.name}",
        summary=f"{method.summary}; values sponsored (ta)",
        source=f"{method.source}, 2604.11288",
        detectors=(*method.detectors, *TA.detectors),
        finds_values=True,
        paper_detectors=(*method.detectors, *SEMANTIC.detectors),
        twin=True,
    )


TWINS: dict[str, Method] = {
    f"{TWIN}{method.name}": twin_of(method)
    for method in METHODS.values()
    if not method.finds_values
}
ALL_METHODS: dict[str, Method] = METHODS | TWINS


_REGISTERED: dict[str, str] = {}
"""The module that registered each method that is not built in."""


def register_method(method: Method, *, module: str | None = None) -> Method:
    """Make ``Retention(method=name)`` and its twin ``ta+name`` known in this process.

    A package that lists the method as an entry point of the group
    ``transactional_attention.methods`` (its name, and the module that registers it) is imported
    when somebody asks for the name.

    Args:
        method: a registered one with the same name is replaced.
        module: what to import, or to call, to register it again; None for the module of its
            scorer. Saved caches name it.

    Raises:
        InputError: the name is that of a built-in method, or begins as the name of a twin does.
    """
    name = method.name
    built_in = name in METHODS and name not in _REGISTERED
    if not name or name.startswith((TWIN, BOUNDED)) or built_in:
        raise InputError(f"method {name!r} cannot be registered: choose a name of its own")
    twin = twin_of(method)
    if method.finds_values:
        TWINS.pop(twin.name, None)
        ALL_METHODS.pop(twin.name, None)
    else:
        TWINS[twin.name] = ALL_METHODS[twin.name] = twin
    METHODS[name] = ALL_METHODS[name] = method
    _REGISTERED[name] = module or method.scorer.__module__
    return method


def registered_by(name: str) -> str | None:
    """The module that registered a method, also for its twin; None for a built-in method."""
    return _REGISTERED.get(_base(name))


def _base(name: str) -> str:
    """The name without ``ta+`` and ``boundary-10+``, in any order."""
    for prefix in (TWIN, BOUNDED) if name.startswith(TWIN) else (BOUNDED, TWIN):
        name = name.removeprefix(prefix)
    return name


def bounded(method: Method) -> Method:
    """The method with a tenth of K kept at each end (control); its own ends where larger."""
    if method.name == "snapkv":
        return METHODS["boundary-10"]
    return replace(
        method,
        name=f"{BOUNDED}{method.name}",
        summary=f"{method.summary}; a tenth of K at each end",
        source=f"{method.source}, 2605.18053",
        boundary=True,
    )


def get_method(name: str) -> Method:
    """The method of that name; ``ta+NAME`` is NAME with sponsorship, ``boundary-10+NAME`` bounded.

    A method that finds values by itself is its own twin. Raises UnknownNameError with the closest
    names.
    """
    base = _base(name)
    if base not in METHODS and base in (installed := brought("methods")):
        installed[base].load()
    if name in ALL_METHODS:
        return ALL_METHODS[name]
    if base == name or base not in METHODS:
        raise UnknownNameError("method", name, ALL_METHODS)
    method = bounded(METHODS[base]) if BOUNDED in name else METHODS[base]
    return twin_of(method) if TWIN in name and not method.finds_values else method
