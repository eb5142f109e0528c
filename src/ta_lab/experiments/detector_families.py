"""Precision, recall and F1 of a detector by family of announcements, and of the transfer."""

from __future__ import annotations

from collections.abc import Sequence

from .experiment import Row
from .jobs import markdown
from .paper import figures
from .rendering import NONE, share

HEAD = ("family", "found", "recall, %", "others taken", "precision, %", "F1")
NOTE = (
    "### By family\n\n"
    "Found: announcements whose value begins where an anchor's does. Others taken: words of the "
    "same lines that are no announced value and are taken for one; in the last row words of plain "
    "text, as in the paper. Of learned and learnrank tokens are counted: the last one of each "
    "announcement, two beside it, those of plain text. Shares in percent [95% Wilson interval]."
)


def f1(right: int, of: int, false: int) -> float:
    """F1 of so many found of so many, and so many taken that are none."""
    return 2 * right / max(of + right + false, 1)


def by_family(rows: Sequence[Row]) -> str:
    """A table a detector; empty where no row counts what it takes beside the announcements."""
    told = [f"#### {row['detector']}\n\n{_table(row)}" for row in rows if "taken" in row]
    return "\n\n".join([NOTE, *told]) if told else ""


def _table(row: Row) -> str:
    lines = [_line(family, *row["found"][family], *row["taken"][family]) for family in row["found"]]
    right, of = (sum(pair[i] for pair in row["found"].values()) for i in range(2))
    lines.append(_line("all, beside plain text", right, of, row["false"], row["non_anchors"]))
    return markdown(HEAD, lines)


def _line(name: str, right: int, of: int, false: int, others: int) -> list[str]:
    precision = share(right, right + false) if right + false else NONE
    recall = share(right, of) if of else NONE
    return [name, f"{right} of {of}", recall, f"{false} of {others:,}", precision,
            f"{f1(right, of, false):.3f}"]  # fmt: skip


def transfer(rows: Sequence[Row], own: Row | None) -> str:
    """The learned detector on the states of the model that it was trained on, and of another.

    ``own``: the row of the model at hand with its own weights; empty without any transfer.
    """
    if not rows:
        return ""
    head = ("trained on", "reads", "recall, %", "precision, %", "F1", "plain text taken")
    model = rows[0]["from"]
    ways = [*([own | {"from": model, "to": model}] if own is not None else []), *rows]
    lines = [[row["from"], row["to"], *_counts(row)] for row in ways]
    for figure in figures("detector", "transfer"):
        shown = [f"{figure.shown} ({figure.unstated} unstated)", *[NONE] * 3]
        lines.append([f"the paper: {figure.model}", figure.match["to"], *shown])
    refusals = dict.fromkeys(row["refusal"] for row in rows if "refusal" in row)
    told = [f"The library itself refuses that: {refusal}." for refusal in refusals]
    title = (
        "### Transfer\n\nThe learned detector on all announcements and plain text, with hidden "
        "states of the model that it was trained on, and of another one without retraining:"
    )
    return "\n\n".join([title, markdown(head, lines), *told])


def _counts(row: Row) -> list[str]:
    if "not_available" in row:
        return [row["not_available"], NONE, NONE, NONE]
    right, of = (sum(pair[i] for pair in row["found"].values()) for i in range(2))
    false = row["false"]
    precision = share(right, right + false) if right + false else NONE
    return [share(right, of), precision, f"{f1(right, of, false):.3f}",
            f"{false} of {row['non_anchors']:,}"]  # fmt: skip
