"""Figures of the paper that no cell of ours stands beside, in words.

Those of its other models, where a table has a column for each of several, and what it says in words
only. They are in the data file like all others.
"""

from __future__ import annotations

from math import isinf

from .jobs import markdown
from .paper import IN_WORDS, OF_CASES, Figure, figures, of_other_models


def stated(experiment: str) -> str:
    """All of the paper's figures of an experiment, as a table; empty where it has none.

    For one without a record: what it would stand beside.
    """
    lines = [
        (f.table, f.line, " or ".join(f.match.get("methods", ())) or f.name, f.of_model,
         f.says_of, with_unit(f), f.unstated)
        for f in figures(experiment)
    ]  # fmt: skip
    head = ("the paper", "line", "of", "model", "cases", "it has", "unstated")
    return (
        f"What the paper has, and no record is beside:\n\n{markdown(head, lines)}" if lines else ""
    )


def with_unit(figure: Figure) -> str:
    """What the paper prints, and of what where that is no share of cases."""
    if figure.unit in (OF_CASES, IN_WORDS) or isinf(figure.value):
        return figure.shown
    return f"{figure.shown}{'' if figure.unit.startswith('%') else ' '}{figure.unit}"


def worded(experiment: str) -> list[Figure]:
    """What the paper says of an experiment in words, not as a figure of a table."""
    return [figure for figure in figures(experiment) if figure.unit == IN_WORDS]


def other_models(experiment: str, model: str = "") -> list[str]:
    """The paper's figures of models that ours are not set beside, in one paragraph if any."""
    found: dict[tuple[str, str], list[str]] = {}
    for figure in of_other_models(experiment, model):
        cases = ", ".join(filter(None, (figure.table, figure.match.get("block", ""))))
        told = f"{figure.name} {figure.shown}"
        found.setdefault((cases, figure.of_model), []).append(told)
    shown = [f"{cases}, {model}: {', '.join(told)}" for (cases, model), told in found.items()]
    return [f"The paper on other models, % ({'; '.join(shown)})."] if shown else []
