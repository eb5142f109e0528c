"""``ta needle``: the paper's main table on any model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..config import Retention
from ..evaluation.provenance import provenance
from ..evaluation.sweep import NeedleSweep, over_depths, run_needle
from ..methods import ALL_METHODS
from . import options
from .common import EMBEDDED, comma_list, load_model, progress_bar, set_threads, write_json

DEFAULT_METHODS = "full,streaming-llm,random,oracle,ta-fast-regex,ta-fast-semantic,ta"


def needle(
    methods: Annotated[str, typer.Option(help="Comma-separated, or `all`.")] = DEFAULT_METHODS,
    budgets: Annotated[str, typer.Option(help="K, comma-separated.")] = "16,32,64,128,256",
    context: Annotated[int, typer.Option(help="Tokens, question included.")] = 4096,
    depths: Annotated[str, typer.Option(help="Relative, comma-separated.")] = "0.1,0.3,0.5,0.7,0.9",
    trials: Annotated[int, typer.Option(help="Cases per depth.")] = 10,
    protocol: options.Protocol = "hidden",
    ledger: options.Ledger = "strict",
    preset: options.Preset = "default",
    filler: Annotated[str, typer.Option(help="pydoc, anchor-free, or a text file.")] = "pydoc",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    threads: options.Threads = None,
    json: options.Json = None,
) -> None:
    """A value hidden in filler, asked for at the end: exact answers by method and budget."""
    set_threads(threads)
    names = tuple(ALL_METHODS) if methods == "all" else comma_list(methods, str, "--methods")
    base = Retention(budget=None, preset=preset, ledger=ledger)  # type: ignore[arg-type]
    sweep = NeedleSweep(
        names,
        comma_list(budgets, int, "--budgets"),
        comma_list(depths, float, "--depths"),
        trials,
        context,
        protocol,  # type: ignore[arg-type]
        filler,
        seed,
        replace(base),
    )
    origin = _provenance(sweep, model)  # of the code that runs, not of what is there when it ends
    loaded, tokens = load_model(model, tokenizer)
    with progress_bar() as bar:
        task = bar.add_task("cases", total=sweep.num_cases)
        rows = run_needle(loaded, tokens, sweep, lambda: bar.advance(task))
    Console().print(_table(sweep, rows))
    Console().print(_anchors(rows) + _passes(rows))
    write_json(json, {"provenance": origin, "rows": rows})


def _provenance(sweep: NeedleSweep, model: str) -> dict[str, Any]:
    arguments = {
        name: getattr(sweep, name)
        for name in ("methods", "budgets", "depths", "trials", "context", "protocol")
    }
    arguments |= {"ledger": sweep.base.ledger, "preset": sweep.base.preset}
    arguments["filler"] = Path(sweep.filler).name
    return provenance(arguments, seed=sweep.seed, model=Path(model).name)


def _table(sweep: NeedleSweep, rows: list[dict[str, Any]]) -> Table:
    """Accuracy in percent with its 95% interval, one line a method, one column a budget."""
    title = (
        f"needle, {sweep.context} tokens, {sweep.filler} filler, question {sweep.protocol}, "
        f"{sweep.base.ledger} ledger, {sweep.base.preset} preset, n={sweep.num_cases}: "
        "exact answers in % [95% interval], values kept whole in %"
    )
    table = Table("method", *(f"K={b}" for b in sweep.budgets), title=title, title_justify="left")
    cells = {(row["method"], row["budget"]): row for row in over_depths(rows)}
    for method in sweep.methods:
        shown = [_cell(cells[method, budget]) for budget in sweep.budgets]
        table.add_row(method, *shown)
    return table


def _anchors(rows: list[dict[str, Any]]) -> str:
    """Anchors found per prompt, by method; a filler full of anchors leaves less room for values."""
    found: dict[str, list[int]] = {}
    for row in rows:
        counted = found.setdefault(row["method"], [0, 0])
        counted[0] += row["anchors"]
        counted[1] += row["trials"]
    shown = (f"{method} {total / trials:.1f}" for method, (total, trials) in found.items())
    return "anchors per prompt: " + ", ".join(shown)


def _passes(rows: list[dict[str, Any]]) -> str:
    """What methods with passes of their own cost a case."""
    costs = {row["method"]: row for row in rows if "pass_tokens" in row}
    shown = (
        f"{method} {row['pass_tokens']:.0f} tokens, {row['pass_seconds']:.1f} s"
        + (f", {row['deleted_tokens']:.0f} deleted" if "deleted_tokens" in row else "")
        for method, row in costs.items()
    )
    return "\npasses of their own, a case: " + "; ".join(shown) if costs else ""


def _cell(row: dict[str, Any]) -> str:
    low, high = row["ci95"]
    kept = 100 * row["retained"] / row["trials"]
    return f"{100 * row['accuracy']:.0f} [{100 * low:.0f}, {100 * high:.0f}] kept {kept:.0f}"
