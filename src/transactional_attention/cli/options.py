"""Options that several commands take, with one wording each."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..config import Retention
from ..errors import InputError
from ..methods.registry import get_method
from ..models import PLACES
from ..retention.layout import for_chats
from .common import writable

MODEL, KEPT, SESSIONS, LIMITS = "Model", "What is kept", "Sessions", "Limits"  # panels of --help
ACCESS, OF_LLAMA_CPP = "Address and access", "llama.cpp"

File = Annotated[str, typer.Argument(help="Text file, or - for standard input.")]
Messages = Annotated[
    Path | None,
    typer.Option(help="In place of a text: messages as OpenAI's API takes them, JSON."),
]
Tools = Annotated[
    Path | None, typer.Option(help="Definitions of tools as OpenAI's API takes them, JSON.")
]
Budget = Annotated[int, typer.Option(help="K, tokens per layer and kv head.", rich_help_panel=KEPT)]
Model = Annotated[str, typer.Option(help=f"{PLACES}.", rich_help_panel=MODEL)]
Tokenizer = Annotated[
    str | None, typer.Option(help=f"Another tokenizer: {PLACES}.", rich_help_panel=MODEL)
]
Engine = Annotated[
    str | None,
    typer.Option(
        help="transformers, or llama.cpp for a GGUF file; by default the latter where it is "
        "installed and serves what is asked for.",
        rich_help_panel=MODEL,
    ),
]
Raw = Annotated[
    bool, typer.Option("--raw", help="Ask in plain text, not in the model's chat format.")
]
Dtype = Annotated[
    str,
    typer.Option(
        help="float32, bfloat16 or float16; auto: bfloat16 where the processor computes in it.",
        rich_help_panel=MODEL,
    ),
]
Method = Annotated[str, typer.Option(help="A method of `ta methods`.", rich_help_panel=KEPT)]
Preset = Annotated[
    str,
    typer.Option(help="default, or paper: the literal text of the paper.", rich_help_panel=KEPT),
]
Ledger = Annotated[
    str,
    typer.Option(
        help="strict: never above K. on-top: question and answer ride on top.", rich_help_panel=KEPT
    ),
]
POSITIONS = "original; rolling: moved down where the model's end; compact: ranks."
Positions = Annotated[str, typer.Option(help=POSITIONS, rich_help_panel=KEPT)]
ChosenPositions = Annotated[
    str | None,
    typer.Option(
        help=f"{POSITIONS} By default rolling on llama.cpp where it can.",
        show_default=False,
        rich_help_panel=KEPT,
    ),
]
Storage = Annotated[
    str | None,
    typer.Option(help="int8 or fp8, for what is kept and not sponsored.", rich_help_panel=KEPT),
]
Memory = Annotated[
    bool | None,
    typer.Option(
        "--memory/--no-memory",
        "--recall",
        "--recall-all",
        help="The newest tokens and whole segments, of which those that left come back when they "
        "are asked for. By default on for chats from K = 256 on, off where method, engine or "
        "positions do not serve it.",
        rich_help_panel=KEPT,
    ),
]
Pin = Annotated[
    str,
    typer.Option(
        help="system: its message and the tools are held beside K; or none.", rich_help_panel=KEPT
    ),
]
Seed = Annotated[int, typer.Option(help="Seed of values, filler and random methods.")]
Json = Annotated[
    Path | None,
    typer.Option("--json", callback=writable, help="Write the figures with their provenance."),
]
Threads = Annotated[
    int | None,
    typer.Option(
        help="CPU threads; by default torch's own choice, and on llama.cpp the physical cores.",
        rich_help_panel=MODEL,
    ),
]
GpuLayers = Annotated[
    int | None,
    typer.Option(
        help="Layers on a GPU; by default all, where its library has one.",
        rich_help_panel=OF_LLAMA_CPP,
    ),
]
FlashAttention = Annotated[
    str | None,
    typer.Option(
        "--flash-attn", help="auto (the default), on or off.", rich_help_panel=OF_LLAMA_CPP
    ),
]
CellType = Annotated[
    str | None,
    typer.Option(
        help="Of keys and values, f16 by default: f32, bf16, q8_0, q4_0 ...",
        rich_help_panel=OF_LLAMA_CPP,
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        help="Only this label (`api key`) or rule (`shape:*`) sponsors; repeatable.",
        rich_help_panel=KEPT,
    ),
]
Deny = Annotated[
    list[str] | None,
    typer.Option(help="This label or rule never sponsors; repeatable.", rich_help_panel=KEPT),
]
Roles = Annotated[
    list[str] | None,
    typer.Option(
        help="All that this role says is kept (system, user ...); repeatable.", rich_help_panel=KEPT
    ),
]
Pattern = Annotated[
    list[str] | None,
    typer.Option(
        help="What this regular expression matches is a value (extra re2); repeatable.",
        rich_help_panel=KEPT,
    ),
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
    """Raises InputError for what no ``--pin`` is."""
    if pin not in PINS:
        raise InputError(f"--pin must be one of {', '.join(PINS)}, got {pin!r}")


def held_for_chats(retention: Retention, memory: bool | None, pin: str) -> Retention:
    """A retention as a chat is held with it (``layout.for_chats``). Raises as ``check_pin``."""
    check_pin(pin)
    return for_chats(retention, memory=memory, pinned=("system",) if pin == PINS[0] else ())
