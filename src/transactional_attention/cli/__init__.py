"""The ``ta`` command: one file a command group.

Exit status: 0 done, 1 a check said no, 2 bad input or usage with one clear line.
"""

from __future__ import annotations

import logging
import os
import sys

import typer
from rich.console import Console
from transformers.utils import logging as transformers_logging

from ..errors import RetentionError
from . import (
    bench,
    collection,
    demo,
    evaluate,
    generate,
    inspect,
    measure,
    methods,
    needle,
    plan,
    reproduce,
    train,
)

app = typer.Typer(
    name="ta",
    help="Keep the values that are stated once: semantic sponsorship for KV-cache retention.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
app.command("demo")(demo.demo)
app.command("needle")(needle.needle)
app.command("reproduce")(reproduce.reproduce)
app.command("generate")(generate.generate)
app.command("inspect")(inspect.inspect)
app.command("plan")(plan.plan_file)
app.command("eval")(evaluate.evaluate)
app.command("methods")(methods.methods)
app.command("bench")(bench.bench)
train.app.command("evaluate")(measure.evaluate)
train.app.command("perplexity")(measure.measure_perplexity)
train.app.command("dormancy")(measure.measure_dormancy)
app.add_typer(train.app, name="train")
app.add_typer(collection.app, name="collection")


def main() -> None:
    """Entry point: deliberate errors become one line on stderr and exit status 2."""
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    logging.captureWarnings(True)
    try:
        app()
    except RetentionError as error:
        Console(stderr=True, highlight=False).print(f"error: {error}", markup=False, soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        Console(stderr=True).print("interrupted", markup=False)
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
