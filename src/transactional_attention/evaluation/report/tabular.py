"""CSV of a report: every record's rows, and ours beside every figure of the paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..reproduce import Row
from .commands import cell_names
from .content import Report

PAPER = "paper"
BESIDE = ("experiment", "table", "method", "column", "paper", "answered", "kept", "verdict")


def csv_files(report: Report) -> dict[str, str]:
    """Name without its ending, and text, of every file."""
    found = {name: records_csv(record["rows"]) for name, record in report.records.items()}
    return {**found, PAPER: _written([BESIDE, *_beside(report)])}


def records_csv(rows: Sequence[Row]) -> str:
    """One line a row, the name of its cell first; lists and objects as JSON."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [
        [name, *(_plain(row.get(column)) for column in columns)]
        for name, row in zip(cell_names(rows), rows, strict=True)
    ]
    return _written([["cell", *columns], *lines])


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _beside(report: Report) -> Iterable[Sequence[Any]]:
    for section in report.shown:
        for table in section.tables:
            for name, cells in table.lines:
                for column, cell in zip(table.columns, cells, strict=True):
                    if cell is not None:
                        yield (section.name, table.title, name, column, cell.paper, cell.answered,
                               cell.kept, cell.verdict)  # fmt: skip


def _written(lines: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()
