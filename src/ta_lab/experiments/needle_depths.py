"""``needle`` in Markdown: the main table, and what depth of the value makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from .ceilings import DEPTHS
from .experiment import Record, Row
from .jobs import markdown
from .marks import KEPT, RIGHT, count
from .rendering import render, share
from .views import is_main, method_name

BUDGET = 16


def render_with_depths(record: Record) -> str:
    """The common tables, and before the judgement one by depth."""
    told, rows = render(record), [row for row in record["rows"] if _shown(row)]
    if not rows:
        return told
    tables, _, judgement = told.rpartition("\n\n")
    return f"{tables}\n\n{by_depth(rows)}\n\n{judgement}"


def _shown(row: Row) -> bool:
    return bool(row["answered"] and row["budget"] == BUDGET and is_main(row) and row.get("trials"))


def by_depth(rows: Sequence[Row]) -> str:
    """Kept whole and answered by method and depth; trials go through the depths in turn."""
    lines = []
    for row in rows:
        marks = "".join(row["marks"].values())
        at = [marks[i :: len(DEPTHS)] for i in range(len(DEPTHS))]
        lines.append([method_name(row), *(_cell(marks) for marks in at)])
    head = ("method", *(f"depth {depth:g}" for depth in DEPTHS))
    title = f"Kept whole / answered by depth of the value, %, K={BUDGET}"
    return f"### {title}\n\n{markdown(head, lines)}"


def _cell(marks: str) -> str:
    if not marks:
        return "–"
    return " / ".join(share(count(marks, kind), len(marks)) for kind in (KEPT, RIGHT))
