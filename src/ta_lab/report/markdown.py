"""The report as Markdown, with its figures as files beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ..experiments.jobs import markdown as table
from .content import BEST, Report, Section
from .figures import Figure


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


def _figure(figure: Figure) -> str:
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
