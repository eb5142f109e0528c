"""The records of a folder, the names of their cells, and the commands that run them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError, UnknownNameError

from ..experiments import EXPERIMENTS, Context, Experiment, Record, Row, get_experiment
from ..experiments.comparing import block_name, method_name
from ..experiments.plan import CELL

FOLDER = "records"  # inside the folder of a report
LEFT_OUT, UNFINISHED, GIVEN = "left_out", "unfinished", "given"
"""What the command adds to a record: why nothing was run; that it was interrupted; options that a
rerun needs and that are no part of the figures."""
INTERRUPTED, NOT_RUN = "interrupted", "not run"
DERIVED = "variant-map"  # made of the other records
BROKEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, AssertionError)
"""What reading a record raises that is not one: fields missing or of another kind."""


@dataclass(frozen=True)
class Entry:
    """An experiment and its record. ``problem``: why there is none to show, empty where there is.

    ``state``: one word for it, ``fine`` with rows. ``markdown``: all its tables."""

    experiment: Experiment
    record: Record | None = None
    problem: str = ""
    markdown: str = ""
    state: str = "fine"

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return self.experiment.name

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows that can be shown."""
        return self.record["rows"] if self.record is not None and not self.problem else []

    @property
    def unfinished(self) -> bool:
        """Whether its run was interrupted."""
        return bool(self.rows) and bool(self.record and self.record.get(UNFINISHED))


def path_of(folder: Path, name: str) -> Path:
    """Where the record of an experiment lies in a report's folder."""
    return folder / FOLDER / f"{name}.json"


def read_entries(folder: Path) -> list[Entry]:
    """All experiments, in their order. Raises InputError for a folder without any record."""
    entries = [_entry(get_experiment(name), path_of(folder, name)) for name in EXPERIMENTS]
    entries = [_renewed(entry, folder) if entry.name == DERIVED else entry for entry in entries]
    if all(entry.state == NOT_RUN for entry in entries):
        raise InputError(
            f"{folder} holds no records: make one with `ta reproduce needle --out {folder}`"
        )
    return entries


def _entry(experiment: Experiment, path: Path) -> Entry:
    """Reads and renders a record, so that one that is broken is known before the page is made."""
    if not path.exists():
        return Entry(experiment, problem="No record yet.", state=NOT_RUN)
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return broken_entry(experiment, path.name, "it is no JSON")
    if not isinstance(record, dict) or record.get("experiment") != experiment.name:
        return broken_entry(experiment, path.name, f"it is no record of {experiment.name}")
    if not isinstance(record.get("rows"), list):
        return broken_entry(experiment, path.name, "it has no rows")
    if not record["rows"]:
        why = record.get(LEFT_OUT)
        state, problem = ("left out", f"Left out: {why}.") if why else ("no rows", "No rows yet.")
        return Entry(experiment, record, problem, state=state)
    try:
        return Entry(experiment, record, markdown=experiment.render(record))
    except BROKEN as error:  # its message may quote the record
        if record.get(UNFINISHED):
            problem = "Interrupted before its tables could be made."
            return Entry(experiment, record, problem, state=INTERRUPTED)
        return broken_entry(experiment, path.name, kind_of(error))


def _renewed(entry: Entry, folder: Path) -> Entry:
    """What is made of other records, made of them as they are now: the summary shows no others.

    Where one of them is broken it stays as it was saved; the report names the broken one."""
    if not entry.rows or entry.record is None:
        return entry
    model = (entry.record.get("provenance") or {}).get("model", "")
    context = Context(_no_model, model=model, records=folder / FOLDER)
    try:
        record = {**entry.record, **entry.experiment.run(context)}
        return replace(entry, record=record, markdown=entry.experiment.render(record))
    except (InputError, *BROKEN):
        return entry


def _no_model() -> tuple[Any, Any]:
    raise InputError("a report loads no model")


def broken_entry(experiment: Experiment, name: str, why: str) -> Entry:
    """An entry whose record no run may overwrite."""
    remedy = "Repair it, or remove it and run it again."
    problem = f"{FOLDER}/{name} cannot be shown: {why}. {remedy}"
    return Entry(experiment, problem=problem, state="broken")


def kind_of(error: Exception) -> str:
    """What an error says of a record without quoting it."""
    return f"a field is missing or of another kind ({type(error).__name__})"


DEFAULTS = {"filler": "pydoc", "seed": 0, "model": "embedded", "trials": None}

ORIGIN = ("commit", "dirty")  # of a row: no part of what names it


def is_case(row: Row) -> bool:
    """Whether a row is a cell of cases, with a mark a question."""
    return "marks" in row and all(name in row for name in CELL)


def cell_names(rows: Sequence[Row]) -> list[str]:
    """A name for every row, none twice: cases by what they are, measurements by leading fields."""
    others = [row for row in rows if not is_case(row)]
    fields = _leading(others)
    names = [_case_name(row) if is_case(row) else _name(row, fields) for row in rows]
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            names[i] = f"{name}, {seen[name]}"
    return names


def _case_name(row: Row) -> str:
    budget = "" if row["budget"] is None else f", K={row['budget']}"
    kept = "" if row["answered"] else ", kept only"
    return f"{block_name(row)}, {method_name(row)}{budget}{kept}"


def _leading(rows: Sequence[Row]) -> dict[str, list[str]]:
    """For each part the fewest leading fields that tell its rows apart."""
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(str(row.get("part")), []).append(row)
    return {part: _fewest(own) for part, own in parts.items()}


def _fewest(rows: Sequence[Row]) -> list[str]:
    plain = [
        name
        for name, value in rows[0].items()
        if name not in ORIGIN and not isinstance(value, (dict, list, float))
    ]
    for count in range(1, len(plain) + 1):
        chosen = plain[:count]
        if len({tuple(str(row.get(name)) for name in chosen) for row in rows}) == len(rows):
            return chosen
    return plain


def _name(row: Row, fields: dict[str, list[str]]) -> str:
    chosen = fields[str(row.get("part"))]
    shown = [str(row[name]) for name in chosen if row.get(name) is not None]
    return ", ".join(shown) or str(row.get("part"))


def without_cells(record: Record, chosen: Sequence[str]) -> list[Row]:
    """The rows of a record but for the cells of these names, which a run then makes again. Raises
    UnknownNameError with the closest names."""
    names = cell_names(record["rows"])
    for name in chosen:
        if name not in names:
            raise UnknownNameError(f"cell of {record['experiment']}", name, names)
    return [row for row, name in zip(record["rows"], names, strict=True) if name not in chosen]


def command(name: str, record: Record | None, out: str, cell: str | None = None) -> str:
    """``ta reproduce`` with the settings of a record, for all of it or for one cell."""
    words = ["ta", "reproduce", name]
    origin: dict[str, Any] = (record or {}).get("provenance") or {}
    arguments = origin.get("arguments") or {}
    if arguments.get("size") in ("quick", "full"):
        words.append(f"--{arguments['size']}")
    for option, default in DEFAULTS.items():
        value = arguments.get(option, origin.get(option, default))
        if value != default:
            words += [f"--{option}", str(value)]
    for option, value in ((record or {}).get(GIVEN) or {}).items():
        words += [f"--{option}", str(value)]
    words += ["--out", out]
    return shlex.join([*words, "--again", cell] if cell is not None else words)
