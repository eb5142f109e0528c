"""``ta needle``: the paper's main table on any model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    comma_list,
    origin,
    progress_bar,
    set_threads,
    write_json,
)
from transactional_attention.cli.engines import LLAMA_CPP, TRANSFORMERS, is_llama_cpp
from transactional_attention.cli.prompts import asking, told_raw
from transactional_attention.config import Positions, Retention
from transactional_attention.engines.llama_cpp import GgufModel
from transactional_attention.errors import InputError
from transactional_attention.methods.registry import all_methods
from transactional_attention.models import (
    AUTO,
    EMBEDDED,
    load_model,
    load_tokenizer,
    weights_sha256,
)

from ..cases.gguf_runner import on_llama_cpp
from ..cases.sweep import Engine, NeedleSweep, on_transformers, over_depths, run_needle
from ..report.tables import by_method, notes, sizes
from . import lab_options
from .resuming import resumed

ALL = "all"
DEFAULT_METHODS = "full,streaming-llm,random,oracle,ta-fast-regex,ta-fast-semantic,ta"


def needle(
    methods: Annotated[
        str, typer.Option(help="Comma-separated; `all` is every one.")
    ] = DEFAULT_METHODS,
    budgets: Annotated[str, typer.Option(help="K, comma-separated.")] = "16,32,64,128,256",
    context: Annotated[int, typer.Option(help="Tokens, question included.")] = 4096,
    depths: Annotated[str, typer.Option(help="Relative, comma-separated.")] = "0.1,0.3,0.5,0.7,0.9",
    trials: Annotated[int, typer.Option(help="Cases per depth.")] = 10,
    protocol: lab_options.Protocol = "hidden",
    ledger: options.LedgerOption = "strict",
    preset: options.PresetOption = "default",
    positions: options.PositionsOption = "original",
    memory: options.MemoryOption = None,
    filler: lab_options.Filler = "pydoc",
    seed: options.Seed = 0,
    engine: lab_options.Engine = TRANSFORMERS,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    raw: options.Raw = False,
    dtype: options.Dtype = AUTO,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """A value hidden in filler, asked for at the end: exact answers by method and budget.

    With --json every case is saved beside FILE when it is done; an interrupted run goes on."""
    set_threads(threads)
    with_llama_cpp = is_llama_cpp(engine, dtype)
    names = _methods(methods)
    base = Retention(None, preset=preset, ledger=ledger, positions=positions, memory=memory)  # type: ignore[arg-type]
    if with_llama_cpp and base.positions != "original":
        raise InputError("--positions compact is measured by --engine transformers")
    sweep = NeedleSweep(
        names,
        comma_list(budgets, int, "--budgets"),
        comma_list(depths, float, "--depths"),
        trials,
        context,
        protocol,  # type: ignore[arg-type]
        filler,
        seed,
        base,
    )
    loading = Loading(model, tokenizer, dtype, raw, with_llama_cpp, threads)
    _show(sweep, _run(sweep, loading, json))


class Loading(NamedTuple):
    """The model of a sweep, and how it is asked."""

    model: str
    tokenizer: str | None
    dtype: str
    raw: bool
    with_llama_cpp: bool = False
    threads: int | None = None

    def load(self, positions: Positions) -> tuple[Engine, Any]:
        """What runs the cases, and the tokenizer that they are made with."""
        if self.with_llama_cpp:
            model = GgufModel(self.model)
            tokenizer = load_tokenizer(self.tokenizer or self.model)
            _, tokens = asking((None, tokenizer), self.raw)
            return on_llama_cpp(model, tokens, self.threads), tokens
        loaded = load_model(self.model, self.tokenizer, dtype=self.dtype)
        transformer, tokens = asking(loaded, self.raw)
        return on_transformers(transformer, tokens, positions), tokens


def _run(sweep: NeedleSweep, loading: Loading, json: Path | None) -> list[dict[str, Any]]:
    """The rows of a sweep; with a file they are saved beside it case by case, and in it at last."""
    # of the code that runs, not of what is there when it ends
    about = _provenance(sweep, loading)
    partial = None if json is None else json.with_name(f"{json.name}.partial")
    record = _begun(partial, {"provenance": about, "weights_sha256": weights_sha256(loading.model)})
    engine, tokens = loading.load(sweep.base.positions)
    with progress_bar() as bar:
        task = bar.add_task("cases", total=sweep.num_cases)
        rows = run_needle(
            engine,
            tokens,
            sweep,
            lambda: bar.advance(task),
            done=record["rows"],
            save=lambda done: write_json(partial, record | {"rows": done}),
        )
    write_json(json, record | {"rows": rows})
    if partial is not None:
        partial.unlink(missing_ok=True)
    return rows


def _begun(partial: Path | None, fresh: dict[str, Any]) -> dict[str, Any]:
    """A new record, or what an interrupted run of the same sweep left. Raises InputError when that
    was another sweep, naming what differs."""
    record = resumed(partial, fresh | {"rows": []})
    if not record["rows"]:
        return record
    cases = len({row["case"] for row in record["rows"]})
    Console(stderr=True).print(f"{cases} cases are in {partial}: going on", markup=False)
    old, new = record["provenance"], fresh["provenance"]
    commits = dict.fromkeys((*old.get("commits", [old["commit"]]), new["commit"]))
    dirty = old["dirty"] or new["dirty"]
    return record | {"provenance": old | {"commits": list(commits), "dirty": dirty}}


def _methods(listed: str) -> tuple[str, ...]:
    """The methods of a list in which `all` stands for every one; each once where it does."""
    names = comma_list(listed, str, "--methods")
    if ALL not in names:
        return names
    return tuple(dict.fromkeys(m for n in names for m in (all_methods() if n == ALL else (n,))))


def _provenance(sweep: NeedleSweep, loading: Loading) -> dict[str, Any]:
    arguments: dict[str, Any] = told_raw(loading.raw) | {
        name: list(getattr(sweep, name)) for name in ("methods", "budgets", "depths")
    }
    arguments |= {name: getattr(sweep, name) for name in ("trials", "context", "protocol")}
    arguments |= {"ledger": sweep.base.ledger, "preset": sweep.base.preset}
    arguments |= {"memory": True} if sweep.base.memory else {}
    if sweep.base.positions != "original":
        arguments["positions"] = sweep.base.positions
    arguments["filler"] = Path(sweep.filler).name
    if loading.tokenizer is not None:
        arguments["tokenizer"] = Path(loading.tokenizer).name
    if loading.with_llama_cpp:
        arguments["engine"] = LLAMA_CPP
    dtype = None if loading.with_llama_cpp else loading.dtype
    return origin(arguments, seed=sweep.seed, model=loading.model, dtype=dtype)


def _show(sweep: NeedleSweep, rows: list[dict[str, Any]]) -> None:
    summary = over_depths(rows)
    Console().print(_table(sweep, summary))
    Console().print("\n".join([*notes(summary), _anchors(summary), *_passes(summary)]))


def _table(sweep: NeedleSweep, rows: list[dict[str, Any]]) -> Table:
    """Accuracy in percent with its 95% interval, one line a method, one column a budget."""
    title = (
        f"needle, {sweep.context} tokens, {sweep.filler} filler, question {sweep.protocol}, "
        f"{sweep.base.ledger} ledger, {sweep.base.preset} preset, "
        f"{'memory, ' if sweep.base.memory else ''}"
        f"{'compact positions, ' if sweep.base.positions == 'compact' else ''}n={sweep.num_cases}: "
        "exact answers in % [95% interval], values kept whole in %"
    )
    head, lines = by_method(rows, sizes(rows), " kept ")
    table = Table(*head, title=title, title_justify="left")
    for line in lines:
        table.add_row(*line)
    return table


def _anchors(rows: list[dict[str, Any]]) -> str:
    """Anchors found per prompt, by method; a filler full of anchors leaves less room for values."""
    counts: dict[str, list[int]] = {}
    for row in rows:
        counted = counts.setdefault(row["method"], [0, 0])
        counted[0] += row["anchors"]
        counted[1] += row["trials"]
    shown = (f"{method} {total / trials:.1f}" for method, (total, trials) in counts.items())
    return "anchors per prompt: " + ", ".join(shown)


def _passes(rows: list[dict[str, Any]]) -> list[str]:
    """What methods with passes of their own cost a case, at most over the budgets."""
    costs: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if "pass_tokens" in row:
            costs.setdefault(row["method"], []).append(row)
    shown = [
        f"{method} {max(r['pass_tokens'] for r in group):.0f} tokens, "
        f"{max(r['pass_seconds'] for r in group):.1f} s"
        + (f", {group[0]['deleted_tokens']:.0f} deleted" if "deleted_tokens" in group[0] else "")
        for method, group in costs.items()
    ]
    head = "passes of their own, tokens and seconds of process time a case: "
    return [head + "; ".join(shown)] if shown else []
