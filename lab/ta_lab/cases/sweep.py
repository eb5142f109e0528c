"""Methods x budgets over needle cases, counted by depth: the paper's main table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from transactional_attention.config import Positions, Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.methods.observation import Observation
from transactional_attention.methods.registry import get_method

from ..generators.needle import needle_case
from .cases import Case
from .metrics import wilson
from .runner import CaseRunner, Protocol, observed_by


class Engine(NamedTuple):
    """What runs the cases of a sweep.

    ``attempt``: makes an empty cache of a retention, or raises why it cannot. ``runner``: one case,
    read once, whose ``run_all`` answers it under many retentions."""

    attempt: Callable[[Retention], object]
    runner: Callable[[Case, Protocol, Observation], Any]


def on_transformers(model: Any, tokenizer: Any, positions: Positions = "original") -> Engine:
    """A model of transformers, whose retentions have these ``positions``."""
    runner = partial(CaseRunner, model, tokenizer, positions=positions)
    return Engine(partial(RetentionCache, model, tokenizer), runner)


def refusals(engine: Engine, retentions: Iterable[Retention]) -> dict[str, tuple[str, ...]]:
    """Reasons, each with the methods that it stops; none when all can run.

    A method is tried on an empty cache, so that what it needs is looked for: files that were
    trained for the model, attention that can be read, room for its mandatory tokens."""
    reasons: dict[str, tuple[str, ...]] = {}
    for retention in retentions:
        try:
            engine.attempt(retention)
        except RetentionError as error:
            names = (*reasons.get(str(error), ()), retention.method)
            reasons[str(error)] = tuple(dict.fromkeys(names))
    return reasons


def check_methods(engine: Engine, retentions: Iterable[Retention]) -> None:
    """Refuse all methods that cannot run at once. Raises InputError with every reason and the
    methods that it stops."""
    failures = refusals(engine, retentions)
    if failures:
        reasons = (f"{', '.join(names)}: {reason}" for reason, names in failures.items())
        raise InputError(f"cannot run {'; '.join(reasons)}")


@dataclass(frozen=True)
class NeedleSweep:
    """What a needle run covers. ``trials`` is per depth; ``base`` carries everything else."""

    methods: tuple[str, ...]
    budgets: tuple[int, ...]
    depths: tuple[float, ...]
    trials: int
    context: int
    protocol: Protocol
    filler: str
    seed: int
    base: Retention

    def __post_init__(self) -> None:
        for name, values in (("methods", self.methods), ("budgets", self.budgets)):
            if not values or len(set(values)) != len(values):
                raise InputError(f"{name} must be a list without repetitions, got {values}")
        if self.trials < 1 or not self.depths or not all(0 <= d <= 1 for d in self.depths):
            raise InputError("a sweep needs one trial or more and depths in [0, 1]")
        if self.protocol not in ("hidden", "visible"):
            raise InputError(f"protocol must be hidden or visible, got {self.protocol!r}")
        for method in self.methods:
            get_method(method)

    def retentions(self) -> list[Retention]:
        """One for every method and budget; the full cache runs once, without budget."""
        retentions = []
        for method in self.methods:
            for budget in (None,) if get_method(method).unlimited else self.budgets:
                memory = self.base.memory if get_method(method).protects else None
                settings: dict[str, Any] = {"budget": budget, "seed": self.seed, "memory": memory}
                retentions.append(replace(self.base, method=method, **settings))
        return retentions

    @property
    def num_cases(self) -> int:
        """Cases in all."""
        return len(self.depths) * self.trials


Cell = tuple[str, int | None, float]
Row = dict[str, Any]
COUNTS = ("correct", "wrapped", "contains", "retained", "anchors")  # added up over cases
LIVE = ("max_live_tokens", "mean_live_tokens")  # the largest of them
BYTES, PASSES = ("stored_bytes", "pair_bytes"), ("pass_tokens", "pass_seconds")  # means a case
JUDGED = ("deleted_tokens",)
MEASURED = (*COUNTS, *LIVE, *BYTES, *PASSES, *JUDGED)
"""What a row of one case holds of an outcome: numbers alone, no text and no positions."""


def run_needle(
    engine: Engine,
    tokenizer: Any,
    sweep: NeedleSweep,
    progress: Callable[[], None] = lambda: None,
    *,
    done: Sequence[Row] = (),
    save: Callable[[list[Row]], None] = lambda rows: None,
) -> list[Row]:
    """One row a (method, budget, depth); ``progress`` is called after every case.

    ``save`` gets the rows of all single cases so far, after each that was run; ``done``: what it
    got last in an interrupted run of the same sweep, whose cases are not run again. Raises
    InputError before any case, when methods cannot run on the model at their budgets."""
    retentions = sweep.retentions()
    check_methods(engine, retentions)
    rows = list(done)
    finished = {row["case"] for row in rows}
    observe = observed_by(retentions)
    for index in range(sweep.num_cases):
        if index not in finished:
            case = _case(tokenizer, sweep, index)
            runner = engine.runner(case, sweep.protocol, observe)
            for retention, outcome in zip(retentions, runner.run_all(retentions), strict=True):
                row = {"case": index, "method": retention.method, "budget": retention.budget}
                rows.append(row | {name: getattr(outcome, name) for name in MEASURED})
            save(rows)
        progress()
    return _over_trials(sweep, rows)


def _case(tokenizer: Any, sweep: NeedleSweep, index: int) -> Case:
    """A case of a sweep: all depths of a trial, then the next trial."""
    return needle_case(
        tokenizer,
        context=sweep.context,
        depth=sweep.depths[index % len(sweep.depths)],
        seed=sweep.seed * 100_003 + index // len(sweep.depths),
        filler_name=sweep.filler,
    )


def _over_trials(sweep: NeedleSweep, rows: Sequence[Row]) -> list[Row]:
    """Rows of single cases as one row a (method, budget, depth)."""
    cells: dict[Cell, list[Row]] = {}
    for row in rows:
        depth = sweep.depths[row["case"] % len(sweep.depths)]
        cells.setdefault((row["method"], row["budget"], depth), []).append(row)
    return [
        _row(sweep, name, k, depth, cells[name, None if get_method(name).unlimited else k, depth])
        for name in sweep.methods
        for k in sweep.budgets
        for depth in sweep.depths
    ]


def _row(sweep: NeedleSweep, method: str, budget: int, depth: float, cases: Sequence[Row]) -> Row:
    sums = {name: sum(case[name] for case in cases) for name in MEASURED}
    return {
        "method": method,
        "budget": budget,
        "saving": get_method(method).saving,
        "protocol": sweep.protocol,
        "ledger": sweep.base.ledger,
        "preset": sweep.base.preset,
        "filler": Path(sweep.filler).name,
        "context": sweep.context,
        "depth": depth,
        **counts(
            trials=len(cases),
            **{name: sums[name] for name in COUNTS},
            **{name: max(case[name] for case in cases) for name in LIVE},
        ),
        **{name: sums[name] / len(cases) for name in BYTES},
        # of passes of the method's own, where it has any, and of what a judge deleted in them
        **{name: sums[name] / len(cases) for name in PASSES if sums["pass_tokens"]},
        **{name: sums[name] / len(cases) for name in JUDGED if get_method(method).ends_turns},
    }


def counts(*, trials: int, correct: int, **others: float) -> Row:
    """Counts of a row with accuracy and its 95% Wilson interval."""
    low, high = wilson(correct, trials)
    return {
        "trials": trials,
        "correct": correct,
        "accuracy": correct / trials,
        "ci95": [low, high],
        **others,
    }


def over_depths(rows: Sequence[Row]) -> list[Row]:
    """Rows of one run with their depths added up, in the order of the run.

    Older rows lack what was not measured then; so do their sums."""
    groups: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["method"], row["budget"]), []).append(row)
    return [
        {"method": method, "budget": budget, **_added(group)}
        for (method, budget), group in groups.items()
    ]


def _added(group: Sequence[Row]) -> Row:
    there = set.intersection(*(set(row) for row in group))
    trials = sum(row["trials"] for row in group)
    means = [name for name in (*BYTES, *PASSES) if name in there]
    return {
        **{name: group[0][name] for name in ("saving",) if name in there},
        **counts(
            trials=trials,
            **{name: sum(row[name] for row in group) for name in COUNTS if name in there},
            **{name: max(row[name] for row in group) for name in LIVE if name in there},
        ),
        **{name: sum(row[name] * row["trials"] for row in group) / trials for name in means},
    }
