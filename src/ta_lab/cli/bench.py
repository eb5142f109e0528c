"""``ta bench``: speed and memory beside peers, the arms of a benchmark interleaved in one run."""

from __future__ import annotations

import cProfile
import io
import json
import pstats
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import torch
import typer
from rich.console import Console
from rich.table import Table
from torch.profiler import ProfilerActivity, profile

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    progress_bar,
    set_threads,
    writable,
    write_json,
)
from transactional_attention.errors import InputError, UnknownNameError
from transactional_attention.inspection.provenance import provenance
from transactional_attention.models import EMBEDDED, dtype_of, load_model, weights_sha256

from ..benchmarks.benchmark import SHAPES, Benchmark, Outcome, Recipe, Request
from ..benchmarks.registry import BENCHMARKS
from ..benchmarks.tables import by_benchmark, cells
from ..benchmarks.timing import describe, find_device
from ..report import UNFINISHED


class BenchRecord:
    """Rows and notes so far, in ``path`` when there is one.

    What an unfinished record in ``path`` holds is not measured again; a finished one is replaced.
    Raises InputError for an unfinished record of another commit, machine, model or request."""

    def __init__(
        self, path: Path | None, origin: dict[str, Any], weights_sha256: str | None
    ) -> None:
        self.path = path
        about = {"provenance": origin, "weights_sha256": weights_sha256, UNFINISHED: True}
        fresh: dict[str, Any] = {**about, "rows": [], "notes": []}
        found = _unfinished(path)
        if found is not None:
            differ = _differing(found, fresh)
            if differ:
                raise InputError(
                    f"{path} holds an unfinished run with another {', '.join(differ)}: "
                    "go on as it was begun, or remove it"
                )
        self.content = found or fresh

    def holds(self, benchmark: str) -> bool:
        """Whether a benchmark was measured."""
        return any(row["benchmark"] == benchmark for row in self.content["rows"])

    def add(self, benchmark: str, outcome: Outcome) -> None:
        """Note what one benchmark gave, and write it."""
        self.content["rows"] += [{"benchmark": benchmark, **row} for row in outcome.rows]
        self.content["notes"] += outcome.notes
        write_json(self.path, self.content)

    def finish(self) -> None:
        """Nothing more will be added."""
        self.content.pop(UNFINISHED)
        write_json(self.path, self.content)


def _unfinished(path: Path | None) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8")) if path is not None else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get(UNFINISHED) else None


