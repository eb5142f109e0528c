"""``ta eval``: any cases file under any method."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import (
    origin,
    progress_bar,
    refuse_tokenizer,
    set_threads,
    writable,
    write_json,
)
from transactional_attention.cli.prompts import asking, told_raw
from transactional_attention.config import DEFAULT_METHOD, Retention
from transactional_attention.engines.transformers.reading import model_shape
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.methods.method import Shape
from transactional_attention.methods.registry import get_method
from transactional_attention.models import AUTO, EMBEDDED, load_model, load_tokenizer
from transactional_attention.retention.trace import watching

from ..cases.cases import Case, check_answerable, numbered_cases
from ..cases.encoding import budget_of, check_rule, encode_case
from ..cases.metrics import Verdict, wilson
from ..cases.runner import CaseRunner, TextRunner, observed_by
from ..cases.tracing import Traced, save_trace
from . import lab_options


class Unusable:
    """What a case that cannot be served does: it ends the run, or is named and left out."""

    def __init__(self, *, skip: bool) -> None:
        self.skip, self.count = skip, 0

    def add(self, place: str, error: RetentionError) -> None:
        """Name a case by its place. Raises InputError unless such cases are skipped."""
        problem = InputError(f"{place}: {error}")
        if not self.skip:
            raise problem from None
        self.count += 1
        Console(stderr=True).print(f"skipped: {problem}", markup=False, soft_wrap=True)


@contextmanager
def result_lines(path: Path | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write results, one JSON line each; what is written stays when the run ends early.

    A new file is readable by its owner only (mode 0600), as answers are values; it takes the place
    of an old one, whose mode may be another. Raises InputError when the file cannot be written."""
    if path is None:
        yield lambda result: None
        return
    with _refused(path):
        if path.is_file():
            path.unlink()
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w")

    def write(result: dict[str, Any]) -> None:
        with _refused(path):
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
            file.flush()

    with file:
        yield write


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


METRICS = "retention (a model runs only if the method needs it) or answer."


