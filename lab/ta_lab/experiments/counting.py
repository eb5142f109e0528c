"""What rows say: counts by measure, sums of blocks, names in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .experiment import Row
from .plan import ARM, CONTROLS, OPTIONAL, cell_of
from .running import CONTAINED, KEPT, RIGHT, WRAPPED, count, counted, origins


class Count(NamedTuple):
    """So many of so many; ``right`` None where nothing was asked. ``wrapped`` and ``contained``:
    None where they are not counted."""

    trials: int
    kept: int
    right: int | None = None
    both: int = 0
    wrapped: int | None = None
    contained: int | None = None


def measures(row: Row) -> tuple[str, ...]:
    """What a row counts: all its questions, or every value at once and each label."""
    return ("all", *sorted(row["marks"])) if len(row["marks"]) > 1 else ("answers",)


def count_of(row: Row, measure: str = "answers") -> Count:
    """Counts of one measure of a row."""
    answered = row["answered"]
    if measure == "all":
        right = row["all_correct"] if answered else None
        return Count(row["contexts"], row["all_retained"], right)
    marks = row["marks"][measure] if measure != "answers" else "".join(row["marks"].values())
    kept, both = count(marks, KEPT), count(marks, "b")
    if not answered:
        return Count(len(marks), kept, None, both)
    right, wrapped, contained = (count(marks, kind) for kind in (RIGHT, WRAPPED, CONTAINED))
    return Count(len(marks), kept, right, both, wrapped, contained)


def with_sums(rows: Sequence[Row]) -> list[Row]:
    """The rows, and the sum over the blocks of every group, arm by arm.

    A sum stands for its whole group: an arm that some block of it lacks has none."""
    usable = [row for row in rows if "refused" not in row]
    sizes: dict[str, set[str]] = {}
    parts: dict[tuple[object, ...], list[Row]] = {}
    for row in usable:
        for group in row["groups"]:
            sizes.setdefault(group, set()).add(row["block"])
            key = cell_of({**row, "block": group})
            parts.setdefault(key, []).append(row)
    sums = [_sum(str(k[0]), own) for k, own in parts.items() if len(own) == len(sizes[str(k[0])])]
    return [*usable, *sums]


def _sum(group: str, rows: Sequence[Row]) -> Row:
    marks = {"": "".join("".join(row["marks"].values()) for row in rows)}
    return {
        **rows[0],
        "block": group,
        "groups": [],
        "marks": marks,
        **counted(marks, rows[0]["answered"]),
        "contexts": sum(row["contexts"] for row in rows),
        **origins(rows),
    }


def method_name(row: Row) -> str:
    """The method of a row with what sets it apart."""
    apart = (
        ("as printed", row["preset"] == "paper"),
        ("without sponsorship", not row["sponsored"]),
        ("allowlist", row["allow"]),
        ("on top", row["ledger"] == "on-top"),
        ("4 sinks and the tail", row.get("tail")),
        ("saving masked, not physical", row.get("saving") == "masked"),
    )
    return ", ".join([row["method"], *(name for name, holds in apart if holds)])


def is_main(row: Row) -> bool:
    """Whether a cell is of the main claim: question hidden, strict ledger, nothing beside."""
    beside = any(row.get(name) for name in OPTIONAL)
    return (row["protocol"], row["ledger"]) == ("hidden", "strict") and not beside


def block_name(row: Row) -> str:
    """The cases of a row in words; one of a thing is no plural."""
    name = row["block"].removesuffix("s") if row["block"].startswith("1 ") else row["block"]
    return name + (", question visible" if row["protocol"] == "visible" else "")


def same_arm(row: Row, other: Row, *, but: str) -> bool:
    """Whether two rows differ in nothing that names a cell, ``but`` excepted."""
    names = {"block", "protocol", "answered", *ARM} - {but}
    return all(row.get(name) == other.get(name) for name in names.union(OPTIONAL))


def is_baseline(method: str) -> bool:
    """Whether a method is neither of this project or the paper, nor a control."""
    other = method == "full" or method in CONTROLS
    return not other and method.replace("+", "-").partition("-")[0] != "ta"


def successes(row: Row, by: str) -> int:
    """Marks of a row that are one of ``by``."""
    return count("".join(row["marks"].values()), by)


def setting_name(row: Row) -> str:
    """Protocol, ledger and ends of a baseline in words."""
    ledger = "on top" if row["ledger"] == "on-top" else "strict"
    ends = ", 4 sinks and the tail" if row.get("tail") else ""
    return f"question {row['protocol']}, {ledger}{ends}"
