"""The report as Markdown, with its figures as files beside it, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from ..experiments import Row
from ..experiments.paper import OF_CASES, Figure, figures, with_unit
from ..experiments.running import markdown as table
from .beside import NO_CELL, Cell, PaperTable
from .content import BEST, Report, Section
from .figures import Redrawn
from .records import cell_names

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
        for beside in section.tables:
            for name, column, cell in _cells(beside):
                told.add(id(cell.figure))
                line = cell.figure.line if cell.figure is not None else ""
                yield (section.name, beside.title, line, name, column, cell.paper,
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


def text(report: Report) -> str:
    """The whole file: summary, ceilings, what passes, what differs, figures, all tables."""
    shown = report.shown
    parts = [
        "# Transactional Attention, measured again",
        "Figures of the paper are the paper's, on its own models; all others are from the records "
        "beside this file. Shares in percent with their 95% Wilson interval.",
        "## Summary",
        table(("experiment", "in the paper", "judgement", "run"), map(_line, report.sections)),
        f"### {BEST}\n\n{report.headline}" if report.headline else "",
        "## Full-cache ceilings",
        _ceilings(shown),
        "## Where `ta` passes the paper",
        _passings(shown),
        "## What did not reproduce",
        _differences(shown),
        "## Figures",
        report.no_figures or "\n\n".join(_figure(figure) for figure in report.figures),
        *(_section(section) for section in report.sections),
        f"## Run it again\n\n```\n{report.rerun('all')}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _line(section: Section) -> tuple[str, ...]:
    said = section.judgement if section.shown else section.problem
    return section.name, section.place, said, section.state


def _ceilings(sections: Sequence[Section]) -> str:
    lines = [
        (s.name, c.cases, c.answered, "" if c.fair else "under 95%: not comparable")
        for s in sections
        for c in s.ceilings
    ]
    return (
        table(("experiment", "cases", "full cache answers, %", "note"), lines) if lines else "None."
    )


def _passings(sections: Sequence[Section]) -> str:
    head = ("experiment", "cell", "the paper, %", "ta answers, %", "ta keeps, %", "ta")
    lines = [
        (s.name, p.cell, p.paper, p.told.answered, p.told.kept, p.told.verdict)
        for s in sections
        for p in s.passings
    ]
    return table(head, lines) if lines else "None."


def _differences(sections: Sequence[Section]) -> str:
    head = ("experiment", "cell", "by", "the paper, %", "ours, %", "ours is")
    lines = [
        (s.name, d.cell, d.by, d.paper, d.ours, d.side) for s in sections for d in s.differences
    ]
    return table(head, lines) if lines else "None."


def _figure(figure: Redrawn) -> str:
    parts = [f"### {figure.title}"]
    for drawn in figure.panels:
        image = f"![{drawn.title}](figures/{drawn.name}.svg)\n\n" if drawn.svg else ""
        said = drawn.caption if drawn.svg else drawn.why
        parts.append(f"{image}{drawn.title}: {said}")
    return "\n\n".join(parts)


def _section(section: Section) -> str:
    head = f"## {section.name}: {section.place}"
    again = f"```\n{section.rerun}\n```"
    if not section.shown:
        parts = (head, section.problem, section.markdown, again)
        return "\n\n".join(part for part in parts if part)
    return "\n\n".join([head, section.markdown, f"{section.origin}.", again])