def evaluate(
    cases: Annotated[Path, typer.Argument(help="JSONL, one case a line (docs/cases.md).")],
    method: options.MethodOption = DEFAULT_METHOD,
    budget: Annotated[str, typer.Option(help="K, `case`, or `values+N` (docs/cases.md).")] = "64",
    metric: Annotated[str, typer.Option(help=METRICS)] = "retention",
    protocol: lab_options.Protocol = "hidden",
    ledger: options.LedgerOption = "strict",
    preset: options.PresetOption = "default",
    memory: options.MemoryOption = None,
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    raw: options.Raw = False,
    dtype: options.Dtype = AUTO,
    out: Annotated[
        Path | None,
        typer.Option(callback=writable, help="Results, one JSON line a case (mode 0600)."),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option(help="Name broken and unservable cases, go on.")
    ] = False,
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
    settings: dict[str, Any] = {"preset": preset, "ledger": ledger, "memory": memory}
    base = Retention(budget=None, method=method, seed=seed, **settings)
    check_rule(budget)
    asked = protocol if metric == "answer" else None
    unusable = Unusable(skip=skip_bad)
    entries = list(_read(cases, asked, unusable))
    nothing = InputError(f"{cases} holds no usable case")
    if not entries:
        raise nothing
    arguments = {"cases": cases.name, "method": method, "budget": budget, "metric": metric}
    arguments |= {"protocol": protocol, "ledger": ledger, "preset": preset}
    if memory:
        arguments["memory"] = "on"
    runs = bool(asked) or get_method(method).reads_model or get_method(method).runs_model
    record = origin(
        arguments | told_raw(raw), seed=seed, model=model, dtype=dtype if runs else None
    )
    refuse_tokenizer(method, model, tokenizer)
    read = load_model(model, tokenizer, dtype=dtype) if runs else None
    loaded, tokens = asking(read or (None, load_tokenizer(tokenizer or model)), raw)
    shape = model_shape(loaded, tokens) if runs else None
    traced: list[Traced] | None = None if trace is None else []
    serving = Serving(base, budget, loaded, tokens, protocol, asked is not None, shape, traced)
    results = []
    with progress_bar() as bar, result_lines(out) as write:
        for case, result in serving.results(bar.track(entries, description="cases"), unusable):
            write(result)
            results.append((case, result))
    if trace is not None and traced is not None:
        save_trace(trace, traced)
    if not results:
        raise nothing
    rows = _by_family(results)
    Console().print(_table(rows, metric, method))
    write_json(json, {"provenance": record, "skipped": unusable.count, "rows": rows})


def _read(path: Path, asked: str | None, unusable: Unusable) -> Iterator[tuple[str, Case]]:
    """The cases of a file and where they stand; ``asked``: the protocol where they are asked."""
    for place, item in numbered_cases(path):
        try:
            if isinstance(item, InputError):
                raise item
            if asked is not None:
                check_answerable(item, hidden=asked == "hidden")
        except InputError as error:
            unusable.add(place, error)
        else:
            yield place, item


@dataclass(frozen=True)
class Serving:
    """How every case is run; what is not ``asked`` generates no answer.

    ``traced`` gets the cuts of every case, unless it is None."""

    base: Retention
    rule: str
    model: Any
    tokenizer: Any
    protocol: Any
    asked: bool
    shape: Shape | None
    traced: list[Traced] | None

    def results(
        self, cases: Iterable[tuple[str, Case]], unusable: Unusable
    ) -> Iterator[tuple[Case, dict[str, Any]]]:
        """A line of results a case, as they come."""
        for place, case in cases:
            try:
                with nullcontext() if self.traced is None else watching() as watched:
                    result = self._result(case)
            except RetentionError as error:
                unusable.add(place, error)
            else:
                if self.traced is not None and watched is not None:
                    self.traced.append(Traced(case.id, watched))
                yield case, result

    def _result(self, case: Case) -> dict[str, Any]:
        encoded, method = encode_case(self.tokenizer, case), get_method(self.base.method)
        budget = None if method.unlimited else budget_of(self.rule, encoded)
        retention = replace(self.base, budget=budget)
        if self.asked or method.runs_model:
            observe = observed_by([retention])
            runner = CaseRunner(self.model, self.tokenizer, case, self.protocol, observe)
            outcome = runner.run(retention) if self.asked else runner.keep(retention)
        else:
            outcome = TextRunner(self.tokenizer, encoded, self.shape).run(retention)
        fields = ("protected_tokens", "anchors", "retained", "max_live_tokens")
        answered = ("answer", *Verdict._fields) if self.asked else ()
        return {
            "id": case.id,
            "method": retention.method,
            "budget": retention.budget,
            "kept": encoded.kept_characters(outcome.kept),
            "kept_tokens": len(outcome.kept),
            **{name: getattr(outcome, name) for name in (*fields, *answered)},
        }


def _by_family(results: list[tuple[Case, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Counts by family, with a last row over all."""
    families = [*dict.fromkeys(case.family for case, _ in results), None]
    rows = []
    for family in families:
        chosen = [result for case, result in results if family in (None, case.family)]
        name = "all" if family is None else family or "-"
        row: dict[str, Any] = {"family": name, "cases": len(chosen)}
        for count in ("retained", *Verdict._fields):
            if count in chosen[0]:
                row[count] = sum(r[count] for r in chosen)
        rows.append(row)
    return rows


def _table(rows: list[dict[str, Any]], metric: str, method: str) -> Table:
    counted, *others = ("retained",) if metric == "retention" else Verdict._fields
    head = ("family", "cases", counted, "% [95% interval]", *others)
    table = Table(*head, title=f"{method}, {metric}")
    for row in rows:
        low, high = wilson(row[counted], row["cases"])
        share = f"{100 * row[counted] / row['cases']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        beside = (str(row[name]) for name in others)
        table.add_row(row["family"], str(row["cases"]), str(row[counted]), share, *beside)
    return table
