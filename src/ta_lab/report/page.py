"""The report in its formats: one self-contained page, Markdown with figures beside it, CSV.

Text of records is escaped in the page's template (``report.html``), and nowhere else."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from ..experiments import Row
from ..experiments.beyond import counts
from ..experiments.comparing import ABOVE, BELOW, INCOMPARABLE, SAME
from ..experiments.paper import OF_CASES, Figure, figures, with_unit
from ..templates import filled
from .beside import NO_CELL
from .content import BEST, Report, Section
from .figures import inline
from .records import cell_names, command

SIGNS = {SAME: ("same", "="), ABOVE: ("above", "▲"), BELOW: ("below", "▼"),
         INCOMPARABLE: ("none", "○")}  # fmt: skip
"""A verdict's class and sign: never colour alone."""
PAPER = "paper"
BESIDE = ("experiment", "table", "line", "method", "column", "paper", "answered", "kept",
          "verdict", "note")  # fmt: skip
_CODE = re.compile(r"`([^`]+)`")
_TABLE = re.compile(r"<table>(.*?</table>)", re.DOTALL)
_SCROLLING = (
    r'<div class="scroll" tabindex="0" role="region" aria-label="table"><table class="cells">'
    r"\1</div>"
)
# A record's text makes tables, lists and code; it makes no link, no image and no markup.
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .disable(["link", "image", "autolink", "html_inline", "html_block", "emphasis", "reference"])
)


def page(report: Report) -> str:
    """The whole page."""
    return _filled(
        "report/report.html",
        report,
        signs=SIGNS,
        sign=lambda short: SIGNS.get(short, ("none", "○")),
        words=words_html,
        text=text_html,
        inline=lambda drawn: Markup(inline(drawn.svg, escape(drawn.title))),
        passed=counts(item.told for section in report.shown for item in section.passings),
        unfair=sum(not one.fair for section in report.shown for one in section.ceilings),
        again=command("report", None, report.out),
    )


def text(report: Report) -> str:
    """All of it as Markdown: summary, ceilings, what passes, what differs, figures, all tables."""
    return _filled("report/report.md", report)


def _filled(name: str, report: Report, **values: Any) -> str:
    """``pairs(what)``: every ceiling, passing or difference behind the name of its section."""

    def pairs(what: str) -> list[tuple[str, Any]]:
        return [(section.name, one) for section in report.shown for one in getattr(section, what)]

    return filled(name, report=report, pairs=pairs, best=BEST, **values)


def text_html(markdown: str) -> Markup:
    """Markdown of a record's tables as HTML; wide tables scroll inside their own box."""
    html = _MARKDOWN.render(markdown).replace("<h3>", "<h4>").replace("</h3>", "</h4>")
    return Markup(_TABLE.sub(_SCROLLING, html))


def words_html(line: str) -> Markup:
    """A line of plain text; names between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", escape(line)))


def csv_files(report: Report) -> dict[str, str]:
    """Name without its ending, and text, of every file."""
    found = {name: records_csv(record["rows"]) for name, record in report.records.items()}
    return {**found, PAPER: _csv([BESIDE, *_beside(report)])}


def records_csv(rows: Sequence[Row]) -> str:
    """One line a row, the name of its cell first; lists and objects as JSON."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [
        [name, *(_plain(row.get(column)) for column in columns)]
        for name, row in zip(cell_names(rows), rows, strict=True)
    ]
    return _csv([["cell", *columns], *lines])


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _beside(report: Report) -> Iterable[Sequence[Any]]:
    """Every cell of the paper's tables, then every figure of the paper that is in none of them."""
    for section in report.sections:
        told = set()
        for beside in section.tables:
            for name, cells in beside.lines:
                for column, cell in zip(beside.columns, cells, strict=True):
                    if cell is not None:
                        told.add(id(cell.figure))
                        line = cell.figure.line if cell.figure is not None else ""
                        yield (section.name, beside.title, line, name, column, cell.paper,
                               cell.answered, cell.kept, cell.verdict, cell.note)  # fmt: skip
        for figure in figures(section.name):
            if id(figure) not in told:
                yield _alone(section, figure)


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


def _csv(lines: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(lines)
    return out.getvalue()
