"""What a caller chooses: one checked record, built once and shared by every stage.

Budgets, sinks, recent tokens and caps count KV pairs per layer and kv head, that is, tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, get_args

from .detection.patterns import check_patterns
from .detection.permits import check_entries
from .errors import InputError
from .types import SOURCES, Source, Span

Preset = Literal["default", "paper"]
Ledger = Literal["strict", "on-top"]
Positions = Literal["original", "rolling", "compact"]
Partition = Literal["quarter", "strict", "audit"]
Unit = Literal["chars", "tokens"]
Format = Literal["int8", "fp8"]
Packing = Literal["int4", Format]  # of rows that wait
CHOICES: dict[str, Any] = {
    "preset": Preset,
    "ledger": Ledger,
    "positions": Positions,
    "partition": Partition,
    "storage": Format,
}

DEFAULT_METHOD = "ta"
LEAST_MEMORY = 128  # K from which whole segments and a window have room beside each other


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the utility terms (paper, eq. 1); ``frequency`` is the paper's lambda."""

    attention: float = 1.0
    recency: float = 0.5
    anchor: float = 0.3
    pension: float = 0.2
    frequency: float = 0.1


@dataclass(frozen=True, slots=True)
class Sponsorship:
    """Numbers of the voucher (paper, eq. 2) and of the extent of values.

    ``budget`` is B, ``token_decay`` 0.8 per token, ``step_decay`` 0.9 per decode step (paper
    preset), ``span_length`` L (paper preset). The caps limit a value's own extent (default preset):
    a longer value is left out and reported. ``strength`` multiplies V; at 0 nothing that is
    detected is sponsored, neither token by token nor as a span.

    For tools: beyond ``untrusted_rate`` values in one message, and in floods of one wording, a
    value is suspicious. Suspicious values together hold at most ``untrusted_share`` of K.
    ``fade_per``: in the default preset a protection lasts until it is released. "step" or "turn"
    multiplies B by ``step_decay`` each time and releases a value below 1 (after 26 times at B =
    15); it begins again when the label is mentioned.
    """

    budget: float = 15.0
    token_decay: float = 0.8
    step_decay: float = 0.9
    span_length: int = 6
    prose_cap: int = 64
    delimited_cap: int = 256
    strength: float = 1.0
    untrusted_rate: int = 64
    untrusted_share: float = 0.5
    fade_per: Literal["step", "turn"] | None = None

    def __post_init__(self) -> None:
        if self.fade_per not in (None, "step", "turn"):
            raise InputError(f"fade_per must be step, turn or None, got {self.fade_per!r}")
        for names, may_be, kind, least, most in (
            ("budget strength", "a number >= 0", Real, 0, inf),
            ("token_decay step_decay untrusted_share", "a number in [0, 1]", Real, 0, 1),
            ("prose_cap delimited_cap", "a whole number >= 0", Integral, 0, inf),
            ("span_length untrusted_rate", "a whole number >= 1", Integral, 1, inf),
        ):
            for name in names.split():
                value = getattr(self, name)
                if not (
                    isinstance(value, kind) and isfinite(value) and least <= float(value) <= most
                ):
                    raise InputError(f"{name} must be {may_be}, got {value!r}")


class _TakesFormerNames(type):
    """A record whose fields may be given by the names that they had before (``FORMER``)."""

    FORMER: dict[str, str]

    def __call__(cls, *args: Any, **given: Any) -> Any:
        former = {cls.FORMER[name]: given.pop(name) for name in cls.FORMER if name in given}
        return super().__call__(*args, **given | former)


@dataclass(frozen=True, slots=True)
class Choices(metaclass=_TakesFormerNames):
    """Choices of the default preset; an ablation can switch each of them off.

    ``whole``: a value is kept whole or not at all; if off, its first tokens take the room that is
    left. ``keep_closing_token``: the token after a value is kept with it. ``ends_may_yield``: sinks
    and recent tokens give way to a confident value. ``labels``: labels are kept while there is
    room. ``ranked``: values are admitted best first; if off, in text order, after ranges that the
    caller names. ``survives_label``: a value stays sponsored when its label is evicted. ``newest``:
    remaining room goes to the newest tokens (method ``ta``); if off, to tokens by eq. 3 of the
    paper, whose term for frequent tokens leaves gaps among them.
    """

    whole: bool = True
    keep_closing_token: bool = True
    ends_may_yield: bool = True
    labels: bool = True
    ranked: bool = True
    survives_label: bool = True
    newest: bool = True

    FORMER: ClassVar[dict[str, str]] = {
        "closing": "keep_closing_token",
        "yielding": "ends_may_yield",
        "outliving": "survives_label",
    }


