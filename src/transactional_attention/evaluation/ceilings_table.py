"""Markdown of a ceilings record: ``python -m transactional_attention.evaluation.ceilings_table``.

No model is loaded; the targets are those of ``ceilings.PLAN``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from .ceilings import Row, target_of


def ceilings_table(record: dict[str, Any]) -> str:
    """A line a cell: exact answers in % with their 95% interval, target, met or short."""
    lines = ["| task | tokens | held | exact | target | |", "|---" * 6 + "|"]
    for row in record["rows"]:
        low, high = (100 * bound for bound in row["ci95"])
        share = f"{row['correct']}/{row['trials']} = {100 * row['accuracy']:.0f} "
        target = target_of(row, record["rows"])
        words, met = ("-", "-") if target is None else (target[0], _verdict(target[1]))
        cells = (_task(row), f"{row['tokens']:,}", _held(row))
        exact = f"{share}[{low:.0f}, {high:.0f}]"
        lines.append("| " + " | ".join((*cells, exact, words, met)) + " |")
    return "\n".join(lines)


def _verdict(met: bool) -> str:
    return "met" if met else "short"


def _task(row: Row) -> str:
    return f"{row['task']} {row['variant']}".strip()


def _held(row: Row) -> str:
    if row["budget"] is None:
        return "full cache"
    return f"{row['method']}, K={row['budget']}, {row['ledger']}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(ceilings_table(json.loads(Path(name).read_text())))
