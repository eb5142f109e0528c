"""Methods x budgets over needle cases, counted by depth: the paper's main table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..config import Retention
from ..errors import InputError
from ..layout import observed_by
from ..methods import get_method
from .metrics import wilson
from .runner import CaseRunner, Outcome, Protocol
from .tasks.needle import needle_case


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

    def retentions(self) -> list[tuple[str, int | None, Retention]]:
        """Every (method, budget) with its retention; the full cache runs once, without budget."""
        found = []
        for method in self.methods:
            for budget in (None,) if get_method(method).unlimited else self.budgets:
                retention = replace(self.base, method=method, budget=budget, seed=self.seed)
                found.append((method, budget, retention))
        return found

    @property
    def num_cases(self) -> int:
        """Cases in all."""
        return len(self.depths) * self.trials


Cell = tuple[str, int | None, float]


def run_needle(
    model: Any,
    tokenizer: Any,
    sweep: NeedleSweep,
    progress: Callable[[], None] = lambda: None,
) -> list[dict[str, Any]]:
    """One row a (method, budget, depth); ``progress`` is called after every case."""
    cells: dict[Cell, list[Outcome]] = {}
    observe = observed_by(retention for _, _, retention in sweep.retentions())
    for depth, case in _cases(tokenizer, sweep):
        runner = CaseRunner(model, tokenizer, case, sweep.protocol, observe)
        for method, budget, retention in sweep.retentions():
            cells.setdefault((method, budget, depth), []).append(runner.run(retention))
        progress()
    rows = []
    for name in sweep.methods:
        for k in sweep.budgets:
            for depth in sweep.depths:
                outcomes = cells[name, None if get_method(name).unlimited else k, depth]
                rows.append(_row(sweep, name, k, depth, outcomes))
    return rows


def _cases(tokenizer: Any, sweep: NeedleSweep) -> Iterator[tuple[float, Any]]:
    for trial in range(sweep.trials):
        for depth in sweep.depths:
            yield (
                depth,
                needle_case(
                    tokenizer,
                    context=sweep.context,
                    depth=depth,
                    seed=sweep.seed * 100_003 + trial,
                    filler_name=sweep.filler,
                ),
            )


def _row(
    sweep: NeedleSweep, method: str, budget: int, depth: float, outcomes: Sequence[Outcome]
) -> dict[str, Any]:
    return {
        "method": method,
        "budget": budget,
        "protocol": sweep.protocol,
        "ledger": sweep.base.ledger,
        "preset": sweep.base.preset,
        "filler": Path(sweep.filler).name,
        "context": sweep.context,
        "depth": depth,
        **counts(
            trials=len(outcomes),
            correct=sum(o.correct for o in outcomes),
            retained=sum(o.retained for o in outcomes),
            contains=sum(o.contains for o in outcomes),
            anchors=sum(o.anchors for o in outcomes),
            max_live_tokens=max(o.max_live_tokens for o in outcomes),
        ),
        **_passes(outcomes, method),
    }


def _passes(outcomes: Sequence[Outcome], method: str) -> dict[str, Any]:
    """Means a case of what passes of the method's own cost, and what a judge deleted in them."""
    names = ["deleted_tokens"] if get_method(method).ends_turns else []
    if any(o.pass_tokens for o in outcomes):
        names += ["pass_tokens", "pass_seconds"]
    return {name: sum(getattr(o, name) for o in outcomes) / len(outcomes) for name in names}


def counts(*, trials: int, correct: int, **others: int) -> dict[str, Any]:
    """Counts of a row with accuracy and its 95% Wilson interval."""
    low, high = wilson(correct, trials)
    return {
        "trials": trials,
        "correct": correct,
        "accuracy": correct / trials,
        "ci95": [low, high],
        **others,
    }


def over_depths(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of one run with their depths added up, in the order of the run."""
    groups: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["method"], row["budget"]), []).append(row)
    summary = []
    for (method, budget), group in groups.items():
        added = {
            name: sum(row[name] for row in group)
            for name in ("trials", "correct", "retained", "contains", "anchors")
        }
        live = max(row["max_live_tokens"] for row in group)
        summary.append(
            {"method": method, "budget": budget, **counts(**added, max_live_tokens=live)}
        )
    return summary
