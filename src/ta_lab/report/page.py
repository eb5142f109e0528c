"""The report as one self-contained page: summary, figures, tables, what differs, how to rerun.

Text of records is escaped here, and nowhere later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from markdown_it import MarkdownIt

from ..experiments.beyond import counts
from ..experiments.comparing import ABOVE, BELOW, INCOMPARABLE, SAME
from .beside import Cell, PaperTable
from .content import BEST, Report, Section
from .figures import Drawn, Redrawn, inline
from .markdown import PAPER
from .records import NOT_RUN, command

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


MANY = 40  # cells of an experiment after which its tables are folded


def page(report: Report) -> str:
    """The whole file."""
    main = [
        _summary(report),
        _ceilings(report.shown),
        _passings(report.shown),
        _differences(report.shown),
        _figures(report),
        *(_section(section) for section in report.sections),
        _rerun(report),
    ]
    parts = {
        "/*STYLE*/": _file("report.css"),
        "/*SCRIPT*/": _file("report.js"),
        "<!--NAV-->": _nav(report),
        "<!--MAIN-->": "\n".join(main),
    }
    html = _file("report.html")
    for mark, content in parts.items():
        html = html.replace(mark, content, 1)
    return html


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _nav(report: Report) -> str:
    places = ("summary", "ceilings", "passes", "differs", "figures")
    links = [f'<a href="#{place}">{place}</a>' for place in places]
    for section in report.sections:
        kind = "" if section.shown else ' class="off"'
        links.append(f'<a href="#{escape(section.name)}"{kind}>{escape(section.name)}</a>')
    return "\n".join([*links, '<a href="#rerun">rerun</a>'])


def _summary(report: Report) -> str:
    head = ("experiment", "in the paper", "judgement", "figures of the paper", "run")
    lines = [
        (
            f'<a href="#{escape(s.name)}">{escape(s.name)}</a>',
            escape(s.place),
            words_html(s.judgement if s.shown else s.problem),
            bar(s.verdicts),
            escape(s.state),
        )
        for s in report.sections
        if s.state != NOT_RUN
    ]
    run, total = len(report.shown), len(report.sections)
    quick = any(s.state == "quick" for s in report.shown)
    notes = ["Some runs are quick ones: few trials, and nothing is judged by them."] * quick
    notes.append(f"{run} of {total} experiments have a record.")
    key = " ".join(
        f'<b class="{kind}">{sign} {escape(name)}</b>' for name, (kind, sign) in SIGNS.items()
    )
    return (
        '<section id="summary"><h2>Summary</h2>'
        f"<p>{escape(' '.join(notes))}</p>{table(head, lines, 'stack lines')}"
        f'{_absent(report)}<p class="key">{key}<br>As in the paper: its figure lies in our 95% '
        "interval. Not comparable: the full cache answers under 95% of the same cases here, or the "
        f"paper leaves out what its run was.</p>{_headline(report)}</section>"
    )


def _headline(report: Report) -> str:
    if not report.headline:
        return ""
    return f'<h3 id="headline">{escape(BEST)}</h3>{text_html(report.headline)}'


def _absent(report: Report) -> str:
    """Experiments without a record, in one line: a table of them would bury the others."""
    links = [
        f'<a href="#{escape(s.name)}">{escape(s.name)}</a>'
        for s in report.sections
        if s.state == NOT_RUN
    ]
    return f'<p class="absent">No record yet: {", ".join(links)}.</p>' if links else ""


def _ceilings(sections: Sequence[Section]) -> str:
    lines = [
        (
            escape(f"{section.name}: {ceiling.cases}"),
            escape(ceiling.answered),
            "" if ceiling.fair else '<span class="below">under 95%: not comparable</span>',
        )
        for section in sections
        for ceiling in section.ceilings
    ]
    shown = (
        table(("cases", "full cache answers, %", "note"), lines) if lines else _none("full cache")
    )
    unfair = sum(not c.fair for section in sections for c in section.ceilings)
    note = f"{unfair} of {len(lines)} kinds of cases are too hard for the model itself."
    return (
        '<section id="ceilings"><h2>Full-cache ceilings</h2><p>What the model answers when nothing '
        f"is evicted. {note if lines else ''}</p>{_many(lines, shown, 'All ceilings')}</section>"
    )


def _passings(sections: Sequence[Section]) -> str:
    found = [(section.name, item) for section in sections for item in section.passings]
    lines = [
        (
            escape(f"{name}: {item.cell}"),
            escape(item.paper),
            escape(item.told.answered),
            escape(item.told.kept),
            escape(item.told.verdict),
        )
        for name, item in found
    ]
    head = ("cell", "the paper, %", "ta answers, %", "ta keeps whole, %", "ta")
    said = words_html(counts(item.told for _, item in found))
    note = (
        "Figures of the paper's own variants below 100% that have a cell here, each once: "
        f"{said}. It passes where its 95% interval lies above the paper's figure; where the paper "
        "names no K, at every K of ours."
    )
    shown = table(head, lines) if lines else _none("cell of this kind")
    return (
        '<section id="passes"><h2>Where <code>ta</code> passes the paper</h2>'
        f"<p>{note if lines else ''}</p>{shown}</section>"
    )


def _differences(sections: Sequence[Section]) -> str:
    lines = [
        (
            escape(f"{section.name}: {item.cell}"),
            escape(item.by),
            escape(item.paper),
            escape(item.ours),
            verdict_html(item.side),
        )
        for section in sections
        for item in section.differences
    ]
    head = ("cell", "by", "the paper, %", "ours, %", "ours is")
    shown = table(head, lines) if lines else _none("figure outside our intervals")
    return (
        '<section id="differs"><h2>What did not reproduce</h2><p>Figures of the paper that our 95% '
        "interval excludes, on either side; by values kept whole where answers cannot be compared."
        f"</p>{_many(lines, shown, 'All differences')}</section>"
    )


def _many(lines: Sequence[object], shown: str, title: str) -> str:
    return folded(f"{title} ({len(lines)})", shown) if len(lines) > MANY else shown


def _none(what: str) -> str:
    return f'<p class="note">No {escape(what)} in these records.</p>'


def _figures(report: Report) -> str:
    if report.no_figures:
        shown = f'<p class="problem">{escape(report.no_figures)}</p>'
    else:
        shown = "\n".join(_figure(figure, report) for figure in report.figures)
    note = "The paper's six figures, redrawn from these records; their numbers are the paper's."
    return f'<section id="figures"><h2>Figures</h2><p>{note}</p>{shown}</section>'


def _figure(figure: Redrawn, report: Report) -> str:
    panels = "\n".join(_panel(drawn, report) for drawn in figure.panels)
    head = f'<h3 id="{escape(figure.name)}">{escape(figure.title)}</h3>'
    return f'{head}<div class="panels">{panels}</div>'


def _panel(drawn: Drawn, report: Report) -> str:
    if drawn.svg:
        content = inline(drawn.svg, escape(drawn.title))
    else:
        rerun = command_html(report.rerun(drawn.needs))
        content = f'<p class="absent">{escape(drawn.why)} To make it:</p>{rerun}'
    return (
        f"<figure><h3>{escape(drawn.title)}</h3>{content}"
        f"<figcaption>{words_html(drawn.caption)}</figcaption></figure>"
    )


def _section(section: Section) -> str:
    summary = section.summary[:1].upper() + section.summary[1:]
    head = (
        f'<section id="{escape(section.name)}"><h2>{escape(section.name)} '
        f"<small>{escape(section.place)}</small></h2><p>{escape(summary)}.</p>"
    )
    if not section.shown:
        kind = "problem" if section.state == "broken" else "absent"
        again = command_html(section.rerun)
        theirs = text_html(section.markdown)
        return f'{head}<p class="{kind}">{escape(section.problem)}</p>{theirs}{again}</section>'
    parts = [head, f'<p class="judged">{words_html(section.judgement)}</p>']
    if section.state == "interrupted":
        note = "The run was interrupted: these are the cells so far. This goes on with it:"
        parts.append(f'<p class="problem">{note}</p>{command_html(section.rerun)}')
    parts += [_paper_table(one) for one in section.tables]
    everything = text_html(section.markdown)
    parts.append(folded("All cells", everything) if section.tables else everything)
    parts.append(folded("Run it again, all of it or one cell", _commands(section), "runs"))
    parts.append(
        f'<p class="origin">{escape(section.origin)}. <a href="csv/{escape(section.name)}.csv">CSV'
        f'</a>, <a href="records/{escape(section.name)}.json">record</a>.</p></section>'
    )
    return "\n".join(parts)


def _paper_table(one: PaperTable) -> str:
    head = "".join(f"<th>{escape(title)}</th>" for title in ("method", *one.columns))
    lines = "".join(
        f'<tr{" class=own" if name == "ta" else ""}><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{_cell(cell)}</td>" for cell in cells)
        + "</tr>\n"
        for name, cells in one.lines
    )
    shown = f'<table class="paper"><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>'
    return f"<h3>{escape(one.title)}</h3>{scrolling(shown, one.title)}"


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<span class="none">not run</span>'
    if cell.note:
        theirs = f'<span class="theirs">paper {escape(cell.paper)}</span>'
        return f'<span class="none">{escape(cell.note)}</span>{theirs}'
    first, _, rest = (cell.answered or cell.kept).partition(" ")
    parts = [f"<span><b>{escape(first)}</b> {escape(rest)}</span>"]
    if cell.answered:
        parts.append(f'<span class="kept">kept {escape(cell.kept.partition(" ")[0])}</span>')
    else:
        parts.append('<span class="kept">kept, not asked</span>')
    if cell.paper:
        parts.append(f'<span class="theirs">paper {escape(cell.paper)}</span>')
    return "".join(parts) + (verdict_html(cell.verdict) if cell.verdict else "")


def _commands(section: Section) -> str:
    lines = [command_html(section.rerun)]
    lines += [f"<h4>{escape(name)}</h4>{command_html(again)}" for name, again in section.cells]
    return "\n".join(lines)


def _rerun(report: Report) -> str:
    return (
        '<section id="rerun"><h2>Run it again</h2><p>Everything; what the records hold is not run '
        f"again:</p>{command_html(report.rerun('all'))}"
        "<p>This page from the records alone, without a model:</p>"
        f"{command_html(command('report', None, report.out))}"
        "<p>One experiment or one cell: the commands are in its section. <code>--again</code> "
        "takes the cell out of its record and measures it anew; other cells stay.</p>"
        f'<p class="origin">Ours beside every figure of the paper: <a href="csv/{PAPER}.csv">'
        "CSV</a>.</p></section>"
    )
