"""Calls of tools: how a template marks them, and those of an answer that streams.

Served are templates that write a call as ``<tool_call>`` JSON ``</tool_call>`` (Qwen2.5, Qwen3,
Hermes and others). In other templates a call stays text.
"""

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..engines.prompts import chat_prompt, templates
from .turn import begun

OPEN, CLOSE = "<tool_call>", "</tool_call>"
NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True)
class Call:
    """A function that the model calls; ``arguments`` is JSON text."""

    name: str
    arguments: str = field(repr=False)
    id: str = field(default_factory=lambda: f"call_{secrets.token_hex(12)}")


def marks_calls(tokenizer: Any) -> bool:
    """Whether the template writes calls in those marks."""
    return any(OPEN in text for text in templates(tokenizer))


def takes_tools(tokenizer: Any) -> bool:
    """Whether the template writes the tools that it is given."""
    user = [{"role": "user", "content": "Hello."}]
    function = {"name": "probe", "description": "Probe.", "parameters": {"type": "object"}}
    tools = [{"type": "function", "function": function}]
    given = (chat_prompt(tokenizer, user, choice).ids.tolist() for choice in (tools, None))
    return next(given) != next(given)


class CallParser:
    """Parts an answer that streams into text and whole calls.

    A call that is no JSON object with a name stays text, as the model wrote it. An answer that is a
    call of one of ``names`` and nothing else needs no marks: small models forget them.
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self.pending, self.names = "", names
        self.calls: list[Call] = []
        self._said = False

    def add(self, text: str) -> tuple[str, list[Call]]:
        """Text that is sure to be none of a call, and calls that are complete; line breaks between
        a text and a call, or two calls, are of neither."""
        self.pending += text
        if self.names and not self._said and self.pending.lstrip()[:1] in ("{", ""):
            return "", []  # its end will tell
        self._said = True
        said, calls = "", []
        while (start := self.pending.find(OPEN)) >= 0:
            end = self.pending.find(CLOSE, start)
            if end < 0:
                break
            call = _call(self.pending[start + len(OPEN) : end])
            end += len(CLOSE)
            said += self.pending[:end] if call is None else self.pending[:start].rstrip("\n")
            calls += [] if call is None else [call]
            self.pending = self.pending[end:]
        cut = start if start >= 0 else len(self.pending) - begun(self.pending, OPEN)
        sure = self.pending[:cut].rstrip("\n")
        self.pending = self.pending[len(sure) :]
        self.calls += calls
        return said + sure, calls

    def rest(self) -> tuple[str, list[Call]]:
        """What the end leaves: a call that only lacks its closing mark is one."""
        text, self.pending = self.pending, ""
        body = text.lstrip("\n")
        marked, call = body.startswith(OPEN), _call(body.removeprefix(OPEN))
        if call is None or not (marked or (not self._said and call.name in self.names)):
            return text, []
        self.calls.append(call)
        return "", [call]


def _call(body: str) -> Call | None:
    found = _json(body)
    name = found.get("name") if isinstance(found, dict) else None
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return None
    arguments = found.get("arguments", found.get("parameters")) or {}
    if isinstance(arguments, str):
        return Call(name, arguments) if isinstance(_json(arguments), dict) else None
    return Call(name, json.dumps(arguments)) if isinstance(arguments, dict) else None


def _json(text: str) -> Any:
    """None too for numbers and characters that an answer in JSON cannot hold."""
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return None
    return found
