"""Whole-value retention by family, for methods that read text and tokens alone; no model runs.

On texts without values it is the share of tokens that a method protects which counts: K is half of
their tokens, so that room is never what limits it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, NamedTuple

from transactional_attention.config import Retention
from transactional_attention.errors import InputError
from transactional_attention.methods.method import Shape
from transactional_attention.methods.registry import get_method

from ..cases.cases import Case
from ..cases.encoding import budget_of, encode_case
from ..cases.metrics import wilson
from ..cases.runner import TextRunner

KEYS = ("family", "kind", "lang")
ALL, FLOODS = "all but floods", "floods"
FREE = 2  # after groups and totals: families without values


class Reading(NamedTuple):
    """A method in a preset."""

    method: str
    preset: str

    def __str__(self) -> str:
        return self.method if self.preset == "default" else f"{self.method}, {self.preset}"


@dataclass(frozen=True)
class Seen:
    """What one reading made of one case; ``protected``: the share of its tokens."""

    case: Case
    reading: Reading
    retained: bool
    protected: float


def readings(methods: Sequence[str], presets: Sequence[str]) -> list[Reading]:
    """Methods that detect, in every preset; the others in the default one.

    Raises InputError for a method that needs a model, or an unknown preset."""
    readings = []
    for name in methods:
        method = get_method(name)
        if method.observes != "nothing":
            raise InputError(f"method {name!r} reads {method.observes}: only text is scored here")
        kinds = presets if method.detectors else ("default",)
        readings += [Reading(name, Retention(None, name, preset=preset).preset) for preset in kinds]  # type: ignore[arg-type]
    return readings


def score(
    tokenizer: Any,
    cases: Sequence[Case],
    wanted: Sequence[Reading],
    rule: str,
    *,
    seed: int = 0,
    shape: Shape | None = None,
    progress: Callable[[], None] = lambda: None,
) -> list[Seen]:
    """Every reading of every case under a budget rule (``encoding.budget_of``).

    Methods whose detector reads a model need its ``shape``."""
    seen = []
    for case in cases:
        encoded = encode_case(tokenizer, case)
        budget = budget_of(rule, encoded) if case.critical else max(len(encoded.ids) // 2, 8)
        runner = TextRunner(tokenizer, encoded, shape)
        for reading in wanted:
            outcome = runner.run(_retention(reading, budget, seed))
            share = outcome.protected_tokens / len(encoded.ids)
            seen.append(Seen(case, reading, outcome.retained, share))
        progress()
    return seen


def _retention(reading: Reading, budget: int, seed: int) -> Retention:
    limit = None if get_method(reading.method).unlimited else budget
    return Retention(limit, reading.method, preset=reading.preset, seed=seed)  # type: ignore[arg-type]


def rows(seen: Sequence[Seen], by: str = "family") -> list[dict[str, Any]]:
    """Counts by family, kind of value or language, then over all; what is protected for nothing."""
    groups: dict[tuple[int, str, Reading], list[Seen]] = {}
    for item in seen:
        case, places = item.case, [(FREE, item.case.family)]
        if case.critical:
            name = case.meta.get("kind", "") if by == "kind" else getattr(case, by)
            places = [(0, name), (1, FLOODS if case.family.startswith("flood") else ALL)]
        for place, name in places:
            groups.setdefault((place, name, item.reading), []).append(item)
    ordered = sorted(groups.items(), key=lambda item: item[0][0])
    return [
        {
            "group": name,
            **reading._asdict(),
            "trials": len(group),
            **(_protected(group) if place == FREE else _retained(group)),
        }
        for (place, name, reading), group in ordered
    ]


def _retained(group: Sequence[Seen]) -> dict[str, Any]:
    retained = sum(item.retained for item in group)
    interval = list(wilson(retained, len(group)))
    return {"retained": retained, "rate": retained / len(group), "ci95": interval}


def _protected(group: Sequence[Seen]) -> dict[str, Any]:
    shares = [item.protected for item in group]
    return {"protected_median": median(shares), "protected_mean": fmean(shares)}


def markdown(counted: Sequence[dict[str, Any]]) -> str:
    """One line a group, one column a reading: % kept whole [95%], or the median % of tokens
    protected."""
    columns = list(dict.fromkeys(_reading(row) for row in counted))
    cells = {(row["group"], _reading(row)): row for row in counted}
    sizes = {row["group"]: row["trials"] for row in counted}
    lines = [f"| | n | {' | '.join(map(str, columns))} |", "|---" * (len(columns) + 2) + "|"]
    for group, size in sizes.items():
        shown = [_cell(cells[group, column]) for column in columns]
        lines.append(f"| {group} | {size} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _reading(row: dict[str, Any]) -> Reading:
    return Reading(row["method"], row["preset"])


def _cell(row: dict[str, Any]) -> str:
    if "rate" not in row:
        median_share, mean_share = 100 * row["protected_median"], 100 * row["protected_mean"]
        return f"{median_share:.2f}% (mean {mean_share:.2f}%)"
    low, high = (100 * bound for bound in row["ci95"])
    return f"{100 * row['rate']:.0f} [{low:.0f}, {high:.0f}]"