def _differing(found: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    """What two records do not share of all that decides their figures."""
    there, here = _settings(found), _settings(json.loads(json.dumps(fresh)))  # no tuples in a file
    return sorted(name for name in here if there.get(name) != here[name])


def _settings(record: dict[str, Any]) -> dict[str, Any]:
    origin = {name: value for name, value in record["provenance"].items() if name != "time"}
    asked = origin.pop("arguments")
    return {**origin, **asked, "weights_sha256": record.get("weights_sha256")}


LINES = 40
T = TypeVar("T")


def profiled(work: Callable[[], T], path: Path) -> T:
    """Run, and write what dominates: operators by torch's profiler, functions by cProfile. Profiled
    arms are several times slower, so nothing of such a run is a timing. Raises InputError when the
    file cannot be written."""
    activities = [ProfilerActivity.CPU]
    if torch.cuda.is_available():
        activities.append(ProfilerActivity.CUDA)
    functions = cProfile.Profile()
    with profile(activities=activities) as operators:
        found = functions.runcall(work)
    sort = "self_cuda_time_total" if torch.cuda.is_available() else "self_cpu_time_total"
    written = io.StringIO()
    stats = pstats.Stats(functions, stream=written).strip_dirs()
    stats.sort_stats("tottime").print_stats(LINES)
    table = operators.key_averages().table(sort_by=sort, row_limit=LINES)
    try:
        path.write_text(f"{table}\n{written.getvalue()}", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    return found


ALL = "all"
NAMES = ", ".join(BENCHMARKS)
SIZES = ("tokens", "budgets", "methods", "rounds")


def bench(
    name: Annotated[str, typer.Argument(help=f"{NAMES}, or all (but stream, peers).")] = ALL,
    budget: Annotated[
        str | None, typer.Option(help="K, tokens per layer and kv head; several by commas.")
    ] = None,
    tokens: Annotated[
        str | None,
        typer.Option("--tokens", "--context", help="Lengths of what is read, by commas."),
    ] = None,
    methods: Annotated[str | None, typer.Option(help="Comma-separated.")] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Every arm runs once a round; sessions of agent.")
    ] = None,
    chunk: Annotated[int, typer.Option(help="New tokens a forward where text is streamed.")] = 512,
    turns: Annotated[int, typer.Option(help="Turns of agent.")] = 50,
    filler: options.Filler = "anchor-free",
    state: Annotated[
        Path | None, typer.Option(help="Folder that stream goes on from when interrupted.")
    ] = None,
    shape: Annotated[
        str | None, typer.Option(help=f"Random weights in a shape: {', '.join(SHAPES)}.")
    ] = None,
    dtype: Annotated[
        str, typer.Option(help="auto, float32, bfloat16 or float16; auto: a shape's faster one.")
    ] = "auto",
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = 1,
    profile: Annotated[
        Path | None,
        typer.Option(callback=writable, help="Write what dominates one round; no figures."),
    ] = None,
    json: options.Json = None,
) -> None:
    """Medians, ranges and ratios to a peer that does the same work. Sizes have defaults by name.

    --json is written after each benchmark; the same command goes on where it was interrupted."""
    if profile is not None and json is not None:
        raise InputError("--profile slows every arm down: record with --json in another run")
    chosen = _chosen(name)
    set_threads(threads)  # before the record of the machine, and before dtypes are tried
    find_device(device)
    if shape is None and not any(item.gguf for item in chosen):
        dtype = dtype_of(model, dtype)
    loader = partial(load_model, model, tokenizer, dtype=dtype)
    recipe = Recipe(loader, shape, dtype, device, threads, model).named()
    given: dict[str, Any] = {
        "tokens": tokens and comma_list(tokens, int, "--tokens"),
        "budgets": budget and comma_list(budget, int, "--budget"),
        "methods": methods and comma_list(methods, str, "--methods"),
        "rounds": 1 if profile is not None else rounds,
    }
    kept = {"chunk": chunk, "turns": turns, "seed": seed, "filler": filler, "state": state}
    requests = {item: _request(item, recipe, given, kept) for item in chosen}
    sha = weights_sha256(model) if shape is None else None  # a shape's weights are random
    read_as = tokenizer and Path(tokenizer).name
    record = BenchRecord(json, _provenance(requests, shape or Path(model).name, read_as), sha)
    for item, request in requests.items():
        if not record.holds(item.name):
            record.add(item.name, _run(item, request, profile))
    record.finish()
    _show(record.content, seconds=profile is None)


def _chosen(name: str) -> list[Benchmark]:
    if name == ALL:
        return [item for item in BENCHMARKS.values() if item.in_all]
    if name not in BENCHMARKS:
        raise UnknownNameError("benchmark", name, (*BENCHMARKS, ALL))
    return [BENCHMARKS[name]]


def _request(item: Benchmark, recipe: Recipe, given: dict, kept: dict) -> Request:
    """What was asked for, and the benchmark's own sizes where nothing was."""
    sizes = {name: getattr(item, name) if v is None else v for name, v in given.items()}
    return Request(recipe, **sizes, **kept)


def _provenance(
    requests: dict[Benchmark, Request], model: str, tokenizer: str | None
) -> dict[str, Any]:
    request = next(iter(requests.values()))
    recipe = request.recipe
    sizes = {
        item.name: {name: getattr(asked, name) for name in SIZES}
        for item, asked in requests.items()
    }
    arguments = {
        "sizes": sizes,
        "chunk": request.chunk,
        "turns": request.turns,
        "filler": Path(request.filler).name,
        "shape": recipe.shape,
        "dtype": recipe.dtype,
        "threads": recipe.threads,
        **describe(find_device(recipe.device)),
    }
    if tokenizer is not None:
        arguments["tokenizer"] = tokenizer
    return provenance(arguments, seed=request.seed, model=model)


def _run(item: Benchmark, request: Request, profile: Path | None) -> Outcome:
    with progress_bar() as bar:
        task = bar.add_task(item.name, total=None)
        told = replace(
            request, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
        work = partial(item.run, told)
        return work() if profile is None else profiled(work, profile)


def _show(record: dict, *, seconds: bool) -> None:
    console = Console()
    for benchmark, rows in by_benchmark(record).items() if seconds else ():
        head, lines = cells(benchmark, rows)
        table = Table(*head, title=benchmark)
        for line in lines:
            table.add_row(*line)
        console.print(table)
    for note in record["notes"]:
        Console(stderr=True).print(note, markup=False, soft_wrap=True)
