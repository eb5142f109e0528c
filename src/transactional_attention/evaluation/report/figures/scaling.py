"""The paper's figure 4: accuracy against the budget."""

from __future__ import annotations

from ...reproduce import Record
from ...reproduce.plan import CONTROLS
from ...reproduce.views import method_name
from .base import Draw, Figure, Records, drawn
from .lines import accuracy, main_rows

CAPTION = (
    "Question hidden, strict ledger; bars are 95% Wilson intervals; the paper has 100% for TA at "
    "every K and needs K of 128 for TOVA and SnapKV."
)


def scaling(records: Records) -> Figure:
    """One panel for the paper's methods, one for controls."""
    panels = (
        drawn(records, "scaling-methods", "Methods", CAPTION, "needle", _methods, height=3.6),
        drawn(records, "scaling-controls", "Controls", "What chance, keywords and the known place "
              "of the value reach at the same budget.", "needle", _controls, height=3.6),
    )  # fmt: skip
    return Figure("scaling", "Figure 4: accuracy by budget", panels)


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
