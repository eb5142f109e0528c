"""The paper's figure 4: accuracy against the budget."""

from __future__ import annotations

from ...experiments import Record
from ...experiments.paper import figures_for
from ...experiments.plan import CONTROLS
from ...experiments.views import method_name
from .base import Draw, Figure, Records, drawn
from .lines import accuracy, main_rows


def scaling(records: Records) -> Figure:
    """One panel for the paper's methods, one for controls."""
    panels = (
        drawn(records, "scaling-methods", "Methods", caption(), "needle", _methods, height=3.6),
        drawn(records, "scaling-controls", "Controls", "What chance, keywords and the known place "
              "of the value reach at the same budget.", "needle", _controls, height=3.6),
    )  # fmt: skip
    return Figure("scaling", "Figure 4: accuracy by budget", panels)


def caption() -> str:
    """What is drawn, and the paper's figures: TA's range, and where its baselines recover."""
    known: dict[str, list[tuple[int, float]]] = {}
    for figure in figures_for("needle"):
        if figure.match["sponsored"]:
            known.setdefault(figure.name, []).append((figure.match["budget"], figure.value))
    own = sorted({value for _, value in known.pop("TA")})
    recover: dict[int, list[str]] = {}
    for name, values in known.items():
        whole = [budget for budget, value in values if value == own[-1]]
        if whole:
            recover.setdefault(min(whole), []).append(name)
    told = "; ".join(f"{' and '.join(names)} from K={k}" for k, names in recover.items())
    return (
        "Question hidden, strict ledger; bars are 95% Wilson intervals; the paper has "
        f"{' to '.join(f'{value:g}%' for value in own)} for TA at every K, and so have {told}."
    )


def _methods(record: Record) -> Draw:
    rows = main_rows(record, "needle")
    names = dict.fromkeys(
        method_name(row)
        for row in rows
        if row["method"] not in ("full", *CONTROLS) and row["sponsored"] and not row["allow"]
    )
    printed = [name for name in names if f"{name}, as printed" not in names]
    return accuracy(rows, sorted(printed, key=lambda name: name != "ta"))


def _controls(record: Record) -> Draw:
    rows = main_rows(record, "needle")
    return accuracy(rows, ["ta", *CONTROLS])
