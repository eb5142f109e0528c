"""``ta eval``: any cases file under any method."""

from __future__ import annotations

import json as jsonlib
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..config import DEFAULT_METHOD, Retention
from ..engines.transformers.reading import model_shape
from ..errors import InputError
from ..evaluation.budgets import budget_of, check_rule
from ..evaluation.cases import Case, read_cases
from ..evaluation.metrics import wilson
from ..evaluation.provenance import provenance
from ..evaluation.runner import CaseRunner, Outcome, encode_case, retention_only
from ..evaluation.tracing import Traced, save_trace
from ..layout import Shape, observed_by
from ..methods import get_method
from ..watching import Watched, watching
from . import options
from .common import (
    EMBEDDED,
    load_model,
    load_tokenizer,
    progress_bar,
    refuse_tokenizer,
    set_threads,
    write_json,
    write_text,
)


def evaluate(
    cases: Annotated[Path, typer.Argument(help="JSONL, one case a line (docs/cases.md).")],
    method: options.Method = DEFAULT_METHOD,
    budget: Annotated[str, typer.Option(help="K, `case`, or `values+N` (docs/cases.md).")] = "64",
    metric: Annotated[str, typer.Option(help="retention (no model runs) or answer.")] = "retention",
    protocol: options.Protocol = "hidden",
    ledger: options.Ledger = "strict",
    preset: options.Preset = "default",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    out: Annotated[
        Path | None, typer.Option(help="Results, one JSON line a case (mode 0600).")
    ] = None,
    skip_bad: Annotated[bool, typer.Option(help="Name broken lines and go on.")] = False,
    threads: options.Threads = None,
    trace: Annotated[
        Path | None, typer.Option(help="Utilities and kept positions of every case, FILE.npz.")
    ] = None,
    json: options.Json = None,
) -> None:
    """Whole-value retention, or exact answers, of a method over a cases file."""
    set_threads(threads)
    if metric not in ("retention", "answer"):
        raise InputError(f"--metric must be retention or answer, got {metric!r}")
    if protocol not in ("hidden", "visible"):
        raise InputError(f"--protocol must be hidden or visible, got {protocol!r}")
    get_method(method)
    base = Retention(budget=None, method=method, preset=preset, ledger=ledger, seed=seed)  # type: ignore[arg-type]
    check_rule(budget)
    found = _read(cases, skip_bad)
    arguments = {"cases": cases.name, "method": method, "budget": budget, "metric": metric}
    arguments |= {"protocol": protocol, "ledger": ledger, "preset": preset}
    record = provenance(arguments, seed=seed, model=Path(model).name)
    refuse_tokenizer(method, model, tokenizer)
    loaded, shape = None, None
    if metric == "answer" or get_method(method).reads_model:
        loaded, tokens = load_model(model, tokenizer)
        shape = model_shape(loaded, tokens)
    else:
        tokens = load_tokenizer(tokenizer or model)
    asked = protocol if metric == "answer" else None
    results, traced = [], []
    with progress_bar() as bar:
        for case in bar.track(found, description="cases"):
            with watching() if trace is not None else nullcontext(Watched()) as watched:
                results.append(_result(case, base, budget, loaded, tokens, asked, shape))
            traced.append(Traced(case.id, watched))
    if trace is not None:
        save_trace(trace, traced)
    if out is not None:
        lines = (jsonlib.dumps(result, ensure_ascii=False) for result in results)
        write_text(out, "".join(f"{line}\n" for line in lines), mode=0o600)
    rows = _by_family(found, results)
    Console().print(_table(rows, metric, method))
    write_json(json, {"provenance": record, "rows": rows})


def _read(path: Path, skip_bad: bool) -> list[Case]:
    found = []
    for item in read_cases(path, skip_bad=skip_bad):
        if isinstance(item, InputError):
            Console(stderr=True).print(f"skipped: {item}", markup=False, soft_wrap=True)
        else:
            found.append(item)
    if not found:
        raise InputError(f"{path} holds no usable case")
    return found


def _result(
    case: Case,
    base: Retention,
    rule: str,
    model: Any,
    tokenizer: Any,
    protocol: Any,
    shape: Shape | None,
) -> dict[str, Any]:
    """One line of results; without a protocol nothing is asked, so no answer is generated."""
    encoded = encode_case(tokenizer, case)
    unlimited = get_method(base.method).unlimited
    retention = replace(base, budget=None if unlimited else budget_of(rule, encoded))
    if protocol is None:
        outcome = retention_only(tokenizer, encoded, retention, shape)
    else:
        observe = observed_by([retention])
        outcome = CaseRunner(model, tokenizer, case, protocol, observe).run(retention)
    result: dict[str, Any] = {
        "id": case.id,
        "method": retention.method,
        "budget": retention.budget,
        "kept": encoded.kept_characters(outcome.kept),
        "kept_tokens": len(outcome.kept),
        "protected_tokens": outcome.protected_tokens,
        "anchors": outcome.anchors,
        "retained": outcome.retained,
        "max_live_tokens": outcome.max_live_tokens,
    }
    if protocol is not None:
        result |= _answer(outcome)
    return result


def _answer(outcome: Outcome) -> dict[str, Any]:
    return {
        "answer": outcome.answer,
        "correct": outcome.correct,
        "contains": outcome.contains,
    }


def _by_family(cases: list[Case], results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Counts by family, with a last row over all."""
    families = [*dict.fromkeys(case.family for case in cases), None]
    rows = []
    for family in families:
        chosen = [
            r for c, r in zip(cases, results, strict=True) if family is None or c.family == family
        ]
        name = "all" if family is None else family or "-"
        row: dict[str, Any] = {"family": name, "cases": len(chosen)}
        for count in ("retained", "correct", "contains"):
            if count in chosen[0]:
                row[count] = sum(r[count] for r in chosen)
        rows.append(row)
    return rows


def _table(rows: list[dict[str, Any]], metric: str, method: str) -> Table:
    counted = "retained" if metric == "retention" else "correct"
    table = Table("family", "cases", counted, "% [95% interval]", title=f"{method}, {metric}")
    for row in rows:
        low, high = wilson(row[counted], row["cases"])
        share = f"{100 * row[counted] / row['cases']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        table.add_row(row["family"], str(row["cases"]), str(row[counted]), share)
    return table
