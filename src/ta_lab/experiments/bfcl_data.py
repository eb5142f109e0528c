"""Dormant literals of the Berkeley Function-Calling Leaderboard, multi-turn (v4).

A literal is dormant at a turn when a call of that turn needs it, an earlier user turn stated it,
and the turn itself does not. Files are those of ``bfcl_eval/data`` (ShishirPatil/gorilla, Apache
2.0), as they are or compressed with gzip; none of them is shipped.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

from ..cases.cases import Case, CaseSource, Value

FILES = ("base", "long_context", "miss_func", "miss_param")
ANSWERS = ("possible_answer", "answers")
DOCUMENTS = ("multi_turn_func_doc", "func_doc")
SHORTEST = 5  # characters: shorter literals are flags and counts
CLASSES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
REMEDY = (
    "give the folder bfcl_eval/data of github.com/ShishirPatil/gorilla (berkeley-function-call-"
    "leaderboard) with --data"
)


@dataclass(frozen=True)
class Moment:
    """A turn that needs dormant literals. ``case``: what came before it, its text as question.

    ``statements``: for each literal the character ranges of the context that state it.
    """

    case: Case
    statements: tuple[tuple[tuple[int, int], ...], ...]


@dataclass
class Dialogue:
    """An entry: what the user says in each turn, and the calls that answer it."""

    id: str
    turns: list[str]
    calls: list[list[str]]
    classes: list[str] = field(default_factory=list)


def read_dialogues(data: Path | None, name: str) -> list[Dialogue]:
    """Entries of ``multi_turn_<name>`` with their calls.

    Raises:
        InputError: without a folder, for missing files, and for lines that cannot be read.
    """
    if data is None or not data.is_dir():
        raise InputError(f"bfcl needs the leaderboard's files: {REMEDY}")
    file = f"BFCL_v4_multi_turn_{name}.json"
    answers: dict[str, Any] = {}
    for line in _lines(_one_of(data, [Path(folder) / file for folder in ANSWERS])):
        answers[line.get("id", "")] = line.get("ground_truth")
    found = []
    for line in _lines(_one_of(data, [Path(file)])):
        calls = answers.get(line.get("id", ""))
        if calls is None:
            raise InputError(f"{file}: an entry has no possible answer; the folder is incomplete")
        turns = ["\n".join(message["content"] for message in turn) for turn in line["question"]]
        found.append(Dialogue(line["id"], turns, calls, list(line.get("involved_classes", ()))))
    return found


def _one_of(data: Path, names: list[Path]) -> Path:
    for name in names:
        for path in (data / name, data / f"{name}.gz"):
            if path.is_file():
                return path
    raise InputError(f"{data} lacks {names[0]}: {REMEDY}")


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Objects of a JSON-lines file, compressed or not; errors name the file, never the line."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
        yield from (json.loads(line) for line in text.splitlines() if line.strip())
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {type(error).__name__}; {REMEDY}") from None


def tool_texts(data: Path, classes: list[str]) -> str:
    """Descriptions of the functions of these classes, one a line; empty without the documents."""
    parts = []
    for folder in (data / name for name in DOCUMENTS):
        for name in classes:
            path = folder / f"{CLASSES.get(name, name)}.json"
            if not path.is_file():
                continue
            for tool in _lines(path):
                chosen = {
                    key: tool[key] for key in ("name", "description", "parameters") if key in tool
                }
                parts.append(json.dumps(chosen))
        if parts:
            break
    return "\n".join(parts)


def literals(calls: list[str]) -> list[str]:
    """Text arguments of calls, each once; a call that is no Python is passed over."""
    found: dict[str, None] = {}
    for call in calls:
        try:
            tree = ast.parse(call, mode="eval")
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found[node.value] = None
    return [literal for literal in found if len(literal) >= SHORTEST]


def occurrences(literal: str, text: str) -> list[tuple[int, int]]:
    """Where a literal stands in a text, not as a part of a longer word."""
    pattern = rf"(?<!\w){re.escape(literal)}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text)]


def moments(dialogue: Dialogue, tools: str) -> Iterator[Moment]:
    """The turns of a dialogue that need a dormant literal, each with all that came before.

    Before it stand the tools' descriptions, and each turn with the calls that answered it; what
    tools returned is not part of the data.
    """
    context, sources = "", list[CaseSource]()

    def say(text: str, source: str) -> None:
        nonlocal context
        sources.append(CaseSource(len(context), len(context) + len(text), source))
        context += text

    if tools:
        say(f"Tools:\n{tools}\n\n", "system")
    said: list[tuple[int, int]] = []
    for number, (turn, calls) in enumerate(zip(dialogue.turns, dialogue.calls, strict=False)):
        needed = [x for x in literals(calls) if not occurrences(x, turn)]
        earlier = [x for x in needed if any(occurrences(x, context[a:b]) for a, b in said)]
        if earlier:
            start = said[0][0]
            places = [
                tuple((start + a, start + b) for a, b in occurrences(x, context[start:]))
                for x in earlier
            ]
            values = tuple(Value(*spans[0]) for spans in places)
            yield Moment(
                Case(f"{dialogue.id}-{number}", context, f"User: {turn}\n", values=values,
                     sources=tuple(sources), family="bfcl"),
                tuple(places),
            )  # fmt: skip
        if turn:
            said.append((len(context), len(context) + len(turn) + 7))
            say(f"User: {turn}\n", "user")
        if calls:
            say(f"Assistant: {'; '.join(calls)}\n", "assistant")
