"""What a report holds, before it is written in any format: entries, their sections, the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from transactional_attention.errors import InputError

from ..experiments import Record
from ..experiments.paper_alone import stated
from ..experiments.rendering import headline
from .beside import Cells, PaperTable, cells_of, paper_tables
from .commands import cell_names, command
from .drawing import check_matplotlib
from .figures import Figure, draw_all
from .records import BROKEN, INTERRUPTED, NOT_RUN, Entry, broken_entry, kind_of, read_entries
from .summary import (
    Ceiling,
    Difference,
    Passing,
    ceilings,
    differences,
    judgement_of,
    passings,
    verdicts,
)

NO_LINE = "no judgement"
BEST = "Against each baseline's best honest setting"
HEADLINE = "needle"  # the experiment whose baselines are run in every honest setting


@dataclass(frozen=True)
class Section:
    """An experiment in a report. ``problem``: why there is nothing to show.

    ``judgement``: one line. ``headline``: ours beside each baseline's best setting, as Markdown, of
    the experiment that the summary quotes. ``markdown``: all tables, or what
    the paper has where nothing was run. ``tables``: those of the paper, ours in their cells.
    ``rerun``: the command for all of it; ``cells``: name of each cell and its command.
    """

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
    passings: Sequence[Passing] = ()
    differences: Sequence[Difference] = ()
    cells: Sequence[tuple[str, str]] = ()

    @property
    def shown(self) -> bool:
        """Whether it has figures."""
        return not self.problem


@dataclass(frozen=True)
class Report:
    """All of it. ``no_figures``: why none is drawn, empty where they are."""

    sections: Sequence[Section]
    figures: Sequence[Figure]
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
    """The report of a folder's records; no model is loaded.

    Raises:
        InputError: for a folder without records.
    """
    entries, out = read_entries(folder), _out(folder)
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


def _out(folder: Path) -> str:
    """The folder as a command names it from here; elsewhere its name alone."""
    try:
        return folder.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return folder.name


def _section(entry: Entry, out: str) -> Section:
    rerun = command(entry.name, entry.record, out)
    head = (entry.name, entry.experiment.table, entry.experiment.summary)
    if not entry.rows:
        theirs = stated(entry.name) if entry.state == NOT_RUN else ""
        return Section(*head, entry.state, rerun, entry.problem, markdown=theirs)
    assert entry.record is not None
    try:
        return _filled(head, entry, rerun, out, cells_of(entry.record))
    except BROKEN as error:
        broken = broken_entry(entry.experiment, f"{entry.name}.json", kind_of(error))
        return Section(*head, broken.state, rerun, broken.problem)


def _filled(
    head: tuple[str, str, str], entry: Entry, rerun: str, out: str, cells: Cells
) -> Section:
    record = entry.record or {}
    names = cell_names(record["rows"])
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
        passings=passings(record),
        differences=differences(cells),
        cells=[(name, command(entry.name, record, out, name)) for name in names],
    )


def _size(record: Record) -> str:
    return str(((record.get("provenance") or {}).get("arguments") or {}).get("size", "finished"))


def _origin(record: Record) -> str:
    """Where the figures come from, in one line."""
    origin = record.get("provenance") or {}
    commits = list(dict.fromkeys(c for row in record["rows"] for c in _commits(row) if c))
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


def _commits(row: dict[str, object]) -> list[object]:
    several = row.get("commits")
    return several if isinstance(several, list) else [row.get("commit")]
