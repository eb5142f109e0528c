"""The calls of a session as tokens: what is read before each, and where its arguments stood.

An argument is a leaf of three characters or more that stood in the text before the call. Nothing of
a template has to be known: the conversation is rendered with and without the call.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from transactional_attention.engines.prompts import Prompt, chat_prompt
from transactional_attention.errors import InputError
from transactional_attention.types import Ints, Span

from .files import AgentSession, Message

LEAST = 3  # characters: shorter ones stand everywhere


@dataclass(frozen=True)
class Argument:
    """``tokens``: where the call says it; ``statements``: where it stood before, the latest last.
    ``back``: tokens from the begin of the latest statement to that of the call."""

    name: str
    tokens: Span
    statements: tuple[Span, ...]
    back: int


@dataclass(frozen=True)
class CallTokens:
    """A message with calls. ``reply``: its tokens, which follow those of ``prompt``.

    ``pinned``: tokens of the system's message and of the tools, with which the prompt begins."""

    number: int
    prompt: Prompt
    reply: Ints = field(repr=False)
    arguments: tuple[Argument, ...]
    pinned: int


def calls_of(
    session: AgentSession, tokenizer: Any, end_ids: frozenset[int], *, pin: bool = True
) -> Iterator[CallTokens]:
    """The messages with calls whose arguments stood before; without ``pin`` nothing is pinned.

    Raises InputError for a template that refuses the messages, or writes a call otherwise than
    after the header of a reply."""
    for number, message in enumerate(session.messages):
        if message["role"] == "assistant" and message.get("tool_calls"):
            call = call_of(session, number, tokenizer, end_ids)
            if call.arguments:
                yield call if pin else replace(call, pinned=0)


def call_of(
    session: AgentSession, number: int, tokenizer: Any, end_ids: frozenset[int]
) -> CallTokens:
    """The call of a message; raises as ``calls_of``."""
    before, with_it = session.messages[:number], session.messages[: number + 1]
    prompt = chat_prompt(tokenizer, before, session.tools or None)
    asked = rendered(tokenizer, before, session.tools)
    text = rendered(tokenizer, with_it, session.tools, asks=False)
    ids, starts = tokenised(tokenizer, text)
    start = len(prompt.ids)
    if not text.startswith(asked) or not np.array_equal(ids[:start], prompt.ids):
        raise InputError(
            f"session {session.id}, message {number}: the chat template writes a call otherwise "
            "than after the header of a reply: take another model"
        )
    ends = [place for place in range(start, len(ids)) if int(ids[place]) in end_ids]
    call_ids = ids[start : ends[0] if ends else len(ids)]
    arguments = _arguments(with_it[-1], text, len(asked), starts, start + len(call_ids))
    return CallTokens(number, prompt, call_ids, tuple(arguments), pinned_of(prompt))


def pinned_of(prompt: Prompt) -> int:
    """Tokens of the system's message, and of the tools that a template writes in it."""
    return next((s.span.start for s in prompt.sources if s.source != "system"), 0)


def rendered(
    tokenizer: Any, messages: Sequence[Message], tools: Sequence[Any] = (), *, asks: bool = True
) -> str:
    """A conversation as the template writes it; ``asks``: with the header of a reply after it."""
    options = {"tools": tools or None, "tokenize": False}
    return str(tokenizer.apply_chat_template(messages, add_generation_prompt=asks, **options))


def common(one: Ints, other: Ints) -> int:
    """How many tokens two texts begin with in common."""
    length = min(len(one), len(other))
    differ = np.flatnonzero(one[:length] != other[:length])
    return int(differ[0]) if len(differ) else length


def tokenised(tokenizer: Any, text: str) -> tuple[Ints, list[int]]:
    """The tokens [token] of a rendered text, and the character at which each begins."""
    read = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    return np.array(read["input_ids"], np.int64), [first for first, _ in read["offset_mapping"]]


def _arguments(
    message: Message, text: str, begin: int, starts: Sequence[int], end: int
) -> Iterator[Argument]:
    """``begin``: the character at which the call begins; ``end``: the token at which it ends."""
    at, first = begin, bisect_left(starts, begin)
    for call in message["tool_calls"]:
        name = call["function"]["name"]
        at = max(at, text.find(name, at))
        for path, value in _leaves(call["function"]["arguments"], name):
            place, size = _written(text, value, at)
            if place < 0:
                continue
            at = place + size
            tokens = tokens_of(starts, place, at)
            spans = tuple(tokens_of(starts, k, k + len(value)) for k in _places(text, value, begin))
            if spans and tokens.end <= end:
                yield Argument(path, tokens, spans, first - spans[-1].start)


def _leaves(given: Any, path: str) -> Iterator[tuple[str, str]]:
    """Strings and numbers of nested arguments, each with its path."""
    if isinstance(given, dict):
        for key, value in given.items():
            yield from _leaves(value, f"{path}.{key}")
    elif isinstance(given, list):
        for number, value in enumerate(given):
            yield from _leaves(value, f"{path}[{number}]")
    elif not isinstance(given, bool | None) and len(str(given)) >= LEAST:
        yield path, str(given)


def _written(text: str, value: str, at: int) -> tuple[int, int]:
    """Where a value stands from ``at`` on, as JSON or plainly, and its length; -1 for nowhere."""
    forms = {json.dumps(value, ensure_ascii=plain)[1:-1] for plain in (False, True)} | {value}
    matches = [(text.find(form, at), len(form)) for form in forms]
    return min(((place, size) for place, size in matches if place >= 0), default=(-1, 0))


def _places(text: str, value: str, end: int) -> Iterator[int]:
    place = text.find(value, 0, end)
    while place >= 0:
        yield place
        place = text.find(value, place + 1, end)


def tokens_of(starts: Sequence[int], first: int, end: int) -> Span:
    """The tokens that overlap some characters."""
    return Span(bisect_right(starts, first) - 1, bisect_left(starts, end))
