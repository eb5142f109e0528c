"""Which commits a row comes from, and whether the code of any of them was modified."""

from __future__ import annotations

from collections.abc import Iterable

from .experiment import Row


def origins(rows: Iterable[Row]) -> Row:
    """``commits`` and ``dirty`` of what is made of several rows: cells, or single measurements."""
    several = list(rows)
    named = (row.get("commits", [row["commit"]] if "commit" in row else []) for row in several)
    commits = dict.fromkeys(commit for own in named for commit in own)
    return {"commits": list(commits), "dirty": any(row.get("dirty", False) for row in several)}


def traced(row: Row, origin: Row) -> Row:
    """The row with the commit of this run beside those of earlier ones; dirty if any run was."""
    return {**row, **origins([row, origin])}
