"""``ta reproduce``: the paper's experiments again, ours beside the paper's."""

from __future__ import annotations

import json as jsonlib
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import Progress
from rich.table import Table

from ..errors import InputError
from ..evaluation.provenance import provenance
from ..evaluation.reproduce import EXPERIMENTS, Context, Experiment, Record, Row, get_experiment
from ..training.arithmetic import flushed_subnormals
from . import options
from .common import EMBEDDED, load_model, load_tokenizer, progress_bar, set_threads, write_json
from .measure import Filler, resumed, weights_sha256

ALL = "all"
WIDE = 120  # columns of a terminal that a table needs


def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Experiments, or `all`; without any, their list.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few trials, no judgement.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every cell, hours.")] = False,
    trials: Annotated[int | None, typer.Option(help="Contexts of every block.")] = None,
    filler: Filler = "pydoc",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    tokenizers: Annotated[
        Path | None,
        typer.Option(
            help="For `models`: a folder of tokenizers; `llama3` and `mistral_v3` are the paper's."
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="File or folder of an experiment's own input.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="As torch names it: cpu, cuda.")] = None,
    threads: options.Threads = None,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json", help="Record, a folder for several; what it holds is not run again."
        ),
    ] = None,
) -> None:
    """Tables of the paper measured again, the paper's figures in a column of their own."""
    if not names:
        Console().print(_list())
        return
    chosen = [get_experiment(name) for name in (EXPERIMENTS if names == [ALL] else names)]
    if quick and full:
        raise InputError("--quick and --full exclude each other")
    size = "quick" if quick else "full" if full else "default"
    set_threads(threads)
    load = partial(_load, model, tokenizer, device)
    arguments = {"size": size, "trials": trials, "filler": Path(filler).name}
    for experiment in chosen:
        path = _path(json, experiment.name, several=len(chosen) > 1)
        record = _started(path, experiment, arguments, model, seed)
        context = Context(
            load,
            model=Path(model).name,
            seed=seed,
            size=size,  # type: ignore[arg-type]
            trials=trials,
            filler=filler,
            rows=record["rows"],
            tokenizers=_tokenizers(tokenizers),
            data=data,
            save=partial(_save, path, record),
        )
        record = _run(experiment, context, record)
        write_json(path, record)
        _show(f"# {experiment.name}: {experiment.table}\n\n{experiment.render(record)}")


def _show(text: str) -> None:
    """Markdown as tables where they fit, as it is in a narrow terminal and in a file."""
    console = Console()
    if console.is_terminal and console.width >= WIDE:
        console.print(Markdown(text))
    else:
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def _list() -> Table:
    table = Table("experiment", "paper", "what it measures")
    for name in EXPERIMENTS:
        experiment = get_experiment(name)
        table.add_row(name, experiment.table, experiment.summary)
    return table


def _load(model: str, tokenizer: str | None, device: str | None) -> tuple[Any, Any]:
    loaded, tokens = load_model(model, tokenizer)
    try:
        return (loaded if device is None else loaded.to(device)), tokens
    except (RuntimeError, AssertionError) as error:
        raise InputError(f"--device {device}: {str(error).splitlines()[0]}") from None


def _path(json: Path | None, name: str, *, several: bool) -> Path | None:
    """The record's file; a folder is made for several."""
    if json is None or not (several or json.is_dir()):
        return json
    try:
        json.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--json {json}: cannot make this folder, {error.strerror}") from None
    return json / f"{name}.json"


def _started(
    path: Path | None, experiment: Experiment, arguments: dict[str, Any], model: str, seed: int
) -> Record:
    """A new record, or the one of an interrupted run with the same arguments."""
    record: Record = {
        "experiment": experiment.name,
        "provenance": provenance(arguments, seed=seed, model=Path(model).name),
        "weights_sha256": weights_sha256(model),
        "rows": [],
    }
    if path is not None and path.exists():
        _check_kind(path, experiment.name)
    return resumed(path, record)


def _check_kind(path: Path, name: str) -> None:
    try:
        found = jsonlib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or found.get("experiment") != name:
        raise InputError(f"{path} is no record of {name}: give another file")


def _tokenizers(folder: Path | None) -> dict[str, Any]:
    """What loads each tokenizer of a folder, by name."""
    if folder is None:
        return {}
    found = {path.name: partial(load_tokenizer, str(path)) for path in sorted(folder.glob("*/"))}
    if not found:
        raise InputError(f"--tokenizers {folder}: no folder in it, each must hold one tokenizer")
    return found


def _save(path: Path | None, record: Record, rows: list[Row]) -> None:
    write_json(path, record | {"rows": rows})


def _run(experiment: Experiment, context: Context, record: Record) -> Record:
    with flushed_subnormals(), progress_bar() as bar:
        context.progress = _progress(bar, experiment.name)
        return record | experiment.run(context)


def _progress(bar: Progress, name: str) -> Any:
    task = bar.add_task(name, total=None)

    def progress(done: float, total: float) -> None:
        bar.update(task, completed=done, total=total)

    return progress
