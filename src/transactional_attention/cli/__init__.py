"""The ``ta`` command: one file a command, loaded when it is asked for.

Exit status: 0 done, 1 a check said no, 2 bad input or usage with one clear line.
"""

import logging
import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from ..errors import InputError, RetentionError, UnsupportedError
from ..laboratory import INSTALL, brought
from ..version import __version__

COMMANDS = {  # a name, and where its function is
    "demo": "transactional_attention.cli.demo:demo",
    "generate": "transactional_attention.cli.generate:generate",
    "serve": "transactional_attention.cli.serve:serve",
    "inspect": "transactional_attention.cli.inspect:inspect",
    "slots": "transactional_attention.cli.saved_slot:app",
    "plan": "transactional_attention.cli.plan:plan_file",
    "methods": "transactional_attention.cli.methods:methods",
}
NUMBERS = {"int_parsing": "a whole number", "float_parsing": "a number"}
QUIET = {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
"""Read by transformers and the hub when they are loaded."""


class Commands(TyperGroup):
    """``COMMANDS`` and those of the laboratory, each loaded when its name is looked up."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        added = {name: point.value for name, point in brought("commands").items()}
        self._places = COMMANDS | added
        self.commands = dict.fromkeys(self._places)  # type: ignore[assignment]  # names alone
        self.epilog = None if added else f"Commands of the laboratory: {INSTALL}"

    def invoke(self, ctx: Any) -> Any:
        """Run a command. Raises InputError for a word where an option takes a number."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            # pydantic's, where typer asks it
            faults: list[Any] = getattr(error.__cause__, "errors", list)()
            kind = NUMBERS.get(faults[0]["type"]) if faults else None
            if kind is None or error.param is None:
                raise
            option, given = error.param.opts[0], faults[0]["input"]
            raise InputError(f"{option} takes {kind}, got {given!r}") from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None where there is none. Raises UnsupportedError where the
        laboratory may have it, and is not installed."""
        if cmd_name in self._places:
            return _load(cmd_name, self._places[cmd_name])
        if self.epilog:
            raise UnsupportedError(f"the library has no command {cmd_name!r}. {self.epilog}")
        return None


def _load(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    target = getattr(import_module(module), attribute)
    if isinstance(target, typer.Typer):
        command = typer.main.get_command(target)
    else:
        single = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
        single.command(name)(target)
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


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ta {__version__}")
        raise typer.Exit


@app.callback()
def _ta(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Keep the values that are stated once: semantic sponsorship for KV-cache retention."""


def main() -> None:
    """Entry point: deliberate errors become one line on stderr and exit status 2."""
    os.environ.update(QUIET)
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
