"""What a report holds, before it is written in any format: entries, their sections, the figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from transactional_attention.errors import InputError

from ..experiments import Record, Row
from ..experiments.comparing import COMPARABLE
from ..experiments.counting import block_name, count_of, measures, method_name
from ..experiments.paper import Figure, stated
from ..experiments.rendering import headline, share
from ..experiments.verdicts import ABOVE, BELOW, INCOMPARABLE, SAME
from .beside import Cells, PaperTable, cells_of, paper_tables
from .drawing import check_matplotlib
from .figures import Redrawn, draw_all
from .records import (
    BROKEN,
    INTERRUPTED,
    NOT_RUN,
    Entry,
    broken_entry,
    command,
    kind_of,
    read_entries,
)

JUDGEMENT = "Judgement"
SIDES = (SAME, ABOVE, BELOW, INCOMPARABLE)


class Ceiling(NamedTuple):
    """The full cache on the cases of a block: under 95% answers say little of methods."""

    cases: str
    answered: str
    fair: bool


@dataclass(frozen=True)
class Difference:
    """A figure of the paper that our interval excludes. ``by``: answers or whole values kept."""

    cell: str
    by: str
    paper: str
    ours: str
    side: str


def judgement_of(markdown: str) -> str:
    """The last line of judgement in the tables of a record, without its first word."""
    found = [line for line in markdown.splitlines() if line.startswith(JUDGEMENT)]
    return found[-1].removeprefix(JUDGEMENT).lstrip(":, ") if found else ""


def verdicts(cells: Cells) -> dict[str, int]:
    """How many figures of the paper have which verdict; by values where no answer is asked."""
    found = [c.kept if c.answers is None else c.answers for c in cells.judged]
    counted = Counter(side.partition(" (")[0] for side in found)
    return {name: counted[name] for name in SIDES if counted[name]}


def ceilings(cells: Cells) -> list[Ceiling]:
    """Every kind of cases that the full cache was asked, each value apart."""
    found = []
    for row in cells.rows:
        if row["method"] != "full" or not row["answered"] or row["ledger"] != "strict":
            continue
        for measure in measures(row):
            counted = count_of(row, measure)
            right = counted.right or 0
            cases = block_name(row) + ("" if measure == "answers" else f": {measure}")
            fair = right / counted.trials >= COMPARABLE
            shown = f"{share(right, counted.trials)}, n={counted.trials}"
            found.append(Ceiling(cases, shown, fair))
    return found


def differences(cells: Cells) -> list[Difference]:
    """What did not reproduce: figures outside our interval, above or below."""
    found = []
    for item in cells.judged:
        by, side = ("kept", item.kept) if item.answers is None else ("answered", item.answers)
        if side.startswith(INCOMPARABLE):
            by, side = "kept", item.kept
        if side not in (ABOVE, BELOW):
            continue
        successes = item.ours.kept if by == "kept" else item.ours.right or 0
        cell = f"{method_name(item.row)}, {_cell(item.row, item.figure)}"
        ours = share(successes, item.ours.trials)
        model = "" if item.figure.of_model == "unstated" else f" ({item.figure.of_model})"
        theirs = f"{item.figure.value:g}{model}"
        found.append(Difference(cell, by, theirs, ours, side))
    return found


def _cell(row: Row, figure: Figure) -> str:
    measure = "" if figure.measure == "answers" else f": {figure.measure}"
    budget = "" if row["budget"] is None else f", K={row['budget']}"
    return f"{block_name(row)}{measure}{budget}"


NO_LINE = "no judgement"
BEST = "Against each baseline's best honest setting"
HEADLINE = "needle"  # the experiment whose baselines are run in every honest setting


@dataclass(frozen=True)
class Section:
    """An experiment in a report. ``problem``: why there is nothing to show.

    ``judgement``: one line. ``headline``: ours beside each baseline's best setting, as Markdown, of
    the experiment that the summary quotes. ``markdown``: all tables, or what
    the paper has where nothing was run. ``tables``: those of the paper, ours in their cells.
    ``rerun``: the command for all of it."""

    name: str
    place: str
    summary: str
    state: str
    rerun: str
    problem: str = ""
    judgement: str = ""
    headline: str = ""
    origin: str = ""
    markdown: str = ""
    tables: Sequence[PaperTable] = ()
    verdicts: dict[str, int] = field(default_factory=dict)
    ceilings: Sequence[Ceiling] = ()
    differences: Sequence[Difference] = ()

    @property
    def shown(self) -> bool:
        """Whether it has figures."""
        return not self.problem


@dataclass(frozen=True)
class Report:
    """All of it. ``no_figures``: why none is drawn, empty where they are."""

    sections: Sequence[Section]
    figures: Sequence[Redrawn]
    records: dict[str, Record]
    out: str
    no_figures: str = ""

    def rerun(self, name: str) -> str:
        """The command of an experiment, or of `all`, with the settings of its record."""
        any_record = next(iter(self.records.values()), None) if name == "all" else None
        return command(name, self.records.get(name, any_record), self.out)

    @property
    def headline(self) -> str:
        """Ours beside each baseline's best setting; empty without a record of it."""
        return next((section.headline for section in self.sections if section.headline), "")

    @property
    def shown(self) -> list[Section]:
        """Sections with figures, in order."""
        return [section for section in self.sections if section.shown]

    @property
    def problems(self) -> list[str]:
        """Records that could not be read."""
        return [s.problem for s in self.sections if s.state == "broken"]