@dataclass(frozen=True, slots=True)
class Memory:
    """What is held beside the newest tokens, and how text that left comes back (docs/memory.md).

    ``share``: of K that whole segments of the text may take; the newest tokens keep the rest.
    ``again``: most generated tokens that are read again with what came back, by default about
    those of a field's label. ``limit``: bytes that the rows of one sequence may take on the host;
    None for no limit. ``storage``: format of these rows (int4 becomes int8 for models whose
    rotation of keys cannot be undone, and for keys on llama.cpp); None: the dtype of the model, so
    that rows come back bit for bit.
    """

    share: float = 0.25
    again: int = 8
    limit: int | None = None
    storage: Packing | None = "int4"

    def __post_init__(self) -> None:
        if not (isinstance(self.share, Real) and 0 < float(self.share) <= 0.5):
            raise InputError(f"the share of the memory must lie in (0, 0.5], got {self.share!r}")
        if type(self.again) is not int or self.again < 0:
            raise InputError(f"again is in tokens >= 0, got {self.again!r}")
        if self.limit is not None and (type(self.limit) is not int or self.limit < 1):
            raise InputError(f"the limit of the memory is in bytes >= 1, got {self.limit!r}")
        if self.storage not in (None, *get_args(Packing)):
            raise InputError(
                f"storage of the memory must be one of {', '.join(get_args(Packing))} or None, "
                f"got {self.storage!r}"
            )


@dataclass(frozen=True, slots=True)
class ProtectedRange:
    """A range that the caller names. ``unit``: what ``span`` counts. ``row``: None for every row.
    ``priority``: larger ones first where there is no room for all; ``required``: an error if there
    is none.

    Characters are offsets into the decoded text of the row, special tokens included.
    """

    span: Span
    unit: Unit = "tokens"
    row: int | None = None
    priority: float = 0.0
    required: bool = True

    def __post_init__(self) -> None:
        if self.unit not in get_args(Unit):
            raise InputError(f"unit must be one of {', '.join(get_args(Unit))}, got {self.unit!r}")


