"""METHODS: a name, and what it puts together. One line a method; TWINS adds sponsorship to each."""

from __future__ import annotations

from dataclasses import replace

from ..config import Retention
from ..detection.paper.whitelist import Whitelist
from ..errors import UnknownNameError
from .method import Method
from .pass_methods import OWN_PASSES
from .scorers import Scorer
from .scorers.arkv import ARKV, OQ
from .scorers.expected_attention import ExpectedAttention
from .scorers.h2o import H2O, half
from .scorers.key_diff import KeyDiff
from .scorers.key_norm import KeyNorm
from .scorers.r_kv import RKV
from .scorers.random_tokens import RandomTokens
from .scorers.recency import Recency
from .scorers.snap_kv import window_of
from .scorers.tova import TOVA
from .scorers.trim_kv import BUFFER, TrimKV
from .snap_family import SNAP_FAMILY
from .ta_family import ORACLE, SEMANTIC, TA, TA_FAMILY

TWIN, BOUNDED = "ta+", "boundary-10+"


def _recency(retention: Retention) -> Scorer:
    return Recency()


def _random(retention: Retention) -> Scorer:
    return RandomTokens(retention.seed)


def _r_kv(retention: Retention) -> Scorer:
    return RKV(window_of(retention))


ARKV_INT8 = Method(
    "arkv",
    "most attention from the last window, mean and variance; by layer a part of it in int8",
    "2603.08727",
    lambda retention: ARKV(window_of(retention)),
    sinks=0,
    recent=window_of,
    decode="least of attention and its variance, rescored; the least full one turns low",
    precision=lambda retention: OQ("int8", window_of(retention)),
)
STREAMING = Method(
    "streaming-llm",
    "4 sinks and the newest",
    "2309.17453",
    _recency,
    sinks=4,
    recent=1,
    decode="the oldest after the sinks",
)
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("full", "the full cache, nothing evicted", "-", _recency, unlimited=True),
        Method("random", "tokens at random (control)", "this project", _random),
        ORACLE,
        STREAMING,
        replace(
            STREAMING,
            name="streaming-whitelist",
            summary="4 sinks, the newest, and the tokens of keywords (control)",
            source="2309.17453, 2510.00231",
            detectors=(Whitelist(),),
            decode="the oldest after the sinks that is no keyword",
        ),
        replace(
            STREAMING,
            name="sidequest",
            summary="tool outputs until a judge deletes them at turn ends; above K the newest",
            source="2602.22603",
            ends_turns=True,
        ),
        Method(
            "h2o",
            "heavy hitters and the newest half",
            "2306.14048",
            lambda _: H2O(),
            sinks=0,
            recent=half,
            decode="least column sum outside the newest half",
        ),
        Method(
            "tova",
            "most attention from the last query",
            "2401.06104",
            lambda _: TOVA(),
            sinks=0,
            recent=0,
            newest=False,
            decode="least attention from the last query",
        ),
        *SNAP_FAMILY,
        Method(
            "keydiff",
            "keys unlike the mean key",
            "2504.15364",
            lambda _: KeyDiff(),
            sinks=0,
            recent=0,
            decode="the key closest to the mean key",
        ),
        Method(
            "knorm",
            "keys of small norm",
            "2406.11430",
            lambda _: KeyNorm(),
            sinks=0,
            recent=0,
            decode="the key of largest norm",
        ),
        Method(
            "r-kv",
            "attention from the last window, less redundancy",
            "2505.24133",
            _r_kv,
            sinks=0,
            recent=window_of,
            decode="least of attention less redundancy, rescored",
        ),
        Method(
            "trim-kv",
            "tokens whose trained importance decays least",
            "2512.03324",
            lambda _: TrimKV(),
            sinks=0,
            recent=0,
            decode="least importance left, beta^(t - i)",
            buffer=BUFFER,
        ),
        ARKV_INT8,
        replace(
            ARKV_INT8,
            name="arkv-authors",
            summary="ARKV in the authors' fp8, the window subtracted twice from what is full",
            precision=lambda retention: OQ("fp8", window_of(retention), twice=True),
        ),
        Method(
            "expected-attention",
            "most attention expected from later queries",
            "2510.00636",
            lambda _: ExpectedAttention(),
            sinks=4,
            recent=0,
            decode="least attention expected from later queries, rescored",
        ),
        *OWN_PASSES,
        *TA_FAMILY,
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
        shapes=True,
        paper_detectors=(*method.detectors, *SEMANTIC.detectors),
        twin=True,
    )


TWINS: dict[str, Method] = {
    f"{TWIN}{method.name}": twin_of(method) for method in METHODS.values() if not method.shapes
}
ALL_METHODS: dict[str, Method] = METHODS | TWINS


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

    A method that sponsors by itself is its own twin.

    Raises:
        UnknownNameError: with the closest names.
    """
    if name in ALL_METHODS:
        return ALL_METHODS[name]
    base = name
    for prefix in (TWIN, BOUNDED) if name.startswith(TWIN) else (BOUNDED, TWIN):
        base = base.removeprefix(prefix)
    if base == name or base not in METHODS:
        raise UnknownNameError("method", name, ALL_METHODS)
    method = bounded(METHODS[base]) if BOUNDED in name else METHODS[base]
    return twin_of(method) if TWIN in name and not method.shapes else method
