"""``ta reproduce``: the paper's experiments again, ours beside the paper's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table

from transactional_attention.cli import options
from transactional_attention.cli.common import comma_list, set_threads
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.models import AUTO, EMBEDDED

from ..experiments.catalogue import EXPERIMENTS, get_experiment
from ..experiments.experiment import Context, Experiment
from ..report.report import PAGE, write_report
from . import lab_options
from .running import LeftOutError, ModelError, ModelSource, Run, measured, tokenizers_in

ALL, REPORT = "all", "report"
WIDE = 120  # columns of a terminal that a table needs


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Experiments, or `all`; `report`: report.md of --out from its records alone. "
            "Without any, their list."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of records and report.md; what it holds is not run again."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few trials.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Every cell, hours.")] = False,
    trials: Annotated[int | None, typer.Option(help="Contexts of every block.")] = None,
    only: Annotated[
        str,
        typer.Option(
            help="Methods (of recall, ways) beside the full cache, comma-separated; all if empty."
        ),
    ] = "",
    budgets: Annotated[str, typer.Option(help="Their K, comma-separated; all if empty.")] = "",
    tokens: Annotated[
        int | None, typer.Option(min=1, help="Of every context, in place of the experiment's own.")
    ] = None,
    filler: lab_options.Filler = "pydoc",
    seed: options.Seed = 0,
    model: options.Model = EMBEDDED,
    tokenizer: options.Tokenizer = None,
    raw: options.Raw = False,
    dtype: options.Dtype = AUTO,
    tokenizers: Annotated[
        Path | None,
        typer.Option(
            help="For `models`: a folder of tokenizers; `llama3` and `mistral_v3` are the paper's."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Input of perplexity, bfcl and longbench: a folder with wikitext2/, bfcl/ and "
            "longbench/ in it, or the one that an experiment needs."
        ),
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
        table = Table("experiment", "paper", "what it measures")
        for name in EXPERIMENTS:
            table.add_row(name, get_experiment(name).place, get_experiment(name).summary)
        Console().print(table)
        return
    if names == [REPORT]:
        _report(out)
        return
    everything = ALL in names
    chosen = [get_experiment(n) for n in (EXPERIMENTS if everything else dict.fromkeys(names))]
    if quick and full:
        raise InputError("--quick and --full exclude each other")
    set_threads(threads)
    source = ModelSource(model, tokenizer, device, dtype, raw)
    context = Context(
        source,
        model=Path(model).name,
        seed=seed,
        size="quick" if quick else "full" if full else "default",
        trials=trials,
        only=comma_list(only, str, "--only"),
        budgets=comma_list(budgets, int, "--budgets"),
        tokens=tokens,
        filler=filler,
        tokenizers=tokenizers_in(tokenizers, raw=raw),
        data=data,
    )
    for option in context.narrowing:
        if without := [one.name for one in chosen if option not in one.options]:
            raise InputError(f"--{option} changes nothing of {', '.join(without)}: leave it out")
    run = Run(source, context, tokenizers, out, json, several=len(chosen) > 1)
    _run_all(chosen, run, everything)


def _run_all(chosen: list[Experiment], run: Run, everything: bool) -> None:
    """One after another. What cannot be run is said and the others go on; then the report.

    With ``all`` an experiment that lacks its data is no failure."""
    failed: dict[str, RetentionError] = {}
    ran = 0
    for experiment in chosen:
        try:
            record = measured(experiment, run)
        except ModelError:
            raise
        except RetentionError as error:
            if len(chosen) == 1:
                raise
            _note(f"{experiment.name} left out: {error}")
            if not (everything and isinstance(error, LeftOutError)):
                failed[experiment.name] = error
            continue
        ran += 1
        if run.out is None or not run.several:  # otherwise they are in the report
            _show(f"# {experiment.name}: {experiment.place}\n\n{experiment.tables(record)}")
    if run.out is not None:
        _report(run.out)
    if failed:
        raise InputError(f"not run: {', '.join(failed)}; the reasons are above")
    if not ran:
        raise InputError("nothing was run: every experiment was left out, the reasons are above")


def _report(out: Path | None) -> None:
    """Writes the report of a folder and says where it is and what of it could not be read. Raises
    InputError without a folder, or for one without records."""
    if out is None:
        raise InputError("report needs --out DIR, the folder of an earlier run")
    for problem in write_report(out):
        _note(problem)
    Console().print(f"{out / PAGE}", markup=False, highlight=False, soft_wrap=True)


def _note(text: str) -> None:
    Console(stderr=True, highlight=False).print(text, markup=False, soft_wrap=True)


def _show(text: str) -> None:
    """Markdown as tables where they fit, as it is in a narrow terminal and in a file."""
    console = Console()
    if console.is_terminal and console.width >= WIDE:
        console.print(Markdown(text))
    else:
        console.print(text, markup=False, highlight=False, soft_wrap=True)
