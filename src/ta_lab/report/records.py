"""The records of a folder, and the commands that run them again."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from ..experiments import EXPERIMENTS, Experiment, Record, Row, get_experiment
from ..experiments.plan import CELL

FOLDER = "records"  # inside the folder of a report
LEFT_OUT, UNFINISHED, GIVEN = "left_out", "unfinished", "given"
"""What the command adds to a record: why nothing was run; that it was interrupted; options that a
rerun needs and that are no part of the figures."""
INTERRUPTED, NOT_RUN = "interrupted", "not run"
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


def broken_entry(experiment: Experiment, name: str, why: str) -> Entry:
    """An entry whose record no run may overwrite."""
    remedy = "Repair it, or remove it and run it again."
    problem = f"{FOLDER}/{name} cannot be shown: {why}. {remedy}"
    return Entry(experiment, problem=problem, state="broken")


def kind_of(error: Exception) -> str:
    """What an error says of a record without quoting it."""
    return f"a field is missing or of another kind ({type(error).__name__})"


DEFAULTS = {"filler": "pydoc", "seed": 0, "model": "embedded", "trials": None}


def is_case(row: Row) -> bool:
    """Whether a row is a cell of cases, with a mark a question."""
    return "marks" in row and all(name in row for name in CELL)


def command(name: str, record: Record | None, out: str) -> str:
    """``ta reproduce`` with the settings of a record."""
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
    return shlex.join([*words, "--out", out])
