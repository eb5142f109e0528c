"""The report in its formats: one self-contained page, Markdown with figures beside it.

Text of records is escaped in the page's template (``report.html``), and nowhere else."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from ..experiments.verdicts import ABOVE, BELOW, INCOMPARABLE, SAME
from ..templates import filled
from .content import BEST, Report
from .drawing import inline
from .records import command

SIGNS = {SAME: ("same", "="), ABOVE: ("above", "▲"), BELOW: ("below", "▼"),
         INCOMPARABLE: ("none", "○")}  # fmt: skip
"""A verdict's class and sign: never colour alone."""
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
        unfair=sum(not one.fair for section in report.shown for one in section.ceilings),
        again=command("report", None, report.out),
    )


def text(report: Report) -> str:
    """All of it as Markdown: summary, ceilings, what differs, figures, all tables."""
    return _filled("report/report.md", report)


def _filled(name: str, report: Report, **values: Any) -> str:
    """``pairs(what)``: every ceiling or difference behind the name of its section."""

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
