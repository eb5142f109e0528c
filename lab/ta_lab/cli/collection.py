"""``ta collection``: the project's own cases, written to a file and scored by family."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    origin,
    progress_bar,
    refuse_tokenizer,
    set_threads,
    write_json,
    write_text,
)
from transactional_attention.detection.scanner import Scanner
from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.inspection.provenance import provenance
from transactional_attention.methods.method import Shape
from transactional_attention.methods.registry import get_method
from transactional_attention.models import EMBEDDED, load_model, load_tokenizer

from ..cases.cases import Case, read_cases
from ..cases.encoding import check_rule
from ..collection import SPLITS, collection, to_jsonl
from ..collection.annotated import LOCKED, locked_cases
from ..collection.detecting import (
    READING,
    SETS,
    bound,
    first_of_each,
    lacking,
    of_collection,
    on_collection,
    reader_of,
)
from ..collection.leaving_out import CaseUnit, SessionUnit, Unit, left_to_do, of_rules
from ..collection.scoring import FLOODS, KEYS, markdown, readings, rows
from ..collection.scoring import score as score_cases
from ..sessions.files import read_sessions
from . import lab_options
from .resuming import resumed

CASES = f"A cases file, or {' or '.join((*SPLITS, LOCKED))}."
DEFAULT_METHODS = "random,streaming-llm,oracle,ta-fast-regex,ta-fast-semantic,ta"
SAVED_EVERY = 50  # cases; after each session
app = typer.Typer(help="The project's own cases: write them, score methods on them.")
Split = Annotated[str, typer.Argument(help=f"{' or '.join(SPLITS)}.")]


@app.command("make")
def make(
    split: Split,
    out: Annotated[Path, typer.Argument(help="JSONL, one case a line (docs/cases.md).")],
    seed: options.Seed = 0,
) -> None:
    """Write the cases of a split; the same seed gives the same file."""
    cases = collection(split, seed)
    write_text(out, to_jsonl(cases))
    Console().print(f"{len(cases)} cases in {len({case.family for case in cases})} families")


@app.command("score")
def score(
    cases: Annotated[str, typer.Argument(help=CASES)],
    methods: lab_options.Listed = DEFAULT_METHODS,
    presets: lab_options.Listed = "default,paper",
    budget: Annotated[
        str, typer.Option(help="K, `case`, or `values+N`: N more than the values' tokens.")
    ] = "values+5",
    by: Annotated[str, typer.Option(help=f"{', '.join(KEYS)}.")] = "family",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Values kept whole by family, and tokens protected for nothing; nothing is generated.

    A model is loaded for methods whose detector reads one, and for no others."""
    set_threads(threads)
    check_rule(budget)
    if by not in KEYS:
        raise InputError(f"--by must be one of {', '.join(KEYS)}, got {by!r}")
    names = comma_list(methods, str, "--methods")
    wanted = readings(names, comma_list(presets, str, "--presets"))
    tokens, shape, _held = _tokens(names, model, tokenizer)
    collection = _cases(cases, seed)
    arguments = {"methods": methods, "presets": presets, "by": by, "budget": budget}
    arguments = _named(cases, collection) | arguments
    record = provenance(arguments, seed=seed, model=Path(tokenizer or model).name)
    with progress_bar() as bar:
        task = bar.add_task("cases", total=len(collection))
        settings: dict[str, Any] = {"seed": seed, "shape": shape}
        step = partial(bar.advance, task)
        seen = score_cases(tokens, collection, wanted, budget, progress=step, **settings)
    counted = rows(seen, by)
    typer.echo(markdown(counted))
    write_json(json, {"provenance": record, "rows": counted})


