"""Figures of the paper that no cell of ours stands beside, in words.

Those of its other models, where a table has a column for each of several, and what it says in words
only. They are in the data file like all others.
"""

from __future__ import annotations

from .paper import IN_WORDS, Figure, figures, of_other_models


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
