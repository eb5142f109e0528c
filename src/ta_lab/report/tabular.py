"""CSV of a report: every record's rows, and ours beside every figure of the paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..experiments import Row
from ..experiments.paper import OF_CASES, Figure, figures
from ..experiments.paper_alone import with_unit
from .beside import NO_CELL, Cell, PaperTable
from .commands import cell_names
from .content import Report, Section

PAPER = "paper"
BESIDE = ("experiment", "table", "line", "method", "column", "paper", "answered", "kept",
          "verdict", "note")  # fmt: skip


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
    """Every cell of the paper's tables, then every figure of the paper that is in none of them."""
    for section in report.sections:
        told = set()
        for table in section.tables:
            for name, column, cell in _cells(table):
                told.add(id(cell.figure))
                line = cell.figure.line if cell.figure is not None else ""
                yield (section.name, table.title, line, name, column, cell.paper,
                       cell.answered, cell.kept, cell.verdict, cell.note)  # fmt: skip
        for figure in figures(section.name):
            if id(figure) not in told:
                yield _alone(section, figure)


def _cells(table: PaperTable) -> Iterable[tuple[str, str, Cell]]:
    for name, cells in table.lines:
        for column, cell in zip(table.columns, cells, strict=True):
            if cell is not None:
                yield name, column, cell


def _alone(section: Section, figure: Figure) -> Sequence[Any]:
    """A figure without a cell: what it is of, and where else ours may stand."""
    sponsored = "" if figure.match["sponsored"] else ", without sponsorship"
    name = " or ".join(figure.match.get("methods", ())) or figure.name
    model = "" if figure.of_model in ("unstated", "none") else figure.of_model
    column = ", ".join(filter(None, (model, figure.says_of)))
    if not section.shown:
        note = f"{NO_CELL}: {section.state}"
    elif figure.unit == OF_CASES and section.tables:
        note = NO_CELL
    else:
        note = f"{NO_CELL}: measured otherwise, see csv/{section.name}.csv"
    return (section.name, figure.table, figure.line, name + sponsored, column, with_unit(figure),
            "", "", "", note)  # fmt: skip


def _written(lines: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()
