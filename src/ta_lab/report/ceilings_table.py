"""Markdown of a ceilings record: ``python -m ta_lab.report.ceilings_table``.

No model is loaded; the targets are those of ``ceilings.PLAN``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..experiments.ceilings import Row, target_of
from .needle_columns import looser
from .shortfalls import HEADS, shortfall_of

VERDICTS = {True: "met", False: "short"}


def ceilings_table(record: dict[str, Any], *, causes: bool = False) -> str:
    """A line a cell: exact answers in % with their 95% interval, target, met or short.

    ``causes``: beside each short cell why, what was tried and what comes next; these are known of
    the embedded model alone.
    """
    heads = ("task", "tokens", "held", "exact", "target", "", *(HEADS if causes else ()))
    lines = [_line(heads), "|---" * len(heads) + "|"]
    for row in record["rows"]:
        low, high = (100 * bound for bound in row["ci95"])
        share = f"{row['correct']}/{row['trials']} = {100 * row['accuracy']:.0f} "
        share += f"[{low:.0f}, {high:.0f}]{looser(row)}"
        target = target_of(row, record["rows"])
        words, met = ("-", "-") if target is None else (target[0], VERDICTS[target[1]])
        cells = (_task(row), f"{row['tokens']:,}", _held(row))
        told = _told(row, met) if causes else ()
        lines.append(_line((*cells, share, words, met, *told)))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells)


def _told(row: Row, met: str) -> tuple[str, ...]:
    """Cells under ``HEADS``: empty where nothing is short."""
    found = shortfall_of(row) if met == VERDICTS[False] else None
    return found.cells() if found else ("",) * len(HEADS)


def _task(row: Row) -> str:
    return f"{row['task']} {row['variant']}".strip()


def _held(row: Row) -> str:
    if row["budget"] is None:
        return "full cache"
    return f"{row['method']}, K={row['budget']}, {row['ledger']}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(ceilings_table(json.loads(Path(name).read_text())))