@app.command("detectors")
def detectors(
    cases: Annotated[str, typer.Argument(help=CASES)],
    seed: options.Seed = 0,
    model: Annotated[
        str | None,
        typer.Option(help=f"Adds the detectors that read one ({', '.join(READING)}): a forward."),
    ] = None,
    each: Annotated[int | None, typer.Option(help="Only n cases of every family.")] = None,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Values found whole by family: each detector of text alone, all of them but one, and with
    --model those that read it."""
    set_threads(threads)
    collection = [case for case in _cases(cases, seed) if not case.family.startswith("flood")]
    if each is not None:
        collection = first_of_each(collection, each)
    arguments = _named(cases, collection) | ({} if each is None else {"each": each})
    record = provenance(arguments, seed=seed, model=Path(model or "none").name)
    loaded = None if model is None else load_model(model)
    made, absent = _scanners(loaded)
    counted = []
    with progress_bar() as bar:
        for name, scanner in bar.track(made.items(), description="detectors"):
            counted.append({"detector": name, **on_collection(scanner, collection)})
    typer.echo(of_collection(counted))
    for row in absent:
        typer.echo(f"{row['detector']}: {row['not_available']}", err=True)
    write_json(json, {"provenance": record, "rows": [*counted, *absent]})


@app.command("rules")
def rules(
    sessions: Annotated[
        Path | None, typer.Option(help="Real sessions as well, as `ta sessions` reads them.")
    ] = None,
    budgets: Annotated[str, typer.Option(help="Of sessions, comma-separated.")] = "512",
    each: Annotated[
        int | None, typer.Option(help="Only n cases of every family of the test split.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only n sessions.")] = None,
    model: options.Model = EMBEDDED,
    seed: options.Seed = 0,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """What each rule of detection and sponsorship earns: what `ta` keeps with it left out.

    Values of the locked and test splits at K = values+5, and what is held of sessions, without a
    memory and with one. A stopped run goes on from its file."""
    set_threads(threads)
    tokenizer = load_tokenizer(model)
    test = collection("test", seed)
    test = test if each is None else first_of_each(test, each)
    split = [(FLOODS if case.family.startswith("flood") else "test", case) for case in test]
    split += [(LOCKED, case) for case in locked_cases()]
    units: list[Unit] = [CaseUnit(tokenizer, name, case) for name, case in split]
    arguments: dict[str, Any] = {} if each is None else {"each": each}
    if sessions is not None:
        arguments |= {"sessions": sessions.name, "budgets": budgets, "limit": limit}
        wanted = comma_list(budgets, int, "--budgets")
        known = read_sessions(sessions, limit)
        units += [SessionUnit(tokenizer, session, wanted) for session in known]
    record = resumed(
        json,
        {
            "provenance": origin(arguments, seed=seed, model=model, dtype=None),
            "weights_sha256": None,
            "units": 0,
            "rows": [],
        },
    )
    with progress_bar() as bar:
        total = len(units) - record["units"]
        for unit in bar.track(left_to_do(units, record), total, description="rules"):
            if isinstance(unit, SessionUnit) or record["units"] % SAVED_EVERY == 0:
                write_json(json, record)
    write_json(json, record)
    typer.echo(of_rules(record["rows"]))


def _scanners(
    loaded: tuple[Any, Any] | None,
) -> tuple[dict[str, Callable[[], Scanner]], list[dict[str, str]]]:
    """What makes a scanner, by name, and why a detector that reads the model is not available."""
    made: dict[str, Callable[[], Scanner]]
    made, absent = {name: partial(Scanner, chosen) for name, chosen in SETS.items()}, []
    for name in READING if loaded is not None else ():
        try:
            made[name] = partial(Scanner, [bound(name, reader_of(*loaded))])  # type: ignore[misc]
        except RetentionError as error:
            absent.append({"detector": name, "not_available": lacking(error)})
    return made, absent


def _cases(name: str, seed: int) -> list[Case]:
    if name == LOCKED:
        return locked_cases()
    if name in SPLITS:
        return collection(name, seed)
    return list(read_cases(Path(name)))


def _named(name: str, cases: list[Case]) -> dict[str, str]:
    """What a record calls the cases: no folder, and a checksum of what they hold."""
    return {"cases": Path(name).name, "sha256": sha256(to_jsonl(cases).encode()).hexdigest()}


def _tokens(
    names: Sequence[str], model: str, tokenizer: str | None
) -> tuple[Any, Shape | None, Any]:
    """The tokenizer; where a method reads the model, its shape and, as that is weak, the model."""
    reading = [name for name in names if get_method(name).reads_model]
    if not reading:
        return load_tokenizer(tokenizer or model), None, None
    refuse_tokenizer(reading[0], model, tokenizer)
    loaded, tokens = load_model(model, tokenizer)
    return tokens, model_shape(loaded, tokens), loaded