@dataclass(frozen=True)
class Retention:
    """How a cache decides what to keep.

    ``budget``: K, or one K per managed layer, or None for no limit. ``method``: a name of ``ta
    methods``. ``preset``: ``default`` or ``paper`` (docs/notation.md). ``ledger``: ``strict`` cuts
    to K after every forward; ``on-top`` cuts the context to K and lets the question and the answer
    ride on top. ``positions``: ``original`` keeps the position of every token, up to the model's
    trained length; ``rolling`` does so too, and from there on moves all that is held down, so that
    a stream has no end; ``compact`` rotates keys to their rank in the cache from the beginning.

    ``sinks``, ``recent``: tokens that are always kept; None takes the method's own.
    ``protect_roles``: sources whose tokens are all kept; otherwise a ``BudgetError`` names the K
    that would suffice. ``pinned``: sources whose tokens are all held beside K. ``allow``, ``deny``:
    labels and rules that may, or may not, sponsor (``detection/permits.py``); they do not apply to
    ranges that the caller names. ``patterns``: regular expressions whose matches are values
    (``detection/patterns.py``, extra ``re2``).

    ``choices``: parts of the default preset to switch off. ``storage``: from the first eviction on,
    tokens that are neither sponsored, nor sinks, nor recent are stored in this format
    (``precision.py``); None: all in the dtype of the model, or as the method decides. ``memory``:
    the newest tokens and whole segments of the text are held in place of single values, and text
    that left comes back when it is asked for; True for ``Memory()``. ``recall``: its older name,
    from K = 128 on. ``debug``: check keys for NaN at every step, not only once per prefill cut.
    """

    budget: int | tuple[int, ...] | None = 256
    method: str = DEFAULT_METHOD
    preset: Preset = "default"
    ledger: Ledger = "strict"
    positions: Positions = "original"
    sinks: int | None = None
    recent: int | None = None
    partition: Partition = "quarter"
    weights: Weights = field(default_factory=Weights)
    sponsorship: Sponsorship = field(default_factory=Sponsorship)
    choices: Choices = field(default_factory=Choices)
    detect_in_generated: bool = False
    protect_roles: tuple[Source, ...] = ()
    protected: tuple[ProtectedRange, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    seed: int = 0
    debug: bool = False
    storage: Format | None = None
    recall: Memory | bool | Literal["all"] | None = None
    pinned: tuple[Source, ...] = ()
    memory: Memory | bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", _plain(self.budget))
        for budget in self.budgets():
            if not isinstance(budget, int) or isinstance(budget, bool) or budget < 1:
                raise InputError(f"budget must be a whole number of tokens >= 1, got {budget!r}")
        object.__setattr__(self, "memory", self._remembering())
        for name, kind in CHOICES.items():
            value, allowed = getattr(self, name), get_args(kind)
            if value not in allowed and not (name == "storage" and value is None):
                raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
        if self.storage is not None and self.detect_in_generated:
            raise InputError(
                "detect_in_generated finds values after storage has lowered their tokens: "
                "use one of the two"
            )
        if self.preset == "paper" and self.choices != Choices():
            raise InputError("choices are those of the default preset: the paper preset has none")
        for name in ("sinks", "recent"):
            object.__setattr__(self, name, value := _plain(getattr(self, name)))
            if value is not None and (type(value) is not int or value < 0):
                raise InputError(f"{name} must be a whole number >= 0, got {value!r}")
        for field_name in ("protect_roles", "pinned"):
            for role in getattr(self, field_name):
                if role not in SOURCES:
                    raise InputError(f"{field_name}: {role!r} is none of {', '.join(SOURCES)}")
        for name in ("allow", "deny"):
            object.__setattr__(self, name, check_entries(getattr(self, name), name))
        object.__setattr__(self, "patterns", check_patterns(self.patterns))
        if self.positions != "original" and len(set(self.budgets())) > 1:
            raise InputError(f"positions={self.positions!r} needs one budget for all layers")

    def _remembering(self) -> Memory | None:
        """The memory, given under either name; the older name is empty afterwards."""
        memory: Memory | bool | None = None
        for name, known in (("memory", ()), ("recall", ("all",))):
            given = getattr(self, name)
            if not (isinstance(given, Memory | bool | None) or given in known):
                raise InputError(f"{name} must be True, False or a Memory, got {given!r}")
            memory = memory or (True if given == "all" else given)
        if self.recall and min(self.budgets(), default=LEAST_MEMORY) < LEAST_MEMORY:
            raise InputError(
                f"recall is a memory now, which needs K >= {LEAST_MEMORY}: raise the budget from "
                f"{min(self.budgets())}, or leave recall out (docs/memory.md)"
            )
        object.__setattr__(self, "recall", None)
        return Memory() if memory is True else memory or None

    def budgets(self) -> tuple[int, ...]:
        """The budgets as given: one for all layers or one per layer; empty if unlimited."""
        if self.budget is None:
            return ()
        return self.budget if isinstance(self.budget, tuple) else (self.budget,)

    def protect(
        self,
        start: int,
        end: int,
        *,
        unit: Unit = "chars",
        row: int | None = None,
        priority: float = 0.0,
        required: bool = True,
    ) -> Retention:
        """A copy that also keeps ``[start, end)``, before anything that is detected. The cut raises
        BudgetError later if the range is ``required`` and does not fit."""
        span = ProtectedRange(Span(start, end), unit, row, priority, required)
        return replace(self, protected=(*self.protected, span))


def retention_from(given: Retention | int | Sequence[int] | None) -> Retention:
    """A retention as it is, or made from a budget, or from nothing, with defaults. Raises
    InputError for anything else."""
    if isinstance(given, Retention):
        return given
    return Retention() if given is None else Retention(budget=given)  # type: ignore[arg-type]


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy and torch as Python's own; sequences as tuples."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(map(_plain, value))
    return value
