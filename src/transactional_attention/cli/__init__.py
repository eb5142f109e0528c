"""The ``ta`` command: one file a command, loaded when it is asked for.

Exit status: 0 done, 1 a check said no, 2 bad input or usage with one clear line.
"""

import logging
import os
import sys
from importlib import import_module
from typing import Any

import typer
from rich.console import Console
from transformers.utils import logging as transformers_logging
from typer.core import TyperGroup

from ..errors import RetentionError, UnsupportedError

LABORATORY = "ta_lab"
COMMANDS = {  # a name, and where its function is; those of the laboratory need its package
    "demo": f"{LABORATORY}.cli.demo:demo",
    "needle": f"{LABORATORY}.cli.needle:needle",
    "reproduce": f"{LABORATORY}.cli.reproduce:reproduce",
    "generate": "transactional_attention.cli.generate:generate",
    "serve": "transactional_attention.cli.serve:serve",
    "inspect": "transactional_attention.cli.inspect:inspect",
    "slots": "transactional_attention.cli.slots:app",
    "plan": "transactional_attention.cli.plan:plan_file",
    "eval": f"{LABORATORY}.cli.evaluate:evaluate",
    "sessions": f"{LABORATORY}.cli.sessions:sessions",
    "methods": "transactional_attention.cli.methods:methods",
    "bench": f"{LABORATORY}.cli.bench:bench",
    "train": f"{LABORATORY}.cli.train:app",
    "collection": f"{LABORATORY}.cli.collection:app",
}
REMEDY = "pip install 'transactional-attention[lab]'"


class Commands(TyperGroup):
    """The commands in the order of ``COMMANDS``, each loaded when its name is looked up."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # names alone

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None where there is none."""
        return _load(cmd_name, COMMANDS[cmd_name]) if cmd_name in COMMANDS else None


def _load(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except ModuleNotFoundError as missing:
        if not module.startswith(LABORATORY):
            raise
        raise UnsupportedError(
            f"`ta {name}` is of the laboratory, and {missing.name} is not installed: {REMEDY}"
        ) from None
    if isinstance(found, typer.Typer):
        command = typer.main.get_command(found)
    else:
        single = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
        single.command(name)(found)
        command = typer.main.get_command(single)
    command.name = name
    return command


app = typer.Typer(
    name="ta",
    cls=Commands,
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
