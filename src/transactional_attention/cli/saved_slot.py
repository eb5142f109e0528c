"""``ta slots``: saved slots of llama-server, cut to what a session must keep."""

from pathlib import Path
from typing import Annotated

import typer

from ..config import DEFAULT_METHOD
from ..engines.llama_cpp.saved_slot import prune, read_slot, write_slot
from ..inspection.report import build_report
from . import options
from .common import tokenizer_of

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False)


@app.callback()
def _slots() -> None:
    """Saved slots of llama-server."""


@app.command("prune")
def prune_slot(
    slot: Annotated[Path, typer.Argument(help="File that llama-server saved.")],
    model: options.Model,
    budget: options.Budget = 1024,
    method: options.MethodOption = DEFAULT_METHOD,
    preset: options.PresetOption = "default",
    allow: options.Allow = None,
    deny: options.Deny = None,
    pattern: options.Pattern = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to; without it SLOT itself is cut.")
    ] = None,
    report: Annotated[bool, typer.Option("--report", help="Say what is kept and why.")] = False,
    reveal: options.Reveal = False,
) -> None:
    """Keep K tokens of a saved slot, with the values whole, for the server to restore."""
    retention = options.retention(budget, method, allow, deny, pattern, preset=preset)
    before, size = read_slot(slot), slot.stat().st_size
    after, flow = prune(before, tokenizer_of(model), retention)
    written = write_slot(out or slot, after)
    typer.echo(
        f"{len(before.ids)} tokens: {len(before.cells.places)} cells cut to "
        f"{len(after.cells.places)}, {size:,} bytes to {written:,}"
    )
    if report:
        typer.echo(str(build_report(flow, 0, reveal=reveal)), err=True)
