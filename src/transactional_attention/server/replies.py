"""Replies with calls as they were generated, so that the next prompt has what the session has read.

A client sends a call as name and arguments, and a template writes them in its own spacing and order
of keys. A reply that the server remembers, by the ids of its calls, is rendered with marks in place
of names; what the template writes around them is known from a probe, and what the model wrote takes
its place.
"""

from __future__ import annotations

import functools
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from ..engines.chat_sources import Rewrite
from ..engines.prompts import Prompt
from ..errors import RetentionError
from ..types import Ints, Span
from .call_forms import ID, SAID, THOUGHT, Forms, TemplateProbe
from .history import as_taken
from .index import Index
from .tenants import Tenant

MARK = f"reply_{secrets.token_hex(8)}"  # what text from outside cannot hold


class NotFound(RetentionError):  # noqa: N818  (the caller renders without their marks)
    """Replies that the template writes otherwise than it wrote the probe, by their ``places`` among
    the messages."""

    def __init__(self, places: set[int]) -> None:
        super().__init__(places)
        self.places = places


@dataclass(frozen=True)
class MarkedReply:
    """An answer with calls: ``raw`` as it was generated, in tokens ``ids``, of which the last
    ``spoken`` characters are after its ``thought``; ``text`` that was said; names and arguments of
    ``calls``."""

    raw: str = field(repr=False)
    ids: list[int] = field(repr=False)
    spoken: int
    thought: str = field(repr=False)
    text: str = field(repr=False)
    calls: list[tuple[str, str]] = field(repr=False)

    def is_of(self, message: Mapping[str, Any]) -> bool:
        """Whether a message is this reply."""
        functions = [call["function"] for call in message["tool_calls"]]
        given = [(function["name"], _object(function["arguments"])) for function in functions]
        calls = [(name, _object(arguments)) for name, arguments in self.calls]
        thought = message.get("reasoning_content") or self.thought
        return given == calls and (message["content"], thought) == (self.text, self.thought)

    def json(self) -> str:
        """As it is kept."""
        return json.dumps(asdict(self))


KEPT = TypeAdapter(MarkedReply)


def remembered(
    index: Index, tenant: Tenant, messages: Sequence[Mapping[str, Any]], forms: Forms
) -> dict[int, MarkedReply]:
    """Replies that a tenant has been given, by their place among the messages."""
    replies = {}
    for place, message in enumerate(messages):
        calls = message.get("tool_calls")
        kept = index.reply(tenant.id(calls[0]["id"])) if calls else None
        if kept is None:
            continue
        try:
            reply = KEPT.validate_json(kept)
        except ValueError:  # damaged: it is as if it were not there
            continue
        if reply.is_of(message) and (forms.thinks or not reply.thought):
            replies[place] = reply
    return replies


def marked(
    messages: Sequence[Mapping[str, Any]], replies: Mapping[int, MarkedReply], forms: Forms
) -> list[dict[str, Any]]:
    """The messages with marks in the place of what the model has written; where the template writes
    no calls, that is their content."""
    copies = [dict(message) for message in messages]
    for place, reply in replies.items():
        if not _rendered(forms):
            copies[place] = {"role": "assistant", "content": reply.raw}
            continue
        names = [f"{MARK}_{place}_{number}_" for number in range(len(reply.calls))]
        calls = zip(copies[place]["tool_calls"], names, strict=True)
        copies[place]["tool_calls"] = [
            {**call, "function": {"name": name, "arguments": {}}} for call, name in calls
        ]
        if reply.thought:
            copies[place]["reasoning_content"] = f"{MARK}_{place}_thought"
    return copies


def rewriting(
    messages: Sequence[Mapping[str, Any]],
    replies: Mapping[int, MarkedReply],
    tokenizer: Any,
    ends: frozenset[int],
    forms: Forms,
) -> Rewrite:
    """What puts replies back into a text that a template made of ``marked`` messages. It raises
    NotFound."""

    def rewrite(text: str) -> str:
        missing = set()
        for place, reply in replies.items() if _rendered(forms) else ():
            ids = [call["id"] for call in messages[place]["tool_calls"]]
            for thinks in (True, False) if reply.thought else (False,):
                shape = _shape(
                    tokenizer, ends, forms, thinks, bool(reply.text), tuple(map(len, ids))
                )
                new_text = _replaced(text, shape, place, ids, reply, thinks=thinks)
                if new_text is not None:
                    break
            text = text if new_text is None else new_text
            for number, (name, _) in enumerate(reply.calls):  # some name it beside the output
                text = text.replace(f"{MARK}_{place}_{number}_", name)
            if new_text is None or f"{MARK}_{place}_" in text:
                missing.add(place)
        if missing:
            raise NotFound(missing)
        return text

    return rewrite


