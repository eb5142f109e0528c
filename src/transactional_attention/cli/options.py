"""Options that several commands take, with one wording each."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ..config import Retention
from ..errors import InputError
from ..methods.registry import get_method
from ..models import PLACES
from ..retention.layout import for_chats
from .common import writable

MODEL = "Model"
# Options by their panels of --help.
model_option: Any = partial(typer.Option, rich_help_panel=MODEL)
kept_option: Any = partial(typer.Option, rich_help_panel="What is kept")
sessions_option: Any = partial(typer.Option, rich_help_panel="Sessions")
limits_option: Any = partial(typer.Option, rich_help_panel="Limits")
access_option: Any = partial(typer.Option, rich_help_panel="Address and access")
llama_cpp_option: Any = partial(typer.Option, rich_help_panel="llama.cpp")

File = Annotated[str, typer.Argument(help="Text file, or - for standard input.")]
Messages = Annotated[
    Path | None,
    typer.Option(help="In place of a text: messages as OpenAI's API takes them, JSON."),
]
Tools = Annotated[
    Path | None, typer.Option(help="Definitions of tools as OpenAI's API takes them, JSON.")
]
Budget = Annotated[int, kept_option(help="K, tokens per layer and kv head.")]
Model = Annotated[str, model_option(help=f"{PLACES}.")]
Tokenizer = Annotated[str | None, model_option(help=f"Another tokenizer: {PLACES}.")]
EngineOption = Annotated[
    str | None,
    model_option(
        help="transformers, or llama.cpp for a GGUF file; by default the latter where it is "
        "installed and serves what is asked for."
    ),
]
Raw = Annotated[
    bool, typer.Option("--raw", help="Ask in plain text, not in the model's chat format.")
]
Dtype = Annotated[
    str,
    model_option(
        help="float32, bfloat16 or float16; auto: bfloat16 where the processor computes in it."
    ),
]
MethodOption = Annotated[str, kept_option(help="A method of `ta methods`.")]
PresetOption = Annotated[str, kept_option(help="default, or paper: the literal text of the paper.")]
LedgerOption = Annotated[
    str, kept_option(help="strict: never above K. on-top: question and answer ride on top.")
]
POSITIONS = "original; rolling: moved down where the model's end; compact: ranks."
PositionsOption = Annotated[str, kept_option(help=POSITIONS)]
ChosenPositions = Annotated[
    str | None,
    kept_option(
        help=f"{POSITIONS} By default rolling on llama.cpp where it can.", show_default=False
    ),
]
Storage = Annotated[
    str | None, kept_option(help="int8 or fp8, for what is kept and not sponsored.")
]
MemoryOption = Annotated[
    bool | None,
    kept_option(
        "--memory/--no-memory",
        "--recall",
        "--recall-all",
        help="The newest tokens and whole segments, of which those that left come back when they "
        "are asked for. By default on for chats from K = 256 on, off where method, engine or "
        "positions do not serve it.",
    ),
]
Pin = Annotated[
    str, kept_option(help="system: its message and the tools are held beside K; or none.")
]
Seed = Annotated[int, typer.Option(help="Seed of values, filler and random methods.")]
Json = Annotated[
    Path | None,
    typer.Option("--json", callback=writable, help="Write the figures with their provenance."),
]
Threads = Annotated[
    int | None,
    model_option(
        help="CPU threads; by default torch's own choice, and on llama.cpp the physical cores."
    ),
]
GpuLayers = Annotated[
    int | None, llama_cpp_option(help="Layers on a GPU; by default all, where its library has one.")
]
FlashAttentionOption = Annotated[
    str | None, llama_cpp_option("--flash-attn", help="auto (the default), on or off.")
]
CellTypeOption = Annotated[
    str | None,
    llama_cpp_option(help="Of keys and values, f16 by default: f32, bf16, q8_0, q4_0 ..."),
]
Allow = Annotated[
    list[str] | None,
    kept_option(help="Only this label (`api key`) or rule (`shape:*`) sponsors; repeatable."),
]
Deny = Annotated[
    list[str] | None, kept_option(help="This label or rule never sponsors; repeatable.")
]
Roles = Annotated[
    list[str] | None,
    kept_option(help="All that this role says is kept (system, user ...); repeatable."),
]
Pattern = Annotated[
    list[str] | None,
    kept_option(help="What this regular expression matches is a value (extra re2); repeatable."),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Show the text of values.")]


PINS = ("system", "none")


def retention(
    budget: int,
    method: str,
    allow: list[str] | None,
    deny: list[str] | None,
    pattern: list[str] | None,
    protect_role: list[str] | None = None,
    **rest: Any,
) -> Retention:
    """What options ask for; a method without a limit has no K."""
    limit = None if get_method(method).unlimited else budget
    lists = {"allow": allow, "deny": deny, "patterns": pattern, "protect_roles": protect_role}
    return Retention(limit, method, **{k: tuple(v or ()) for k, v in lists.items()}, **rest)  # type: ignore[arg-type]


def given(context: typer.Context, name: str) -> bool:
    """Whether a parameter was given, and has not its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def check_one(context: typer.Context, messages: Path | None) -> None:
    """Raises InputError for a text beside messages."""
    if messages is not None and given(context, "file"):
        raise InputError("give a prompt FILE or --messages: they exclude each other")


def check_pin(pin: str) -> None:
    """Raises InputError for a ``--pin`` that does not exist."""
    if pin not in PINS:
        raise InputError(f"--pin must be one of {', '.join(PINS)}, got {pin!r}")


def held_for_chats(retention: Retention, memory: bool | None, pin: str) -> Retention:
    """A retention as a chat is held with it (``layout.for_chats``). Raises as ``check_pin``."""
    check_pin(pin)
    return for_chats(retention, memory=memory, pinned=("system",) if pin == PINS[0] else ())
