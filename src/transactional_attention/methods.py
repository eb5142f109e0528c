"""METHODS: a name, and what it puts together. One line a method; TWINS adds sponsorship to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .allocation import Allocation
from .config import Retention
from .errors import UnknownNameError
from .scorers import Scorer
from .scorers.full_ta import FullTA
from .scorers.h2o import H2O, half
from .scorers.key_diff import KeyDiff
from .scorers.key_norm import KeyNorm
from .scorers.random_tokens import RandomTokens
from .scorers.recency import Recency
from .scorers.snap_kv import SnapKV, window_of
from .scorers.ta_fast import TAFast
from .scorers.tova import TOVA

TWIN = "ta+"
TWIN_DETECTORS = ("semantic",)


@dataclass(frozen=True)
class Method:
    """A named combination of detectors, scorer, mandatory tokens and allocation.

    ``scorer`` and ``allocation`` are made from the retention. ``detectors`` run on the text.
    ``sinks`` and ``recent`` (a number, or one that depends on the budget) are the method's own
    mandatory tokens; ``None`` takes the preset's. ``decode``: what gives way to a generated token
    under the strict ledger. ``newest``: the newest token never does. ``sponsors``: vouchers and
    spans; ``weighted``: vouchers times the anchor's share of attention. ``whole_prompt``: a prompt
    in chunks is refused. ``twin``: made by ``ta+``.
    """

    name: str
    summary: str
    source: str
    scorer: Callable[[Retention], Scorer]
    detectors: tuple[str, ...] = ()
    shapes: bool = False
    sinks: int | None = None
    recent: int | Callable[[Retention], int] | None = None
    unlimited: bool = False
    decode: str = "least utility"
    newest: bool = True
    allocation: Callable[[Retention], Allocation] | None = None
    sponsors: bool = True
    weighted: bool = False
    whole_prompt: bool = False
    twin: bool = False

    @property
    def observes(self) -> str:
        """What the scorer reads of a layer, in words, at the default budget."""
        return str(self.scorer(Retention()).observes)

    def detectors_for(self, retention: Retention) -> tuple[str, ...]:
        """Detectors of a preset: the default one adds value shapes to those of the paper."""
        extra = ("shapes",) if self.shapes and retention.preset == "default" else ()
        return (*self.detectors, *extra)


def _recency(retention: Retention) -> Scorer:
    return Recency()


def _random(retention: Retention) -> Scorer:
    return RandomTokens(retention.seed)


def _ta_fast(retention: Retention) -> Scorer:
    return TAFast(retention.weights)


def _full_ta(retention: Retention) -> Scorer:
    return FullTA(retention.weights)


def _snap_kv(retention: Retention) -> Scorer:
    return SnapKV(window_of(retention))


STREAMING = Method(
    "streaming-llm",
    "4 sinks and the newest",
    "2309.17453",
    _recency,
    sinks=4,
    recent=1,
    decode="the oldest after the sinks",
)
FAST = Method(
    "ta-fast-regex", "paper, TA-Fast-Regex", "2604.11288", _ta_fast, ("regex",), shapes=True
)
SEMANTIC = replace(
    FAST, name="ta-fast-semantic", summary="paper, TA-Fast-Semantic", detectors=("semantic",)
)
FULL_TA = replace(
    SEMANTIC,
    name="ta-full",
    summary="paper, Full-TA: eq. 1 as printed",
    scorer=_full_ta,
    decode="least utility, attention averaged over all queries so far",
)
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("full", "the full cache, nothing evicted", "-", _recency, unlimited=True),
        Method("random", "tokens at random (control)", "this project", _random),
        Method("oracle", "the value's own span, given (control)", "this project", _ta_fast),
        STREAMING,
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
        Method(
            "snapkv",
            "most attention from the last window",
            "2404.14469",
            _snap_kv,
            sinks=0,
            recent=window_of,
            decode="least attention from the newest window, rescored",
        ),
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
        FULL_TA,
        replace(
            FULL_TA,
            name="ta-full-weighted",
            summary="Full-TA, vouchers by the anchor's share of attention (paper, appendix)",
            weighted=True,
        ),
        replace(
            FULL_TA,
            name="ta-full-unsponsored",
            summary="Full-TA without sponsorship (ablation)",
            sponsors=False,
        ),
        FAST,
        SEMANTIC,
    )
}


def twin_of(method: Method) -> Method:
    """The method with sponsorship on top: its scorer, mandatory tokens and allocation are kept."""
    return replace(
        method,
        name=f"{TWIN}{method.name}",
        summary=f"{method.summary}; values sponsored (ta-fast-semantic)",
        source=f"{method.source}, 2604.11288",
        detectors=TWIN_DETECTORS,
        shapes=True,
        twin=True,
    )


TWINS: dict[str, Method] = {
    f"{TWIN}{method.name}": twin_of(method) for method in METHODS.values() if not method.detectors
}
ALL_METHODS: dict[str, Method] = METHODS | TWINS


def get_method(name: str) -> Method:
    """The method of that name; ``ta+NAME`` is NAME with sponsorship.

    A method that sponsors by itself is its own twin.

    Raises:
        UnknownNameError: with the closest names.
    """
    base = METHODS.get(name.removeprefix(TWIN))
    if name not in ALL_METHODS and (base is None or not base.detectors):
        raise UnknownNameError("method", name, ALL_METHODS)
    return ALL_METHODS.get(name) or METHODS[name.removeprefix(TWIN)]
