"""``ta train``: the embedded model, from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Train what ships with the package.", no_args_is_help=True)


@app.callback()
def train() -> None:
    """Train what ships with the package."""


@app.command("model")
def train_embedded(
    out: Annotated[Path, typer.Option(help="Folder of the run: checkpoints, log, result.")],
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint.")
    ] = False,
    processes: Annotated[int, typer.Option(help="Processes of one thread each, 1 or 2.")] = 2,
    seed: Annotated[int, typer.Option(help="Seed of data and weights.")] = 0,
    recipe: Annotated[str, typer.Option(help="main, wide or unpruned.")] = "main",
    init: Annotated[Path | None, typer.Option(help="Model folder to start from.")] = None,
    languages: Annotated[
        Path | None,
        typer.Option(help="Folder with translations of the UDHR (spa.html ...) as filler."),
    ] = None,
) -> None:
    """Train the embedded model as docs/embedded-model.md describes (two hours on two cores)."""
    from ..training.loop import train_model  # noqa: PLC0415  (only this command needs it)

    train_model(
        out,
        resume,
        processes=processes,
        seed=seed,
        recipe=recipe,
        init=init,
        languages=languages,
    )
