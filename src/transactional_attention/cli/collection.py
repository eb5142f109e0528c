"""``ta collection``: the project's own cases, written to a file and scored by family."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ..errors import InputError
from ..evaluation.budgets import check_rule
from ..evaluation.cases import Case, read_cases
from ..evaluation.collection import SPLITS, collection, to_jsonl
from ..evaluation.collection.scoring import KEYS, markdown, readings, rows
from ..evaluation.collection.scoring import score as score_cases
from ..evaluation.provenance import provenance
from . import options
from .common import (
    EMBEDDED,
    comma_list,
    load_tokenizer,
    progress_bar,
    set_threads,
    write_json,
    write_text,
)

DEFAULT_METHODS = "random,streaming-llm,oracle,ta-fast-regex,ta-fast-semantic,ta"
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
    cases: Annotated[str, typer.Argument(help=f"A cases file, or {' or '.join(SPLITS)}.")],
    methods: Annotated[str, typer.Option(help="Comma-separated.")] = DEFAULT_METHODS,
    presets: Annotated[str, typer.Option(help="Comma-separated.")] = "default,paper",
    budget: Annotated[
        str, typer.Option(help="K, `case`, or `values+N`: N more than the values' tokens.")
    ] = "values+5",
    by: Annotated[str, typer.Option(help=f"{', '.join(KEYS)}.")] = "family",
    seed: options.Seed = 0,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """Values kept whole by family, and tokens protected for nothing; no model runs."""
    set_threads(threads)
    check_rule(budget)
    if by not in KEYS:
        raise InputError(f"--by must be one of {', '.join(KEYS)}, got {by!r}")
    names, kinds = comma_list(methods, str, "--methods"), comma_list(presets, str, "--presets")
    wanted = readings(names, kinds)
    loaded = load_tokenizer(tokenizer or EMBEDDED)
    found = collection(cases, seed) if cases in SPLITS else _read(Path(cases))
    arguments = {"cases": Path(cases).name, "methods": methods, "presets": presets, "by": by}
    arguments |= {"budget": budget, "sha256": sha256(to_jsonl(found).encode()).hexdigest()}
    record = provenance(arguments, seed=seed, model=Path(tokenizer or EMBEDDED).name)
    with progress_bar() as bar:
        task = bar.add_task("cases", total=len(found))
        seen = score_cases(
            loaded, found, wanted, budget, seed=seed, progress=lambda: bar.advance(task)
        )
    counted = rows(seen, by)
    typer.echo(markdown(counted))
    write_json(json, {"provenance": record, "rows": counted})


def _read(path: Path) -> list[Case]:
    return [item for item in read_cases(path) if isinstance(item, Case)]
