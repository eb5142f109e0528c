"""Figures of the paper, from ``paper.json``: each with its table, its line, what it is about."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from .experiment import Row

DATA = "paper.json"


@dataclass(frozen=True)
class Figure:
    """A figure of the paper in percent. ``match``: what a row must say to stand beside it.

    ``measure``: ``answers``, ``all`` (every value of a context), or the label of one value.
    ``unstated``: what the paper does not say of the run; ``n`` None where it is not said.
    """

    table: str
    line: int
    name: str
    model: str
    value: float
    match: dict[str, Any]
    measure: str = "answers"
    n: int | None = None
    unstated: str = ""

    def about(self, row: Row) -> bool:
        """Whether the figure stands beside a row."""
        for key, wanted in self.match.items():
            if row["method"] not in wanted if key == "methods" else row[key] != wanted:
                return False
        return True


def figures_for(experiment: str, model: str = "") -> tuple[Figure, ...]:
    """The paper's figures to set beside a run of ``model``.

    Where a table has a column for each of several models, the run's own is taken, or the first.
    """
    found = figures(experiment)
    chosen: dict[str, str] = {}
    for figure in found:
        own = model.lower().startswith(figure.model.lower())
        chosen[figure.table] = figure.model if own else chosen.get(figure.table, figure.model)
    return tuple(figure for figure in found if figure.model == chosen[figure.table])


@cache
def figures(experiment: str) -> tuple[Figure, ...]:
    """The paper's figures of an experiment, in the order of its tables; empty where it has none."""
    data = json.loads(files(__package__).joinpath(DATA).read_text(encoding="utf-8"))
    return tuple(
        figure
        for table in data["tables"]
        if table["experiment"] == experiment
        for row in table["rows"]
        for figure in _row(table, row)
    )


def _row(table: dict[str, Any], row: dict[str, Any]) -> list[Figure]:
    found = []
    for column, value in zip(table["columns"], row["values"], strict=True):
        if value is None:
            continue
        match = {"sponsored": True, **table["where"], **row["where"], **column}
        measure, model = match.pop("measure", "answers"), match.pop("model", table["model"])
        found.append(
            Figure(
                table["table"], row["line"], row["name"], model, value, match,
                measure, table["n"], table.get("unstated", ""),
            )
        )  # fmt: skip
    return found
