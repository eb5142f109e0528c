"""Marks of questions, from which every count of a record is derived.

A row of a block keeps one mark a question, in the order of the contexts. ``b`` kept whole and
answered, ``k`` kept whole only, ``a`` answered only, ``-`` neither. An answer that is not exact:
``w`` (not kept: ``v``) in its usual wrapping, ``c`` (``d``) only contained."""

from __future__ import annotations

from collections.abc import Iterable

from ..cases.metrics import Verdict, wilson
from ..cases.runner import Outcome
from ..cases.sweep import counts
from .experiment import Row

KEPT, LOST = "bwck", "avd-"  # exact, wrapped, contained, neither
RIGHT, WRAPPED, CONTAINED = "ba", "bawv", "bawvcd"


def mark(outcome: Outcome) -> str:
    """The mark of a question: by the best that its answer is."""
    verdicts = [*(getattr(outcome, name) for name in Verdict._fields), True]
    return (KEPT if outcome.retained else LOST)[verdicts.index(True)]


def count(marks: str, kind: str) -> int:
    """How many marks are one of ``kind``."""
    return sum(letter in kind for letter in marks)


def counted(marks: dict[str, str], answered: bool) -> Row:
    """Counts of a cell from its marks by label; ``all_*``: contexts in which every label is.

    Without answers nothing is said about them."""
    together = "".join(marks.values())
    trials, retained = len(together), count(together, KEPT)
    row: Row = {"retained_ci95": list(wilson(retained, trials))}
    contexts = list(zip(*marks.values(), strict=True)) if len(marks) > 1 else []
    if contexts:
        row["all_retained"] = sum(all(m in KEPT for m in context) for context in contexts)
    if contexts and answered:
        row["all_correct"] = sum(all(m in RIGHT for m in context) for context in contexts)
    if not answered:
        return {"trials": trials, "retained": retained, **row}
    correct = count(together, RIGHT)
    return {
        **counts(trials=trials, correct=correct, retained=retained),
        "wrapped": count(together, WRAPPED),
        "contains": count(together, CONTAINED),
        **row,
        "correct_of_retained": count(together, "b"),
    }


def origins(rows: Iterable[Row]) -> Row:
    """``commits`` and ``dirty`` of what is made of several rows: cells, or single measurements."""
    several = list(rows)
    named = (row.get("commits", [row["commit"]] if "commit" in row else []) for row in several)
    commits = dict.fromkeys(commit for commit_hashes in named for commit in commit_hashes)
    return {"commits": list(commits), "dirty": any(row.get("dirty", False) for row in several)}
