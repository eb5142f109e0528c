"""One experiment of ``ta reproduce``: its record begun or gone on with, saved as it runs."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.progress import Progress

from ..errors import InputError, RetentionError
from ..evaluation.provenance import provenance
from ..evaluation.report import GIVEN, LEFT_OUT, UNFINISHED, path_of
from ..evaluation.report.commands import without_cells
from ..evaluation.reproduce import Context, Experiment, Record, Row
from ..training.arithmetic import flushed_subnormals
from .common import load_tokenizer, progress_bar, writable, write_json
from .measure import resumed, weights_sha256


class ModelError(InputError):
    """The model that all experiments need cannot be had."""


class LeftOutError(InputError):
    """An experiment that refused to run: its data is absent, or the model is none for it."""


@dataclass(frozen=True)
class Run:
    """What was asked for, of all experiments. ``given``: options that a rerun needs, too.

    ``out``: the folder of records and report; ``json``: a file, or a folder for ``several``.
    ``again``: cells to measure anew.
    """

    load: Callable[[], tuple[Any, Any]]
    model: str
    seed: int
    size: str
    trials: int | None
    filler: str
    tokenizers: Path | None
    data: Path | None
    out: Path | None
    json: Path | None
    several: bool
    again: tuple[str, ...]
    given: dict[str, Any]

    @property
    def arguments(self) -> dict[str, Any]:
        """Those that decide the figures; a record is gone on with under the same ones alone."""
        return {"size": self.size, "trials": self.trials, "filler": Path(self.filler).name}

    def context(self) -> Context:
        """What an experiment is given of it, without a record.

        Raises:
            InputError: for settings that cannot be.
        """
        return Context(
            self.load,
            model=Path(self.model).name,
            seed=self.seed,
            size=self.size,  # type: ignore[arg-type]
            trials=self.trials,
            filler=self.filler,
            tokenizers=_tokenizers(self.tokenizers),
            data=self.data,
        )

    def rerun(self) -> dict[str, str]:
        """Options beside the arguments; of a folder elsewhere just its name."""
        folders = {"tokenizers": self.tokenizers, "data": self.data}
        shown = {
            name: path.name if path.is_absolute() else path.as_posix()
            for name, path in folders.items()
            if path is not None
        }
        named = {name: Path(value).name for name, value in self.given.items() if value}
        return {**named, **shown}

    def paths(self, name: str) -> list[Path]:
        """Where the record of an experiment is kept.

        Raises:
            InputError: when a folder cannot be made, or a file not written.
        """
        found = []
        if self.out is not None:
            found.append(_made(path_of(self.out, name)))
        if self.json is not None:
            inside = self.several or self.json.is_dir()
            found.append(_made(self.json / f"{name}.json") if inside else self.json)
        for path in found:
            writable(path)
        return found


def _made(path: Path) -> Path:
    """The path, its folder made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"cannot make this folder, {error.strerror}"
        raise InputError(f"{path.parent}: {why}") from None
    return path


def measured(experiment: Experiment, run: Run) -> Record:
    """The finished record. An interrupted one is marked so, and gone on with the next time.

    Raises:
        LeftOutError: when the experiment refuses; without rows its record says why.
        RetentionError: for a record of another run, a wrong cell, an option that cannot be.
    """
    paths = run.paths(experiment.name)
    record = _begun(paths, experiment, run)
    context = run.context()
    context.rows = record["rows"]
    context.records = paths[0].parent if paths else None
    context.save = partial(_save, paths, record | {UNFINISHED: True})
    try:
        with flushed_subnormals(), progress_bar() as bar:
            context.progress = _progress(bar, experiment.name)
            record = record | experiment.run(context)
    except ModelError:
        raise
    except RetentionError as error:
        if not record["rows"]:
            _write(paths, record | {LEFT_OUT: _nameless(str(error), run.data)})
        raise LeftOutError(str(error)) from None
    _write(paths, record)
    return record


def _begun(paths: Sequence[Path], experiment: Experiment, run: Run) -> Record:
    """A new record, or the one of an earlier run with the same arguments, less cells to redo."""
    fresh: Record = {
        "experiment": experiment.name,
        "provenance": provenance(run.arguments, seed=run.seed, model=Path(run.model).name),
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


def _tokenizers(folder: Path | None) -> dict[str, Any]:
    """What loads each tokenizer of a folder, by name."""
    if folder is None:
        return {}
    found = {path.name: partial(load_tokenizer, str(path)) for path in sorted(folder.glob("*/"))}
    if not found:
        raise InputError(f"--tokenizers {folder}: no folder in it, each must hold one tokenizer")
    return found


def _save(paths: Sequence[Path], record: Record, rows: list[Row]) -> None:
    _write(paths, record | {"rows": rows})


def _write(paths: Sequence[Path], record: Record) -> None:
    for path in paths:
        write_json(path, record)


def _progress(bar: Progress, name: str) -> Callable[[float, float], None]:
    task = bar.add_task(name, total=None)

    def progress(done: float, total: float) -> None:
        bar.update(task, completed=done, total=total)

    return progress