def read_report(folder: Path) -> Report:
    """The report of a folder's records; no model is loaded. Raises InputError for a folder without
    records."""
    entries, here = read_entries(folder), Path.cwd().resolve()
    inside = folder.resolve().is_relative_to(here)  # as a command names it from here, or by name
    out = folder.resolve().relative_to(here).as_posix() if inside else folder.name
    sections = sections_of(entries, out)
    fine = {section.name for section in sections if section.shown}
    records = {e.name: e.record for e in entries if e.record is not None and e.name in fine}
    try:
        check_matplotlib()
    except InputError as error:
        return Report(sections, (), records, out, str(error))
    return Report(sections, draw_all(records), records, out)


def sections_of(entries: Sequence[Entry], out: str) -> list[Section]:
    """The sections of what ``read_entries`` has read; ``out``: the folder, as commands name it."""
    return [_section(entry, out) for entry in entries]


def _section(entry: Entry, out: str) -> Section:
    rerun = command(entry.name, entry.record, out)
    head = (entry.name, entry.experiment.table, entry.experiment.summary)
    if not entry.rows:
        theirs = stated(entry.name) if entry.state == NOT_RUN else ""
        return Section(*head, entry.state, rerun, entry.problem, markdown=theirs)
    assert entry.record is not None
    try:
        return _filled(head, entry, rerun, cells_of(entry.record))
    except BROKEN as error:
        broken = broken_entry(entry.experiment, f"{entry.name}.json", kind_of(error))
        return Section(*head, broken.state, rerun, broken.problem)


def _filled(head: tuple[str, str, str], entry: Entry, rerun: str, cells: Cells) -> Section:
    record = entry.record or {}
    return Section(
        *head,
        INTERRUPTED if entry.unfinished else _size(record),
        rerun,
        judgement=judgement_of(entry.markdown) or NO_LINE,
        headline=headline(cells.rows) if entry.name == HEADLINE and not cells.quick else "",
        origin=_origin(record),
        markdown=entry.markdown,
        tables=paper_tables(cells),
        verdicts=verdicts(cells),
        ceilings=ceilings(cells),
        differences=differences(cells),
    )


def _size(record: Record) -> str:
    return str(((record.get("provenance") or {}).get("arguments") or {}).get("size", "finished"))


def _origin(record: Record) -> str:
    """Where the figures come from, in one line."""
    origin = record.get("provenance") or {}
    several = (row.get("commits", [row.get("commit")]) for row in record["rows"])
    commits = list(dict.fromkeys(commit for own in several for commit in own if commit))
    commits = commits or [c for c in [origin.get("commit")] if c]
    dirty = any(row.get("dirty") for row in record["rows"]) or origin.get("dirty")
    machine, versions = origin.get("machine") or {}, origin.get("versions") or {}
    shown = [
        f"model {origin.get('model', 'unknown')}",
        f"seed {origin.get('seed', 'unknown')}",
        f"commit {', '.join(str(c)[:7] for c in commits) or 'unknown'}"
        + (", modified" if dirty else ""),
        f"transformers {versions.get('transformers', 'unknown')}",
        f"torch {versions.get('torch', 'unknown')}",
        f"{machine.get('cpus', 'unknown')} CPUs, {machine.get('system', '')} "
        f"{machine.get('arch', '')}".rstrip(" ,"),
        f"begun {origin.get('time', 'unknown')}",
    ]
    return "; ".join(shown)
