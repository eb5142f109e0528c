"""The turns of a session as the messages of a chat, with thoughts and calls apart."""

from collections.abc import Sequence
from typing import Any

from ..engines.session import Engine
from .call_forms import forms_of
from .parsing import parser_of
from .turns import ConversationTurn


def messages_of(engine: Engine, turns: Sequence[ConversationTurn]) -> list[dict[str, Any]]:
    """Messages with their roles, contents, thoughts and calls."""
    messages: list[dict[str, Any]] = []
    for turn in turns:
        if turn.source == "assistant":
            messages.append(_assistant(engine, turn))
        else:
            messages += [{"role": turn.source, "content": text.strip()} for text in turn.contents]
    return [message for message in messages if len(message) > 2 or message["content"]]


def _assistant(engine: Engine, turn: ConversationTurn) -> dict[str, Any]:
    forms, text = forms_of(engine.tokenizer, engine.end_ids), "".join(turn.contents)
    parsers = [parser_of(forms, (), inside=False, calls=True) for _ in range(2)]
    before, _, _ = parsers[0].add(turn.written, final=True)
    thought, content, _ = parsers[1].add(text, final=True)
    calls = [call for parser in parsers for call in parser.calls]
    if not (thought or content or calls):  # without the marks that the template has for it
        content = text
    message: dict[str, Any] = {"role": "assistant", "content": content.strip()}
    if thoughts := (before + thought).strip():
        message["reasoning_content"] = thoughts
    if calls:
        message["tool_calls"] = [{"name": call.name, "arguments": call.arguments} for call in calls]
    return message
