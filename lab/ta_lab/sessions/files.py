"""Sessions of agents as JSON lines: ``{"id", "messages", "tools"}``, in OpenAI's form; .gz too."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from transactional_attention.errors import InputError

Message = dict[str, Any]


@dataclass(frozen=True)
class AgentSession:
    """One session; its ``repr`` shows nothing of what was said."""

    id: str
    messages: list[Message] = field(repr=False)
    tools: list[Any] = field(repr=False)


def read_sessions(path: Path, limit: int | None = None) -> list[AgentSession]:
    """The first ``limit`` sessions of a file. Raises InputError that names the line."""
    sessions = [_session(place, given) for place, given in islice(json_lines(path), limit)]
    if not sessions:
        raise InputError(f"{path} holds no session")
    return sessions


def json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    """What the lines of a file hold, and where; .gz too. Raises InputError for a file that cannot
    be read, and for a line that is no JSON."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield (place := f"{path.name}, line {number}"), _json(place, line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise InputError(f"cannot read {path}: {why}") from None


def _json(place: str, line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{place}: no JSON") from None


def _session(place: str, given: Any) -> AgentSession:
    if not isinstance(given, dict) or not isinstance(given.get("messages"), list):
        raise InputError(f'{place}: a session is an object {{"id", "messages", "tools"}}')
    for message in given["messages"]:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise InputError(f"{place}: a message is an object with a role")
    messages = [_plain(message, place) for message in given["messages"]]
    tools = given.get("tools") or []
    if not isinstance(tools, list):
        raise InputError(f"{place}: tools are a list")
    return AgentSession(str(given.get("id", place)), messages, tools)


def _plain(message: Message, place: str) -> Message:
    """A message whose calls have objects for arguments, as templates take them."""
    calls = []
    for call in message.get("tool_calls") or ():
        try:
            arguments = call["function"]["arguments"]
            if isinstance(arguments, str):
                arguments = json.loads(arguments)
            called = {**call["function"], "arguments": arguments}
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{place}: a call has a function with arguments") from None
        calls.append({**call, "function": called})
    return {**message, "tool_calls": calls} if calls else message
