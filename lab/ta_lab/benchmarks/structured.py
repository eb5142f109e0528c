"""Answers of ``ta serve`` that must follow a schema of ten fields, and calls that must be made.

Every second one is streamed. The prompt is one, tokens are drawn at temperature 1 by a seed for
each answer; a schema and its check are pydantic's. The model's file runs on both engines; where its
template takes no tools, ``data/chat_with_tools.txt`` stands in. An interrupted run goes on from its
state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from transactional_attention.cli.engines import LLAMA_CPP, TRANSFORMERS
from transactional_attention.config import Retention
from transactional_attention.engines.llama_cpp import GgufModel
from transactional_attention.engines.llama_cpp.sessions import LlamaEngine
from transactional_attention.engines.session import Engine
from transactional_attention.engines.transformers.sessions import TransformersEngine
from transactional_attention.gguf import GgufTokenizer
from transactional_attention.models import load_model
from transactional_attention.server.tool_calls import takes_tools

from ..data import text
from .benchmark import Outcome, Request, Row
from .serve import Notes
from .served import Client

Digit = Annotated[int, Field(ge=0, le=9)]
MOST = 256  # tokens of an answer: the longest that follows the schema has fewer
SYSTEM = {"role": "system", "content": "You take notes of what happens in a house."}
SAID = {"role": "user", "content": "A lamp in room 7 is broken, four people were told. Note it."}


class Note(BaseModel):
    """What an answer is."""

    model_config = ConfigDict(extra="forbid")
    kind: Literal["lamp", "door", "heat"]
    state: Literal["new", "open", "done"]
    urgent: bool
    paid: bool
    room: Digit
    floor: Digit
    people: Annotated[int, Field(ge=0, le=99)]
    cost: Annotated[int, Field(ge=-50, le=500)]
    code: Annotated[str, Field(pattern="^[A-Z]{2}[0-9]{2}$")]
    by: Annotated[str, Field(max_length=6)]


class Call(BaseModel):
    """Arguments of a call."""

    model_config = ConfigDict(extra="forbid")
    room: Digit
    urgent: bool
    by: Annotated[str, Field(max_length=6)]


FORMAT = {"name": "note", "schema": Note.model_json_schema(), "strict": True}
TOOL = {"name": "note", "parameters": Call.model_json_schema()}
ASKED: dict[str, tuple[type[BaseModel], dict[str, Any]]] = {
    "schema of ten fields": (
        Note,
        {"response_format": {"type": "json_schema", "json_schema": FORMAT}},
    ),
    "forced call": (
        Call,
        {
            "tools": [{"type": "function", "function": TOOL}],
            "tool_choice": "required",
            "parallel_tool_calls": False,  # one is enough for its form
        },
    ),
}


def run(request: Request) -> Outcome:
    """A row an engine and kind of answer: how many of ``rounds`` are valid."""
    with request.folder() as folder:
        return Outcome([row for name in ENGINES for row in _rows(request, name, folder / name)])


def _rows(request: Request, name: str, folder: Path) -> list[Row]:
    """Those of one engine."""
    rows, (budget,) = list[Row](), request.budgets
    retention = Retention(budget, request.methods[0], pinned=("system",))
    engine = ENGINES[name](request, retention)
    if not takes_tools(engine.tokenizer):
        engine.tokenizer.chat_template = text("chat_with_tools.txt")
    with Client.serving(engine, retention, None) as client:
        for what, (kind, asked) in ASKED.items():
            notes = Notes(folder, what.replace(" ", "-"))
            for number in range(len(notes.rows), request.rounds):
                notes.add({"valid": _answered(client, kind, asked, number, request.seed)})
                request.progress(len(notes.rows), request.rounds)
            valid = sum(row["valid"] for row in notes.rows)
            counts = {"answers": len(notes.rows), "valid": valid}
            rows.append({"name": name, "what": what, "budget": budget, **counts})
    return rows


def _on_llama_cpp(request: Request, retention: Retention) -> Engine:
    model = GgufModel(request.recipe.model)
    sizes: Any = {"parallel": 1, "chunk": request.chunk, "threads": request.recipe.threads}
    return LlamaEngine("bench", model, GgufTokenizer(model), retention, **sizes)


def _on_transformers(request: Request, retention: Retention) -> Engine:
    torch.set_num_threads(request.recipe.threads or 1)
    model, tokenizer = load_model(request.recipe.model, dtype=request.recipe.dtype)
    return TransformersEngine("bench", model, tokenizer, chunk=request.chunk)


ENGINES: dict[str, Callable[[Request, Retention], Engine]] = {
    LLAMA_CPP: _on_llama_cpp,
    TRANSFORMERS: _on_transformers,
}


def _answered(
    client: Client, kind: type[BaseModel], asked: dict[str, Any], number: int, seed: int
) -> bool:
    """Whether an answer is whole and valid."""
    ask = client.streamed if number % 2 else client.whole
    drawn = {"temperature": 1, "seed": 1000 * seed + number, "max_tokens": MOST}
    message = ask([SYSTEM, SAID], **drawn, **asked)
    calls = message["tool_calls"]
    texts = [call["function"]["arguments"] for call in calls] or [message["content"]]
    return bool(calls) == ("tools" in asked) and all(_valid(kind, text) for text in texts)


def _valid(kind: type[BaseModel], text: str) -> bool:
    try:
        kind.model_validate_json(text, strict=True)
    except ValidationError:
        return False
    return True
