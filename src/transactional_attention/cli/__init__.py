"""The ``ta`` command: one file a command, loaded when it is asked for.

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
from .commands import Commands

app = typer.Typer(
    name="ta",
    cls=Commands,
    help="Keep the values that are stated once: semantic sponsorship for KV-cache retention.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)


@app.callback()
def _ta() -> None:
    """Keep the values that are stated once: semantic sponsorship for KV-cache retention."""


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
