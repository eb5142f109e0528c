"""One experiment of ``ta reproduce``: its record begun or gone on with, saved as it runs."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from rich.progress import Progress

from transactional_attention.cli.common import folder_of, origin, progress_bar, write_json
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.models import weights_sha256

from ..experiments import Experiment, Record, Row
from ..report import GIVEN, LEFT_OUT, UNFINISHED
from ..report.commands import without_cells
from ..training.arithmetic import flushed_subnormals
from .executing import executor_for
from .measure import resumed
from .run import Run
from .sources import ModelError


class LeftOutError(InputError):
    """An experiment that refused to run: its data is absent, or the model is none for it."""


def measured(experiment: Experiment, run: Run) -> Record:
    """The finished record. An interrupted one is marked so, and gone on with the next time.

    Raises:
        LeftOutError: when the experiment refuses; among several, its record then says why.
        RetentionError: for a record of another run, a wrong cell, an option that cannot be.
    """
    paths = run.paths(experiment.name)
    record = _begun(paths, experiment, run)
    context = run.context(
        rows=record["rows"],
        executor=executor_for(run, experiment.name),
        records=paths[0].parent if paths else None,
        save=partial(_save, paths, record | {UNFINISHED: True}),
    )
    try:
        with flushed_subnormals(), progress_bar() as bar:
            context.progress = _progress(bar, experiment.name)
            record = record | experiment.run(context)
    except ModelError:
        raise
    except RetentionError as error:
        if run.several and not record["rows"]:
            _write(paths, record | {LEFT_OUT: _nameless(str(error), run.data)})
        raise LeftOutError(str(error)) from None
    _write(paths, record)
    return record


def _begun(paths: Sequence[Path], experiment: Experiment, run: Run) -> Record:
    """A new record, or the one of an earlier run with the same arguments, less cells to redo."""
    dtype = run.load.computes_in()
    fresh: Record = {
        "experiment": experiment.name,
        "provenance": origin(run.arguments, seed=run.seed, model=run.model, dtype=dtype),
        "weights_sha256": weights_sha256(run.model),
        **({GIVEN: run.rerun()} if run.rerun() else {}),
        "rows": [],
    }
    path = next((path for path in paths if path.exists()), None)
    there = path is not None and _has_rows(path, experiment.name)
    found = resumed(path, fresh) if there else fresh
    if run.again and not found["rows"]:
        raise InputError(f"--again: there is no record of {experiment.name} to take cells from")
    marks = (LEFT_OUT, UNFINISHED)
    return {
        **{name: value for name, value in found.items() if name not in marks},
        "rows": without_cells(found, run.again) if run.again else found["rows"],
    }


def _has_rows(path: Path, name: str) -> bool:
    """Whether a file is a record of the experiment with something in it.

    Raises:
        InputError: for a file that is none, so that it is not overwritten.
    """
    try:
        found = jsonlib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("experiment") != name or "rows" not in found:
        raise InputError(f"{path} is no record of {name}: give another file, or remove it")
    return bool(found["rows"])


def _nameless(reason: str, data: Path | None) -> str:
    """A reason for a record: no folder of this machine is in it."""
    return reason if data is None else reason.replace(str(data), data.name)


def _save(paths: Sequence[Path], record: Record, rows: list[Row]) -> None:
    _write(paths, record | {"rows": rows})


def _write(paths: Sequence[Path], record: Record) -> None:
    for path in paths:
        write_json(folder_of(path), record)


def _progress(bar: Progress, name: str) -> Callable[[float, float], None]:
    task = bar.add_task(name, total=None)

    def progress(done: float, total: float) -> None:
        bar.update(task, completed=done, total=total)

    return progress
