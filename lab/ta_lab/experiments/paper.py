"""Figures of the paper, from ``paper.json``: each with its table, its line, what it is about.

No figure of the paper stands in code: ``figures(experiment, measure)`` gives them, ``figure`` the
only one of a measure, and each says in ``shown`` what the paper prints."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from .experiment import Row

OF_CASES, KEPT_CASES, IN_WORDS = "%", "% kept", "in words"
IN_ROW = "in the row"  # a table whose rows are of different models, each named by its row
_NUMBER = re.compile(r"[0-9.]+")


@dataclass(frozen=True)
class Figure:
    """A figure of the paper. ``match``: what a row must say to stand beside it.

    ``measure``: ``answers``, ``all`` (every value of a context), the label of one value, or what
    else is measured. ``unit``: percent of cases where it is no other. ``words``: what the paper
    prints where that is no plain number; ``value`` is then its bound, or infinite. ``unstated``:
    what the paper does not say of the run; ``n`` None where it is not said."""

    table: str
    line: int
    name: str
    model: str
    value: float
    match: dict[str, Any] = field(hash=False)
    measure: str = "answers"
    n: int | None = None
    unstated: str = ""
    unit: str = OF_CASES
    words: str = ""

    @property
    def of_model(self) -> str:
        """The paper's model that it is of."""
        return self.name if self.model == IN_ROW else self.model

    @property
    def shown(self) -> str:
        """What the paper prints, without its unit."""
        return self.words or f"{self.value:g}"

    @property
    def with_unit(self) -> str:
        """What the paper prints, and of what where that is no share of cases."""
        plain = self.unit in (OF_CASES, KEPT_CASES, IN_WORDS) or math.isinf(self.value)
        return self.shown if plain else f"{self.shown} {self.unit}"

    @property
    def place(self) -> str:
        """Its table or section, and what the paper leaves out of how its run was made."""
        return f"{self.table}, {self.unstated} unstated" if self.unstated else self.table

    @property
    def says_of(self) -> str:
        """Cases, K and measure, as far as they are named, in words."""
        block, budget = str(self.match.get("block", "")), self.match.get("budget")
        at = "" if budget is None else f"K={budget}"
        measure = "" if self.measure == "answers" else self.measure
        to = f"to {self.match['to']}" if "to" in self.match else ""
        return ", ".join(filter(None, (block, at, measure, to)))

    def about(self, row: Row) -> bool:
        """Whether the figure stands beside a row."""
        for key, wanted in self.match.items():
            if row["method"] not in wanted if key == "methods" else row.get(key) != wanted:
                return False
        return True


def figures_for(experiment: str, model: str = "") -> tuple[Figure, ...]:
    """The paper's shares of cases to set beside a run of ``model``.

    Where a table has a column for each of several models, the run's own is taken, or the first."""
    shares = [one for one in figures(experiment) if one.unit in (OF_CASES, KEPT_CASES)]
    chosen: dict[str, str] = {}
    for figure in shares:
        is_match = model.lower().startswith(figure.model.lower())
        chosen[figure.table] = figure.model if is_match else chosen.get(figure.table, figure.model)
    return tuple(figure for figure in shares if figure.model == chosen[figure.table])


@cache
def data() -> dict[str, Any]:
    """All that is recorded of the paper: ``tables`` of figures, ``variants`` of its Table 5."""
    text = files(__package__).joinpath("paper.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@cache
def figures(experiment: str, measure: str = "") -> tuple[Figure, ...]:
    """The paper's figures of an experiment, in the order of its tables; empty where it has none.

    ``measure``: those of this one alone."""
    all_figures = (
        figure
        for table in data()["tables"]
        if table["experiment"] == experiment
        for row in table["rows"]
        for figure in _row(table, row)
    )
    return tuple(figure for figure in all_figures if measure in ("", figure.measure))


def figure(experiment: str, measure: str, **match: Any) -> Figure:
    """The only figure of a measure, where ``match`` says which: ``method`` one of its methods.
    Raises LookupError when there are several, or none."""
    others = {name: value for name, value in match.items() if name != "method"}
    matches = [one for one in figures(experiment, measure) if others.items() <= one.match.items()]
    if "method" in match:
        matches = [one for one in matches if match["method"] in one.match["methods"]]
    if len(matches) != 1:
        raise LookupError(f"{len(matches)} figures of {experiment}, {measure}, {match}")
    return matches[0]


def _row(table: dict[str, Any], row: dict[str, Any]) -> list[Figure]:
    row_figures = []
    for column, printed in zip(table["columns"], row["values"], strict=True):
        if printed is None:
            continue
        match = {"sponsored": True, **table["where"], **row["where"], **column}
        measure, model = match.pop("measure", "answers"), match.pop("model", table["model"])
        unit = match.pop("unit", table.get("unit", OF_CASES))
        value, words = _value(printed)
        about = table["table"], row["line"], row["name"], model, value, match, measure
        row_figures.append(Figure(*about, table["n"], table.get("unstated", ""), unit, words))
    return row_figures


def _value(printed: float | str) -> tuple[float, str]:
    """A number and no words; words with the number in them, infinite where there is none."""
    if not isinstance(printed, str):
        return printed, ""
    number = _NUMBER.search(printed)
    return (float(number.group()) if number else math.inf), printed
