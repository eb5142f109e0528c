"""The headline: ``ta`` and TA-Fast beside each baseline's best honest setting, cell by cell.

A baseline has every setting of it that a record holds: question hidden or shown, strict ledger or
on top, its own ends or 4 sinks and the tail. Ours has one: question hidden, strict ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .comparing import COMPARABLE, full_share
from .experiment import Row
from .judging import LEVEL
from .marks import KEPT, RIGHT, count
from .paired import paired
from .plan import CONTROLS
from .views import count_of, is_main, method_name

OURS = (("ta", "default"), ("ta-fast-semantic", "paper"), ("ta-fast-regex", "paper"))
AHEAD, ALIKE, BEHIND = "ahead", "not told apart", "behind"


class Line(NamedTuple):
    """A baseline's best cell beside ours, by answers or by whole values kept."""

    best: Row
    settings: int
    by: str
    ours: dict[str, tuple[Row, str]]


def against_best(rows: Sequence[Row]) -> list[Line]:
    """One for each baseline, kind of cases and K where ``ta`` or TA-Fast stands, too."""
    main: dict[tuple[str, int, bool], list[Row]] = {}
    for row in rows:
        if is_main(row) and row["sponsored"] and (row["method"], row["preset"]) in OURS:
            main.setdefault(_place(row), []).append(row)
    found: list[Line] = []
    for place, own in main.items():
        full = full_share(own[0], rows, "answers")
        by = RIGHT if full is not None and full >= COMPARABLE else KEPT
        baselines: dict[str, list[Row]] = {}
        for row in rows:
            if _place(row) == place and is_baseline(row["method"]):
                baselines.setdefault(row["method"], []).append(row)
        for cells in baselines.values():
            best = max(cells, key=lambda row: successes(row, by) / count_of(row).trials)
            ours = {method_name(row): (row, _beside(row, best, by)) for row in own}
            found.append(Line(best, len(cells), by, ours))
    return found


def is_baseline(method: str) -> bool:
    """Whether a method is neither of this project or the paper, nor a control."""
    other = method == "full" or method in CONTROLS
    return not other and method.replace("+", "-").partition("-")[0] != "ta"


def _place(row: Row) -> tuple[str, int, bool]:
    return row["block"], row["budget"], row["answered"]


def _beside(row: Row, best: Row, by: str) -> str:
    ours, theirs = ("".join(one["marks"].values()) for one in (row, best))
    found = paired(ours, theirs, by)
    if found.p >= LEVEL:
        return ALIKE
    return AHEAD if found.gained > found.lost else BEHIND


def successes(row: Row, by: str) -> int:
    """Marks of a row that are one of ``by``."""
    return count("".join(row["marks"].values()), by)


def setting_name(row: Row) -> str:
    """Protocol, ledger and ends of a baseline in words."""
    ledger = "on top" if row["ledger"] == "on-top" else "strict"
    ends = ", 4 sinks and the tail" if row.get("tail") else ""
    return f"question {row['protocol']}, {ledger}{ends}"
