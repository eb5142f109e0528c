"""``ta train evaluate|perplexity|dormancy``: what a model can do, before retention is judged by it.

``evaluate`` goes on where a record ends: a cell that is in it is not run again."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    counting,
    origin,
    progress_bar,
    set_threads,
    write_json,
)
from transactional_attention.errors import InputError
from transactional_attention.models import AUTO, EMBEDDED, load_model, place_of, weights_sha256
from transactional_attention.models.embedded import read_card

from ..cases.decoding import flushed_subnormals
from ..experiments.ceilings import Sample, check_ceilings, groups_for, measure, stated_ceilings
from ..experiments.dormancy_measure import dormancy
from ..experiments.perplexity import load_text, perplexity
from ..report.tables import ceilings_table

QUICK_TRIALS = 5


def evaluate(
    rows: Annotated[str, typer.Option(help="Tasks, comma-separated; all by default.")] = "",
    trials: Annotated[int | None, typer.Option(help="Questions a cell; default 100.")] = None,
    tokens: Annotated[int | None, typer.Option(help="One length in place of all.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="5 questions a cell, up to 4,096 tokens.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Exit 1 below 90% of what the model's card states.")
    ] = False,
    card: Annotated[Path | None, typer.Option(help="Card to state the ceilings in.")] = None,
    filler: options.Filler = "pydoc",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = 1,
    json: options.Json = None,
) -> None:
    """Ceilings: exact answers with the full cache, the oracle's span, and without the value."""
    set_threads(threads)
    sample = Sample(trials or (QUICK_TRIALS if quick else 100), seed, filler)
    stated = read_card(Path(place_of(model))).get("ceilings", {}) if check else {}
    arguments = {"trials": sample.trials, "filler": Path(filler).name}
    record: dict[str, Any] = {
        "provenance": origin(arguments, seed=seed, model=model, dtype=dtype),
        "weights_sha256": weights_sha256(model),
        "rows": [],
    }
    record = resumed(json, record)
    loaded, tokens_of = load_model(model, tokenizer, dtype=dtype)
    tasks = comma_list(rows, str, "--rows")
    groups = groups_for(tokens_of, tasks=tasks, tokens=tokens, quick=quick)
    with flushed_subnormals(), progress_bar() as bar:
        task = bar.add_task("groups of cells", total=len(groups))
        record["rows"] = measure(
            loaded,
            tokens_of,
            groups,
            sample,
            record["rows"],
            save=lambda done: write_json(json, record | {"rows": done}),
            progress=lambda share: bar.advance(task, share),
        )
    Console().print(Markdown(ceilings_table(record)))
    if card is not None:
        write_json(card, read_card(card.parent) | {"ceilings": stated_ceilings(record)})
    problems = check_ceilings(record, stated) if check else []
    for problem in problems:
        Console(stderr=True).print(f"below 90% of the stated ceiling: {problem}", markup=False)
    raise typer.Exit(1 if problems else 0)


def resumed(path: Path | None, record: dict[str, Any]) -> dict[str, Any]:
    """The record in ``path`` when there is one, else ``record``. Raises InputError when the file is
    none, or was made with another model, seed or sample."""
    if path is None or not path.exists():
        return record
    try:
        found = jsonlib.loads(path.read_text(encoding="utf-8"))
        made, asked = _deciding(found), _deciding(record)
        complete = "rows" in found
    except (OSError, ValueError, KeyError, TypeError):
        complete = False
    if not complete:
        raise InputError(f"{path} is no record to go on with: give another file")
    apart = [
        f"{name} ({there} there, {here} here)"
        for name in dict.fromkeys((*made, *asked))
        for there, here in _apart(made.get(name), asked.get(name))
    ]
    if apart:
        raise InputError(
            f"{path} was made with another {' and '.join(apart)}: give the same, or another file"
        )
    return dict(found)


def _deciding(record: dict[str, Any]) -> dict[str, Any]:
    """What decides the figures of a record, by the name that a reader knows."""
    about = record["provenance"]
    return {
        "model": about["model"],
        "seed": about["seed"],
        "dtype": about.get("dtype", "float32"),  # records were without it when all were so
        **about["arguments"],
        "checksum of the weights": record["weights_sha256"],
    }


def _apart(made: Any, asked: Any) -> list[tuple[str, str]]:
    """Two settings in a message where they differ: of lists what the other lacks."""
    if made == asked:
        return []
    if isinstance(made, list) and isinstance(asked, list):
        made, asked = [m for m in made if m not in asked], [a for a in asked if a not in made]
    return [(_told(made), _told(asked))]


def _told(value: Any) -> str:
    """A setting in a message; of a checksum its begin."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing else"
    return "none" if value is None else str(value)[:16]


def measure_perplexity(
    text: Annotated[Path, typer.Argument(help="WikiText-2 test, .txt or .txt.xz.")],
    baseline: Annotated[Path, typer.Argument(help="Text that the n-grams are trained on.")],
    window: Annotated[int, typer.Option(help="Tokens of a window.")] = 1024,
    limit: Annotated[int | None, typer.Option(help="So many windows only.")] = None,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = 1,
    json: options.Json = None,
) -> None:
    """Perplexity in windows, beside a unigram and a 5-gram over the same tokens."""
    set_threads(threads)
    arguments = {"text": text.name, "baseline": baseline.name, "window": window, "limit": limit}
    record = origin(arguments, seed=None, model=model, dtype=dtype)
    read = (load_text(text), load_text(baseline))
    loaded, tokens = load_model(model, tokenizer, dtype=dtype)
    with flushed_subnormals(), progress_bar() as bar:
        progress = counting(bar, "windows")
        row = perplexity(loaded, tokens, *read, window=window, limit=limit, progress=progress)
    table = Table("", "nats per token", "token perplexity", "bits per character", "per word")
    for name in ("model", "unigram", "five_gram"):
        table.add_row(name, *(f"{figure:,.3f}" for figure in row[name].values()))
    Console().print(table)
    record = {"provenance": record, "weights_sha256": weights_sha256(model), "rows": [row]}
    write_json(json, record)


def measure_dormancy(
    tokens: Annotated[int, typer.Option(help="Tokens, question included.")] = 4096,
    trials: Annotated[int, typer.Option(help="Needles, spread over five depths.")] = 50,
    filler: options.Filler = "pydoc",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = 1,
    json: options.Json = None,
) -> None:
    """Rank of a value's tokens by cumulative attention, before and after the question."""
    set_threads(threads)
    arguments = {"tokens": tokens, "trials": trials, "filler": Path(filler).name}
    record = origin(arguments, seed=seed, model=model, dtype=dtype)
    loaded, tokens_of = load_model(model, tokenizer, dtype=dtype)
    with flushed_subnormals(), progress_bar() as bar:
        task = bar.add_task("needles", total=trials)
        rows = dormancy(
            loaded,
            tokens_of,
            tokens=tokens,
            trials=trials,
            seed=seed,
            filler=filler,
            progress=lambda: bar.advance(task),
        )
    title = "rank by cumulative attention, 1 has received most: median (worst)"
    table = Table("layer", "before", "after", "of", "by chance", title=title)
    for row in rows:
        shown = (f"{row[k]['median']:,.0f} ({row[k]['worst']:,})" for k in ("before", "after"))
        table.add_row(str(row["layer"]), *shown, f"{row['positions']:,}", f"{row['chance']:,.0f}")
    Console().print(table)
    sha = weights_sha256(model)
    write_json(json, {"provenance": record, "weights_sha256": sha, "rows": rows})
