"""Options that several commands of the laboratory take, beside those of the library's."""

from typing import Annotated

import typer

from transactional_attention.cli import options

Listed = Annotated[str, typer.Option(help="Comma-separated.")]
Filler = Annotated[str, typer.Option(help="pydoc, anchor-free, or a text file.")]
Protocol = Annotated[
    str, typer.Option(help="hidden: compress before the question is seen. visible: after.")
]
Engine = Annotated[
    str,
    typer.Option(
        help="transformers, or llama.cpp for a GGUF file (extra llama-cpp).",
        rich_help_panel=options.MODEL,
    ),
]
