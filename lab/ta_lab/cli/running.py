"""What was asked of ``ta reproduce``: its model and records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from transactional_attention.cli.common import (
    counting,
    folder_of,
    origin,
    progress_bar,
    writable,
    writable_later,
    write_json,
)
from transactional_attention.cli.prompts import asking, told_raw
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.models import (
    AUTO,
    dtype_of,
    load_model,
    load_tokenizer,
    weights_sha256,
)

from ..cases.decoding import flushed_subnormals
from ..experiments.experiment import Context, Experiment, Record, read_record
from ..report.records import GIVEN, LEFT_OUT, UNFINISHED, path_of
from .resuming import resumed


class ModelError(InputError):
    """The model that all experiments need cannot be had."""


@dataclass(frozen=True)
class ModelSource:
    """Where the model is; calling it gives the model and its tokenizer. ``raw``: asked plainly.
    Raises ModelError when it cannot be had, or not on the device."""

    model: str
    tokenizer: str | None = None
    device: str | None = None
    dtype: str = AUTO
    raw: bool = False

    def __call__(self) -> tuple[Any, Any]:
        """Loads them when they are first asked for, once for all experiments."""
        return _loaded(self)

    def computes_in(self) -> str:
        """The type of the model, by name; it is not loaded for it."""
        try:
            return dtype_of(self.model, self.dtype)
        except RetentionError as error:
            raise ModelError(str(error)) from None


@lru_cache(maxsize=1)
def _loaded(source: ModelSource) -> tuple[Any, Any]:
    try:
        loaded = load_model(source.model, source.tokenizer, dtype=source.dtype)
        model, tokens = asking(loaded, source.raw)
    except RetentionError as error:
        raise ModelError(str(error)) from None
    try:
        return (model if source.device is None else model.to(source.device)), tokens
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"--device {source.device}: {str(error).splitlines()[0]}") from None


@cache
def _tokenizer(name: str, raw: bool) -> Any:
    return asking((None, load_tokenizer(name)), raw)[1]


def tokenizers_in(folder: Path | None, *, raw: bool = False) -> dict[str, Any]:
    """What loads each tokenizer of a folder, by name; ``raw``: for cases in plain text. Raises
    InputError for a folder without any."""
    if folder is None:
        return {}
    loaders = {path.name: partial(_tokenizer, str(path), raw) for path in sorted(folder.glob("*/"))}
    if not loaders:
        raise InputError(f"--tokenizers {folder}: no folder in it, each must hold one tokenizer")
    return loaders


@dataclass(frozen=True)
class Run:
    """What was asked for: ``context`` is what every experiment is given.

    ``tokenizers``: the folder of the context's; ``out``: the folder of records and report;
    ``json``: a file, or a folder for ``several``."""

    source: ModelSource
    context: Context
    tokenizers: Path | None
    out: Path | None
    json: Path | None
    several: bool

    @property
    def arguments(self) -> dict[str, Any]:
        """Those that decide the figures; a record is gone on with under the same ones alone."""
        asked = self.context
        given = {"size": asked.size, "trials": asked.trials, "filler": Path(asked.filler).name}
        return given | told_raw(self.source.raw) | asked.narrowing

    def rerun(self) -> dict[str, str]:
        """Options beside the arguments; of a folder elsewhere just its name."""
        folders = {"tokenizers": self.tokenizers, "data": self.context.data}
        shown = {
            name: path.name if path.is_absolute() else path.as_posix()
            for name, path in folders.items()
            if path is not None
        }
        source = self.source
        given = {"tokenizer": source.tokenizer, "device": source.device}
        given["dtype"] = None if source.dtype == AUTO else source.dtype
        named = {name: Path(value).name for name, value in given.items() if value}
        return {**named, **shown}

    def paths(self, name: str) -> list[Path]:
        """Where the record of an experiment is kept; folders are made when it is written. Raises
        InputError when a folder could not be made, or a file not written."""
        paths = []
        if self.out is not None:
            paths.append(path_of(self.out, name))
            writable_later(paths[0])
        if self.json is not None:
            inside = self.several or self.json.is_dir()
            paths.append(self.json / f"{name}.json" if inside else self.json)
            (writable_later if inside else writable)(paths[-1])
        return paths


class LeftOutError(InputError):
    """An experiment that refused to run: its data is absent, or the model is none for it."""


def measured(experiment: Experiment, run: Run) -> Record:
    """The finished record. An interrupted one is marked so, and gone on with the next time. Raises
    LeftOutError when the experiment refuses; among several, its record then says why. Raises
    RetentionError for a record of another run, a wrong cell, an option that cannot be."""
    paths = run.paths(experiment.name)
    record = _begun(paths, experiment, run)
    marked = record | {UNFINISHED: True}
    changes: dict[str, Any] = {
        "rows": record["rows"],
        "records": paths[0].parent if paths else None,
        "save": lambda rows: _write(paths, marked | {"rows": rows}),
    }
    try:
        with flushed_subnormals(), progress_bar() as bar:
            changes["progress"] = counting(bar, experiment.name)
            record = record | experiment.run(replace(run.context, **changes))
    except ModelError:
        raise
    except RetentionError as error:
        if run.several and not record["rows"]:
            data, why = run.context.data, str(error)
            named = why if data is None else why.replace(str(data), data.name)  # no folder of here
            _write(paths, record | {LEFT_OUT: named})
        raise LeftOutError(str(error)) from None
    _write(paths, record)
    return record


def _begun(paths: Sequence[Path], experiment: Experiment, run: Run) -> Record:
    """A new record, or the one of an earlier run with the same arguments. Raises InputError for a
    file that is no record of the experiment."""
    source, seed = run.source, run.context.seed
    dtype = source.computes_in()
    fresh: Record = {
        "experiment": experiment.name,
        "provenance": origin(run.arguments, seed=seed, model=source.model, dtype=dtype),
        "weights_sha256": weights_sha256(source.model),
        **({GIVEN: run.rerun()} if run.rerun() else {}),
        "rows": [],
    }
    path, record = next((path for path in paths if path.exists()), None), fresh
    if path is not None:
        there = read_record(path, name := experiment.name)
        if there is None:  # so that it is not overwritten
            raise InputError(f"{path} is no record of {name}: give another file, or remove it")
        record = resumed(path, fresh) if there["rows"] else fresh
    marks = (LEFT_OUT, UNFINISHED)
    return {name: value for name, value in record.items() if name not in marks}


def _write(paths: Sequence[Path], record: Record) -> None:
    for path in paths:
        write_json(folder_of(path), record)