def _replaced(
    text: str,
    shape: str | None,
    place: int,
    ids: Sequence[str],
    reply: MarkedReply,
    *,
    thinks: bool,
) -> str | None:
    if shape is None:
        return None
    for id_ in ids:
        shape = shape.replace(ID, id_, 1)
    shape = shape.replace(MARK, f"{MARK}_{place}").replace(THOUGHT, f"{MARK}_{place}_thought")
    before, content, after = shape.partition(SAID)
    pattern = re.escape(before) + (f"(.*?){re.escape(after)}" if content else "()")
    begin, spoken = reply.raw[: -reply.spoken or None], reply.raw[-reply.spoken :]
    if not spoken.startswith(reply.text):  # a template writes calls after a text, not before it
        return None
    match = re.search(pattern, text, re.DOTALL)
    if match is None:
        return None
    text_said = match.group(1) if content else reply.text  # some write none beside calls
    replacement = f"{begin if thinks else ''}{text_said}{spoken[len(reply.text) :]}"
    return text[: match.start()] + replacement + text[match.end() :]


@functools.lru_cache(64)
def _shape(
    tokenizer: Any,
    ends: frozenset[int],
    forms: Forms,
    thinks: bool,
    says: bool,
    sizes: tuple[int, ...],
) -> str | None:
    """What the template writes of a reply with ``MARK`` and a number for names and ``ID`` for
    ids, of ``sizes``; None when it refuses it."""
    ids = [secrets.token_hex(size)[:size] for size in sizes]
    calls = [
        {"id": id_, "type": "function", "function": {"name": f"{MARK}_{n}_", "arguments": {}}}
        for n, id_ in enumerate(ids)
    ]
    message = {"role": "assistant", "content": SAID if says else "", "tool_calls": calls}
    if thinks:
        message["reasoning_content"] = THOUGHT
    outputs = [{"role": "tool", "tool_call_id": id_, "content": "None."} for id_ in ids]
    messages = as_taken([message], forms)
    text = TemplateProbe(tokenizer, ends).written(
        messages[0], outputs, ends_after=f"{MARK}_{len(ids) - 1}_"
    )
    for id_ in ids:
        text = None if text is None else text.replace(id_, ID)
    return text


def as_read(prompt: Prompt, replies: Mapping[int, MarkedReply], tokenizer: Any) -> Prompt:
    """A prompt with replies in the tokens in which they were generated: a text may be written in
    several ways, and a model writes some of them, above all under a grammar."""
    begin = 0
    for _, reply in sorted(replies.items()):
        usual = np.array(tokenizer(reply.raw, add_special_tokens=False)["input_ids"], np.int64)
        at = _place(prompt, usual, begin)
        if at is not None:
            prompt = _with(prompt, at, len(usual), np.array(reply.ids, np.int64))
            begin = at + len(reply.ids)
    return prompt


def _place(prompt: Prompt, ids: Ints, begin: int) -> int | None:
    """Where tokens stand in what the assistant has said; None where they do not."""
    spans = [known.span for known in prompt.sources if known.source == "assistant"]
    whole, part, size = prompt.ids.tobytes(), ids.tobytes(), prompt.ids.itemsize
    at = whole.find(part, begin * size)
    while at >= 0:
        first = at // size
        if at % size == 0 and any(span.start <= first < span.end for span in spans):
            return first
        at = whole.find(part, at + 1)
    return None


def _with(prompt: Prompt, at: int, size: int, ids: Ints) -> Prompt:
    """A prompt with other tokens in the place of ``size``; a place inside of them is their end."""
    more = len(ids) - size

    def moved(place: int) -> int:
        return place if place <= at else max(place, at + size) + more

    sources = [
        replace(known, span=Span(moved(known.span.start), moved(known.span.end)))
        for known in prompt.sources
    ]
    whole = np.concatenate([prompt.ids[:at], ids, prompt.ids[at + size :]])
    kept_sources = [known for known in sources if known.span.start < known.span.end]
    return Prompt(whole, kept_sources, moved(prompt.border))


def _rendered(forms: Forms) -> bool:
    return forms.calls is not None and forms.calls.rendered


def _object(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return arguments
