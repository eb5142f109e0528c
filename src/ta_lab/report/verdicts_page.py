"""What the records of a report come to, by experiment, as a table of a page."""

from __future__ import annotations

import re
from pathlib import Path

from ..experiments.jobs import markdown as table
from .content import Section, sections_of
from .records import read_entries

VERDICTS = re.compile(r"^<!-- verdicts (?P<folder>\S+) -->\n(?:\n?(?:\|[^\n]*\n)+)?", re.MULTILINE)
HEAD = ("experiment", "in the paper", "figures of the paper", "full cache under 95%", "judgement")


def fill_verdicts(text: str, folder: Path) -> str:
    """A page with the table below each line ``<!-- verdicts FOLDER -->`` made anew.

    ``FOLDER``: one with ``records/``, relative to ``folder``. Raises InputError when it has none.
    """

    def made(marked: re.Match[str]) -> str:
        name = marked["folder"]
        sections = sections_of(read_entries(folder / name), name)
        return f"<!-- verdicts {name} -->\n\n{table(HEAD, [_line(s, name) for s in sections])}\n"

    return VERDICTS.sub(made, text)


def _line(section: Section, folder: str) -> tuple[str, ...]:
    if not section.shown:
        return section.name, section.place, "", "", section.problem
    counted = ", ".join(f"{count} {name}" for name, count in section.verdicts.items())
    unfair = sum(not ceiling.fair for ceiling in section.ceilings)
    ceiling = f"{unfair} of {len(section.ceilings)}" if section.ceilings else ""
    linked = f"[{section.name}]({folder}/records/{section.name}.json)"
    return linked, section.place, counted, ceiling, section.judgement
