"""Pieces of the page. Text of records is escaped here, and nowhere later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from markdown_it import MarkdownIt

from ..experiments.comparing import ABOVE, BELOW, INCOMPARABLE, SAME

SIGNS = {SAME: ("same", "="), ABOVE: ("above", "▲"), BELOW: ("below", "▼"),
         INCOMPARABLE: ("none", "○")}  # fmt: skip
"""A verdict's class and sign: never colour alone."""
_CODE = re.compile(r"`([^`]+)`")
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
# A record's text makes tables, lists and code; it makes no link, no image and no markup.
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .disable(["link", "image", "autolink", "html_inline", "html_block", "emphasis", "reference"])
)


def text_html(markdown: str) -> str:
    """Markdown of a record's tables as HTML; wide tables scroll inside their own box."""
    html = _MARKDOWN.render(markdown)
    html = html.replace("<h3>", "<h4>").replace("</h3>", "</h4>")

    def framed(found: re.Match[str]) -> str:
        return scrolling(found.group().replace("<table>", '<table class="cells">', 1))

    return _TABLE.sub(framed, html)


def words_html(text: str) -> str:
    """A line of plain text; names between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def scrolling(table: str, name: str = "table") -> str:
    """A table that scrolls by itself, by keyboard as well."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">{table}</div>'
    )


def table(head: Sequence[str], lines: Iterable[Sequence[str]], kind: str = "stack") -> str:
    """A table of HTML cells; on a phone each line is a block with its heads beside the cells."""
    shown = "".join(f"<th>{escape(title)}</th>" for title in head)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-l="{escape(title)}">{cell}</td>'
            for title, cell in zip(head, line, strict=True)
        )
        + "</tr>\n"
        for line in lines
    )
    return f'<table class="{kind}"><thead><tr>{shown}</tr></thead><tbody>\n{body}</tbody></table>'


def verdict_html(verdict: str) -> str:
    """A verdict's sign with its words."""
    short, _, why = verdict.partition(" (")
    kind, sign = SIGNS.get(short, ("none", "○"))
    reason = escape(why.removesuffix(")"))
    return f'<span class="{kind}" title="{reason}">{sign} {escape(short)}</span>'


def bar(counted: dict[str, int]) -> str:
    """How verdicts share a line, in words and as a bar."""
    if not counted:
        return ""
    words = ", ".join(f"{number} {escape(name)}" for name, number in counted.items())
    parts = "".join(
        f'<i class="{SIGNS[name][0]}" style="flex:{number}"></i>'
        for name, number in counted.items()
    )
    return f'{words}<div class="bar" aria-hidden="true">{parts}</div>'


def command_html(command: str) -> str:
    """A command with room for its button."""
    return f'<div class="run"><pre>{escape(command)}</pre></div>'


def folded(title: str, content: str, kind: str = "") -> str:
    """What is opened on demand."""
    return f'<details class="{kind}"><summary>{escape(title)}</summary>\n{content}\n</details>'
