"""The prompt of a command: text, a stream when it is long, or a chat in the model's template."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ..config import Retention
from ..engines.prompts import Prompt, chat_prompt
from ..errors import InputError
from ..retention.masking import MASK
from ..text.text_blocks import TextBlocks

LONG = 1 << 16  # characters from which a prompt streams by itself
GOES_ON = "a saved cache goes on with plain text after what it has seen: give that, with --raw"
Objects = list[dict[str, Any]]
ALONE = "Answer with the value alone."  # a chat model explains its answer unless it is told not to
PLAIN = "asked_in_plain_text"  # in tokenizer_config.json
SAID = ("content", "tool_calls", "reasoning_content")  # one of them is what a message says
MASKED = 3 * MASK  # no value is shorter
TOOL = ("function", "name")  # a definition, or what some templates take: the inner part of one


PromptInput = str | Iterable[str] | Prompt


class GenerateRequest(NamedTuple):
    """What ``ta generate`` wants of an engine."""

    prompt: PromptInput
    retention: Retention
    chunk: int | None
    max_new_tokens: int
    load: Path | None
    save: Path | None
    positions_given: bool


class ChatInput(NamedTuple):
    """What was given as a chat; messages None: the prompt is what the user says."""

    messages: Objects | None
    tools: Objects | None


def read_chat(messages: Path | None, tools: Path | None, question: str) -> ChatInput | None:
    """Messages and tools as OpenAI's API takes them; None without either.

    ``messages``: a file with a list, or with an object that has tools beside them. ``tools``: a
    file with a list. ``question``: the user's next turn after the messages. Raises InputError for
    a file that holds something else, naming what; for tools in both files.
    """
    functions = None if tools is None else _objects(tools, _read_json(tools), "tools", *TOOL)
    if messages is None:
        return None if tools is None else ChatInput(None, functions)
    chat = _read_json(messages)
    if isinstance(chat, dict) and "messages" in chat:
        if chat.get("tools") is not None:
            if tools is not None:
                raise InputError(f"{messages} has tools of its own: leave --tools out")
            functions = _objects(messages, chat["tools"], "tools", *TOOL)
        chat = chat["messages"]
    turns = [_as_objects(turn) for turn in _objects(messages, chat, "messages", "role")]
    for number, turn in enumerate(turns, 1):
        if all(turn.get(name) is None for name in SAID):
            raise InputError(f"{messages}: message {number} has no content")
    return ChatInput([*turns, *([_user(question)] if question else [])], functions)


def has_template(tokenizer: Any) -> bool:
    """Whether a model was taught to chat."""
    return bool(getattr(tokenizer, "chat_template", None))


def asks_in_chat(tokenizer: Any) -> bool:
    """Whether the model of a tokenizer is asked in its chat format: it has a template, and was not
    taught to answer plain text all the same."""
    return has_template(tokenizer) and not getattr(tokenizer, "init_kwargs", {}).get(PLAIN)


def asking(loaded: tuple[Any, Any], raw: bool) -> tuple[Any, Any]:
    """A model and its tokenizer; ``raw``: asked in plain text, whatever its template."""
    if raw:
        loaded[1].init_kwargs[PLAIN] = True
    return loaded


def told_raw(raw: bool) -> dict[str, bool]:
    """``--raw`` in a record, where it was given."""
    return {"raw": True} if raw else {}


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise InputError(f"{path} is no JSON{where}") from None


def _objects(path: Path, entries: Any, what: str, *needed: str) -> Objects:
    """A list of objects, each with one of the keys ``needed``."""
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{path} holds no list of {what}: give a JSON list of objects")
    for number, item in enumerate(entries, 1):
        if not isinstance(item, dict) or not any(name in item for name in needed):
            raise InputError(f"{path}: entry {number} of {what} has no {' or '.join(needed)!r}")
        if "role" in needed and not isinstance(item["role"], str):
            raise InputError(f"{path}: entry {number} of {what}: its role is no text")
    return entries


def _as_objects(turn: dict[str, Any]) -> dict[str, Any]:
    """A message with the arguments of its calls as objects, which templates take, where they are
    JSON text, as OpenAI's API has them."""
    calls = turn.get("tool_calls")
    if not isinstance(calls, list):
        return turn
    return {**turn, "tool_calls": [_as_object(call) for call in calls]}


def _as_object(call: Any) -> Any:
    try:
        arguments = json.loads(call["function"]["arguments"])
    except (LookupError, TypeError, ValueError):
        return call  # the template will say what is wrong
    if not isinstance(arguments, dict):
        return call
    return {**call, "function": {**call["function"], "arguments": arguments}}


def text_or_chat(
    file: str, messages: Path | None, tools: Path | None, tokenizer: Any
) -> str | Prompt:
    """A text as it stands, or messages as the template writes them, up to where the assistant's
    turn begins. Raises InputError as ``text_blocks``, ``read_chat`` and ``in_template``; for tools
    without messages, and for values that are masked."""
    if messages is None:
        if tools is not None:
            raise InputError("--tools needs --messages: give both")
        return "".join(text_blocks(file))
    chat = read_chat(messages, tools, "")
    if MASKED in json.dumps(chat, ensure_ascii=False):
        raise InputError(
            f"the values of {messages} are masked ({MASKED}): ask the server with ?reveal=true"
        )
    return in_template(None, chat, tokenizer)


def in_template(
    prompt: str | Iterable[str] | None, chat: ChatInput | None, tokenizer: Any
) -> Prompt:
    """What the model's template makes of a chat, up to where the assistant's turn begins.

    ``prompt``: what the user says, without white space at its end, where the chat has no messages.
    Raises InputError without a template, or for messages that the template refuses.
    """
    if not has_template(tokenizer):
        raise InputError("the model has no chat template: give it a plain prompt, without --tools")
    messages, tools = chat or ChatInput(None, None)
    # a file ends in a line break that nobody means to say; a small model answers it otherwise
    turns = messages or [_user("".join(prompt or ()).rstrip())]
    return chat_prompt(tokenizer, turns, tools)


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def text_blocks(file: str) -> TextBlocks:
    """The text of a file, or of standard input for ``-``, as it flows. Raises InputError for a file
    that cannot be opened; while it is read, for text that is not UTF-8, NUL characters, or nothing
    at all."""
    if file == "-":
        return TextBlocks(sys.stdin.buffer, "standard input")
    return TextBlocks.open(Path(file))


def read_prompt(file: str, question: str, *, stream: bool | None) -> str | Iterator[str]:
    """A prompt and what is appended to it: the text, or its blocks.

    ``stream``: whether it streams; None lets those of more than ``LONG`` characters. Raises
    InputError for a question with NUL characters, and as ``text_blocks`` does.
    """
    if "\x00" in question:
        raise InputError("--question holds a NUL character: leave it out")
    blocks = chain(text_blocks(file), (question,) if question else ())
    if stream is False:
        return "".join(blocks)
    head: list[str] = []
    for block in blocks:  # at least one is read at once, so that bad input shows early
        head.append(block)
        if stream or sum(map(len, head)) > LONG:
            return chain(head, blocks)
    return "".join(head)
