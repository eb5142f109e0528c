"""METHODS: methods by name; their descriptions are in ``methods.toml``.

One entry per method. TWINS adds sponsorship to each. ``register_method`` adds methods of other
packages; the laboratory's baselines are such methods.
"""

import tomllib
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any, NamedTuple

from ..config import Retention
from ..detection.detector import Detector
from ..detection.paper.embedding import Embedding
from ..detection.paper.learned import Learned, learn_rank
from ..errors import InputError, UnknownNameError
from ..laboratory import BASELINES, INSTALL, brought
from .method import Method
from .scorers import Scorer
from .scorers.positions import RandomTokens, Recency
from .scorers.ta import FullTA, TAFast

TWIN = "ta+"
OTHERS = "`ta methods` lists all; docs/extending.md adds one of your own"
PAPER = ("semantic",)
"""What ``ta`` and twins find values by under the paper preset."""
WORDS = tomllib.loads(files(__package__).joinpath("methods.toml").read_text(encoding="utf-8"))


def _method(name: str, scorer: Callable[[Retention], Scorer], **given: Any) -> Method:
    return Method(name=name, scorer=scorer, **WORDS[name], **given)


def _like(method: Method, name: str, **given: Any) -> Method:
    return replace(method, name=name, **WORDS[name], **given)


def _detector_fields(*detectors: str | Detector) -> dict[str, Any]:
    """Detectors of the paper: the default preset adds values that are known by their form."""
    shapes = (*detectors, "shapes")
    return {"detectors": shapes, "paper_detectors": detectors, "finds_values": True}


def _default_scorer(retention: Retention) -> Scorer:
    """What ``ta`` leaves to values, it gives to the newest tokens."""
    newest = retention.preset == "default" and retention.choices.newest
    return Recency() if newest else TAFast(retention.weights)


STREAMING = _method("streaming-llm", lambda _: Recency(), sinks=4, recent=1)
FAST = _method("ta-fast-regex", lambda r: TAFast(r.weights), **_detector_fields("regex"))
SEMANTIC = _like(FAST, "ta-fast-semantic", **_detector_fields(*PAPER))
FULL_TA = _like(SEMANTIC, "ta-full", scorer=lambda r: FullTA(r.weights))
TA = _method("ta", _default_scorer, detectors=("values",), finds_values=True, paper_detectors=PAPER)

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        _method("full", lambda _: Recency(), unlimited=True),
        _method("random", lambda r: RandomTokens(r.seed)),
        _method("oracle", _default_scorer),
        STREAMING,
        FULL_TA,
        _like(FULL_TA, "ta-full-weighted", weighted=True),
        _like(FULL_TA, "ta-full-unsponsored", sponsors=False),
        TA,
        _like(FAST, "ta-fast-embedding", **_detector_fields(Embedding())),
        _like(FAST, "ta-learned", **_detector_fields(Learned())),
        _like(FAST, "ta-learnrank", **_detector_fields(learn_rank())),
        FAST,
        SEMANTIC,
    )
}


def twin_of(method: Method) -> Method:
    """The method with sponsorship on top: its scorer, mandatory tokens and allocation are kept. One
    that finds values by itself is its own twin."""
    if method.finds_values:
        return method
    return replace(
        method,
        name=f"{TWIN}{method.name}",
        summary=f"{method.summary}; values sponsored (ta)",
        source=f"{method.source}, 2604.11288",
        detectors=(*method.detectors, *TA.detectors),
        finds_values=True,
        paper_detectors=(*method.detectors, *PAPER),
        twin=True,
    )


TWINS: dict[str, Method] = {
    f"{TWIN}{method.name}": twin_of(method)
    for method in METHODS.values()
    if not method.finds_values
}
ALL_METHODS: dict[str, Method] = METHODS | TWINS
"""What is registered so far; ``all_methods`` registers what installed packages bring, too."""


class Prefix(NamedTuple):
    """What a prefix before a method's name makes of the method; the words of ``ta methods``."""

    make: Callable[[Method], Method]
    summary: str
    source: str


PREFIXES = {TWIN: Prefix(twin_of, "any method, values sponsored (ta)", "2604.11288")}
"""In the order in which they stand before a name: ``ta+`` outside all others."""

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
    if not name or name.startswith(tuple(PREFIXES)) or built_in:
        raise InputError(f"method {name!r} cannot be registered: choose a name of its own")
    twin = twin_of(method)
    if method.finds_values:
        TWINS.pop(f"{TWIN}{name}", None)
        ALL_METHODS.pop(f"{TWIN}{name}", None)
    else:
        TWINS[twin.name] = ALL_METHODS[twin.name] = twin
    METHODS[name] = ALL_METHODS[name] = method
    _REGISTERED[name] = module or method.scorer.__module__
    return method


def register_prefix(name: str, prefix: Prefix) -> None:
    """Let ``name`` before any method's name stand for what ``prefix`` makes of the method. It ends
    in ``+``; a package lists what is before that as an entry point, as it does a method."""
    PREFIXES[name] = prefix


def registered_by(name: str) -> str | None:
    """The module that registered a method, also for its twin; None for a built-in method."""
    _, base = _parts(name)
    return _REGISTERED.get(base)


def all_methods() -> dict[str, Method]:
    """Every method by name: the built-in ones, those of installed packages, and the twins."""
    for point in brought("methods").values():
        point.load()
    return METHODS | TWINS


def get_method(name: str) -> Method:
    """The method of that name; ``ta+NAME`` is NAME with sponsorship.

    A method that finds values by itself is its own twin. Raises UnknownNameError with the closest
    names, or with what to install.
    """
    prefixes, base = _parts(name)
    wanted = base.partition("+")[0]  # the method, or a prefix that is not registered yet
    if base not in METHODS and wanted in (installed := brought("methods")):
        installed[wanted].load()
        prefixes, base = _parts(name)
    if name in ALL_METHODS:
        return ALL_METHODS[name]
    if base not in METHODS:
        absent = wanted in BASELINES and wanted not in METHODS
        hint = f"it belongs to the laboratory: {INSTALL}" if absent else None
        raise UnknownNameError("method", name, {*all_methods(), *BASELINES}, hint, OTHERS)
    method = METHODS[base]
    for prefix in reversed(PREFIXES):
        method = PREFIXES[prefix].make(method) if prefix in prefixes else method
    return method


def _parts(name: str) -> tuple[set[str], str]:
    """The prefixes of a name, each at most once and in any order, and what is after them."""
    prefixes: set[str] = set()
    while more := [p for p in PREFIXES if name.startswith(p) and p not in prefixes]:
        prefixes.add(more[0])
        name = name.removeprefix(more[0])
    return prefixes, name
