"""What a report holds, before it is written in any format: entries, their sections, the figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from transactional_attention.errors import InputError

from ..experiments import EXPERIMENTS, Experiment, Record, Row, get_experiment
from ..experiments.comparing import COMPARABLE
from ..experiments.counting import block_name, count_of, measures, method_name
from ..experiments.paper import Figure, stated
from ..experiments.rendering import headline, share
from ..experiments.running import arguments, origins
from ..experiments.verdicts import ABOVE, BELOW, INCOMPARABLE, SAME
from .beside import Cells, PaperTable, cells_of, paper_tables
from .drawing import check_matplotlib
from .figures import Redrawn, draw_all
from .records import (
    FOLDER,
    INTERRUPTED,
    LEFT_OUT,
    NOT_RUN,
    UNFINISHED,
    UNREADABLE,
    command,
    path_of,
)

BROKEN = "broken"
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
        cell = f"{method_name(item.row)}, {cell_name(item.row, item.figure)}"
        ours = share(successes, item.ours.trials)
        model = "" if item.figure.of_model == "unstated" else f" ({item.figure.of_model})"
        theirs = f"{item.figure.value:g}{model}"
        found.append(Difference(cell, by, theirs, ours, side))
    return found


def cell_name(row: Row, figure: Figure) -> str:
    """The cases of a row beside a figure, what is counted of them, and K, in words."""
    measure = "" if figure.measure == "answers" else f": {figure.measure}"
    budget = "" if row["budget"] is None else f", K={row['budget']}"
    return f"{block_name(row)}{measure}{budget}"


NO_LINE = "no judgement"
BEST = "Against each baseline's best honest setting"
HEADLINE = "needle"  # the experiment whose baselines are run in every honest setting


@dataclass(frozen=True)
class Section:
    """An experiment in a report. ``problem``: why there is nothing to show. ``record``: where its
    rows are shown.

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
    record: Record = field(default_factory=dict)
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
    def models(self) -> str:
        """What the records were measured on."""
        origins = (record.get("provenance") or {} for record in self.records.values())
        return ", ".join(dict.fromkeys(str(one.get("model", "unknown")) for one in origins))

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
        return [s.problem for s in self.sections if s.state == BROKEN]


def read_report(folder: Path) -> Report:
    """The report of a folder's records; no model is loaded. Raises InputError for a folder without
    records."""
    here = Path.cwd().resolve()
    inside = folder.resolve().is_relative_to(here)  # as a command names it from here, or by name
    out = folder.resolve().relative_to(here).as_posix() if inside else folder.name
    sections = read_sections(folder, out)
    records = {section.name: section.record for section in sections if section.shown}
    try:
        check_matplotlib()
    except InputError as error:
        return Report(sections, (), records, out, str(error))
    return Report(sections, draw_all(records), records, out)


def read_sections(folder: Path, out: str) -> list[Section]:
    """Of all experiments, in their order; ``out``: the folder, as commands name it. Raises
    InputError for a folder without any record."""
    found = [_section(get_experiment(n), path_of(folder, n), out) for n in EXPERIMENTS]
    if all(section.state == NOT_RUN for section in found):
        raise InputError(
            f"{folder} holds no records: make one with `ta reproduce needle --out {folder}`"
        )
    return found


def _section(experiment: Experiment, path: Path, out: str) -> Section:
    name, head = experiment.name, (experiment.name, experiment.table, experiment.summary)

    def without(state: str, problem: str, record: Record | None = None) -> Section:
        return Section(*head, state, command(name, record, out), problem)

    def broken(why: str) -> Section:
        """One whose record no run may overwrite."""
        remedy = "Repair it, or remove it and run it again."
        return without(BROKEN, f"{FOLDER}/{path.name} cannot be shown: {why}. {remedy}")

    if not path.exists():
        return replace(without(NOT_RUN, "No record yet."), markdown=stated(name))
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return broken("it is no JSON")
    if not isinstance(record, dict) or record.get("experiment") != name:
        return broken(f"it is no record of {name}")
    if not isinstance(record.get("rows"), list):
        return broken("it has no rows")
    if not record["rows"]:
        why = record.get(LEFT_OUT)
        said = ("left out", f"Left out: {why}.") if why else ("no rows", "No rows yet.")
        return without(*said, record)
    try:
        markdown, cells = experiment.render(record), cells_of(record)
        tokens = arguments(record).get("tokens")
        return Section(
            name,
            experiment.table,
            experiment.summary + (f"; here in {tokens:,} tokens" if tokens else ""),
            INTERRUPTED if record.get(UNFINISHED) else arguments(record).get("size", "finished"),
            command(name, record, out),
            record=record,
            judgement=judgement_of(markdown) or NO_LINE,
            headline=headline(cells.rows) if name == HEADLINE and not cells.quick else "",
            origin=_origin(record),
            markdown=markdown,
            tables=paper_tables(cells),
            verdicts=verdicts(cells),
            ceilings=ceilings(cells),
            differences=differences(cells),
        )
    except UNREADABLE as error:  # its message may quote the record
        if record.get(UNFINISHED):
            return without(INTERRUPTED, "Interrupted before its tables could be made.", record)
        return broken(f"a field is missing or of another kind ({type(error).__name__})")


def _origin(record: Record) -> str:
    """Where the figures come from, in one line."""
    origin = record.get("provenance") or {}
    made = origins(record["rows"])
    commits = [c for c in made["commits"] or [origin.get("commit")] if c]
    dirty = made["dirty"] or origin.get("dirty")
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
