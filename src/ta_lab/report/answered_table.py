"""The table of the experiment ``answered``: what is held beside a value, by form and budget."""

from __future__ import annotations

from typing import Any

from ..cases.metrics import wilson
from ..experiments.answered import FORMS

Row = dict[str, Any]
POOLED = "pooled"
TITLES = {"full": "full cache", "oracle": "oracle (told where)"}


def answered_table(record: Row, part: str = "") -> str:
    """Exact answers of all questions [95% interval], and how many more contain the value.

    A line for each form of statement and what is held, a column a budget; ``part`` ``POOLED``: the
    forms of one value in the longer context together.
    """
    rows = [row for row in record["rows"] if row.get("trials")]
    budgets = sorted({row["budget"] for row in rows if row["budget"]})
    if part == POOLED:
        rows = [{**row, "block": ""} for row in pooled(record)]
        budgets = sorted({row["budget"] for row in rows})
    lines = [["form", "held", *(f"K={budget}" for budget in budgets)]]
    for form, held in dict.fromkeys(map(_line, rows)):
        own = {row["budget"]: row for row in rows if _line(row) == (form, held)}
        shown = [own.get(budget) or own.get(None) for budget in budgets]
        lines.append([form, held, *("" if row is None else _cell(row) for row in shown)])
    if part == POOLED:
        lines = [line[1:] for line in lines]
    first, *others = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join([first, "|---" * len(lines[0]) + "|", *others])


def answered_caption(record: Row) -> str:
    """Where a record comes from, in one line."""
    origin = record["provenance"]
    commits = sorted({commit[:7] for row in record["rows"] for commit in row["commits"]})
    return (
        f"{origin['model']} in {origin.get('dtype') or 'float32'}, question hidden, chat format, "
        f"on-top ledger, {origin['arguments']['filler']} filler, seed "
        f"{origin['seed']}, commit {', '.join(commits)}, transformers "
        f"{origin['versions']['transformers']}"
    )


def pooled(record: Row) -> list[Row]:
    """Exact answers over the forms of one value in the longer context, by what is held and budget;
    the full cache at every budget."""
    rows = [row for row in record["rows"] if row.get("trials") and _line(row)[0] in FORMS]
    budgets = sorted({row["budget"] for row in rows if row["budget"]})
    counts: dict[tuple[str, int], list[int]] = {}  # right, containing, asked
    for row in rows:
        name = row["block"].partition(": ")[2] or row["method"]
        for budget in budgets if row["budget"] is None else (row["budget"],):
            found = counts.setdefault((name, budget), [0, 0, 0])
            for place, count in enumerate(("correct", "contains", "trials")):
                found[place] += row[count]
    return [
        {
            "method": name,
            "budget": budget,
            "correct": right,
            "contains": loose,
            "trials": asked,
            "accuracy": right / asked,
            "ci95": wilson(right, asked),
        }
        for (name, budget), (right, loose, asked) in counts.items()
    ]


def _line(row: Row) -> tuple[str, str]:
    form, _, title = row["block"].partition(": ")
    name = TITLES.get(row["method"], row["method"] if not form else f"`{row['method']}`")
    return form, f"{name}, {title}" if title else name


def _cell(row: Row) -> str:
    right, trials = row["correct"], row["trials"]
    low, high = (100 * bound for bound in wilson(right, trials))
    loose = "" if row["contains"] == right else f", {row['contains']} contain it"
    return f"{right} of {trials} [{low:.0f}, {high:.0f}]{loose}"
