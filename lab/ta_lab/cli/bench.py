"""``ta bench``: speed and memory beside peers, the arms of a benchmark interleaved in one run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    counting,
    progress_bar,
    set_threads,
    write_json,
)
from transactional_attention.errors import UnknownNameError
from transactional_attention.inspection.provenance import provenance
from transactional_attention.models import EMBEDDED, dtype_of, load_model, weights_sha256
from transactional_attention.models.loading import gguf_of

from ..benchmarks.benchmark import SHAPES, Benchmark, Outcome, Recipe, Request
from ..benchmarks.registry import BENCHMARKS
from ..benchmarks.tables import by_benchmark, cells
from ..benchmarks.timing import describe, find_device
from . import lab_options

ALL = "all"
NAMES = ", ".join(BENCHMARKS)


def bench(
    name: Annotated[str, typer.Argument(help=f"{NAMES}, or all (but stream).")] = ALL,
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
    filler: lab_options.Filler = "anchor-free",
    state: Annotated[
        Path | None, typer.Option(help="Folder from which an interrupted run of serve goes on.")
    ] = None,
    program: Annotated[
        Path | None,
        typer.Option(
            "--ta", help="llama-server: the ta that serves, of an environment without torch, say."
        ),
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
    json: options.Json = None,
) -> None:
    """Medians, ranges and ratios to a peer that does the same work. Sizes have defaults by name.

    --json is written after each benchmark."""
    chosen = _chosen(name)
    set_threads(threads)  # before the record of the machine, and before dtypes are tried
    find_device(device)
    if shape is None and not (any(item.gguf for item in chosen) and gguf_of(model)):
        dtype = dtype_of(model, dtype)
    loader = partial(load_model, model, tokenizer, dtype=dtype)
    recipe = Recipe(loader, shape, dtype, device, threads, model).named()
    given: dict[str, Any] = {
        "tokens": tokens and comma_list(tokens, int, "--tokens"),
        "budgets": budget and comma_list(budget, int, "--budget"),
        "methods": methods and comma_list(methods, str, "--methods"),
        "rounds": rounds,
    }
    kept: dict[str, Any] = {
        "chunk": chunk,
        "turns": turns,
        "seed": seed,
        "filler": filler,
        "state": state,
        "program": program,
    }
    sizes = {
        item: {name: getattr(item, name) if v is None else v for name, v in given.items()}
        for item in chosen
    }
    requests = {item: Request(recipe, **settings, **kept) for item, settings in sizes.items()}
    sha = weights_sha256(model) if shape is None else None  # a shape's weights are random
    arguments = {
        "sizes": {item.name: settings for item, settings in sizes.items()},
        "chunk": chunk,
        "turns": turns,
        "filler": Path(filler).name,
        "shape": recipe.shape,
        "dtype": recipe.dtype,
        "threads": recipe.threads,
        **describe(find_device(recipe.device)),
        **({"tokenizer": Path(tokenizer).name} if tokenizer else {}),
    }
    origin = provenance(arguments, seed=seed, model=shape or Path(model).name)
    record: dict[str, Any] = {"provenance": origin, "weights_sha256": sha, "rows": [], "notes": []}
    for item, request in requests.items():
        outcome = _run(item, request)
        record["rows"] += [{"benchmark": item.name, **row} for row in outcome.rows]
        record["notes"] += outcome.notes
        write_json(json, record)
    _show(record)


def _chosen(name: str) -> list[Benchmark]:
    if name == ALL:
        return [item for item in BENCHMARKS.values() if item.in_all]
    if name not in BENCHMARKS:
        raise UnknownNameError("benchmark", name, (*BENCHMARKS, ALL))
    return [BENCHMARKS[name]]


def _run(item: Benchmark, request: Request) -> Outcome:
    with progress_bar() as bar:
        return item.run(replace(request, progress=counting(bar, item.name)))


def _show(record: dict) -> None:
    console = Console()
    for benchmark, rows in by_benchmark(record).items():
        head, lines = cells(benchmark, rows)
        table = Table(*head, title=benchmark)
        for line in lines:
            table.add_row(*line)
        console.print(table)
    for note in record["notes"]:
        Console(stderr=True).print(note, markup=False, soft_wrap=True)
