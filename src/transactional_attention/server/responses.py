"""``/v1/responses``: conversations that the server remembers, by ``previous_response_id``."""

import asyncio
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import count, groupby
from typing import Any, Literal

from ..errors import InputError, PositionsError
from .admission import characters
from .answering import Answer, Asking, chat_turn
from .chat_messages import Message, ToolCall, functions, said, strict_names, text_of
from .completions import Form
from .faults import Fault, openai_error
from .given import Given
from .index import Index
from .requests import Item, Name, ResponseRequest, RetentionField, options_of
from .tool_calls import Call
from .turn import Finished
from .worker import Worker

log = logging.getLogger(__name__)


class PlainFunction(Given):
    """A function that was called, as templates take it."""

    name: str
    arguments: str | dict[str, Any]


class PlainCall(Given):
    """One call of an earlier answer, as templates take it."""

    id: str
    type: Literal["function"]
    function: PlainFunction


class PlainMessage(Given):
    """What ``Message.plain`` gives."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: str | None = None
    tool_calls: list[PlainCall] | None = None
    tool_call_id: str | None = None


class Stored(Given):
    """A response on the disk: the one before it, the messages that it added, and what it was asked
    with."""

    before: str | None
    messages: list[PlainMessage]
    retention: RetentionField | None
    session: Name | None = None


def conversation(
    index: Index, asked: ResponseRequest, most: int
) -> tuple[list[Form], ResponseRequest]:
    """The messages before those that a request adds, and the request with the session and the
    retention of the previous response where it has none of its own. Raises InputError for a
    previous response that is not there (any more), PositionsError for more than ``most``
    characters."""
    turns: list[list[Form]] = []
    seen: set[str] = set()
    before = asked.previous_response_id
    while before is not None:
        found = None if before in seen else _stored(index, before)
        if found is None:
            raise InputError("previous_response_id is unknown: it was deleted, or never stored")
        seen.add(before)
        before = found.before
        turns.append([message.model_dump(exclude_none=True) for message in found.messages])
        most -= characters(turns[-1])
        if most < 0:
            raise PositionsError(
                "the conversation before previous_response_id has more characters than a request "
                "may have bytes (--max-body): begin a new one"
            )
        if asked.session is None and asked.retention is None:
            given = {"session": found.session, "retention": found.retention}
            asked = asked.model_copy(update=given)
    return [message for turn in reversed(turns) for message in turn], asked


def _stored(index: Index, id_: str) -> Stored | None:
    """A response; None for one that is unknown or damaged."""
    if (found := index.response(id_)) is None:
        return None
    try:
        turn = json.loads(found[1])  # it was nested as deep as a request may be, and is deeper now
        return Stored.model_validate({**turn, "before": found[0]})
    except (ValueError, TypeError, RecursionError):
        log.warning("response %.70r is damaged: it is as if it were deleted", id_)
        return None


def _added(given: str | Sequence[Item]) -> list[Form]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [message.plain() for message in _messages(given)]


def _messages(items: Sequence[Item]) -> Iterator[Message]:
    """An assistant's texts and calls that stand together are one message, as they were one turn."""
    for ours, group in groupby(items, _is_assistants):
        if ours:
            turn = list(group)
            texts = [text_of(item.content) for item in turn if item.content]
            calls = [item for item in turn if item.type == "function_call"]
            yield said("\n".join(texts), [_call(i.call_id, i.name, i.arguments) for i in calls])
        else:
            yield from map(_message, group)


def _is_assistants(item: Item) -> bool:
    return item.type == "function_call" or item.role == "assistant"


def _message(item: Item) -> Message:
    if item.type == "function_call_output":
        return Message(role="tool", content=item.output, tool_call_id=item.call_id)
    assert item.role is not None
    return Message(role=item.role, content=item.content)


def _call(*given: str | None) -> ToolCall:
    return ToolCall.of(*(text or "" for text in given))


class Response:
    """One response: how it is asked for, its forms, and what is kept of it."""

    named = True  # events of a stream have names
    answer: Answer

    def __init__(self, worker: Worker, asked: ResponseRequest, most: int) -> None:
        self.worker, self.sessions = worker, worker.sessions
        before, self.asked = conversation(self.sessions.index, asked, most)
        self.added = _added(asked.input)
        self.messages = [*before, *self.added]
        if asked.instructions is not None:  # of this response alone, as OpenAI has it
            self.messages.insert(0, {"role": "system", "content": asked.instructions})
        own = functions(asked.tools)
        tools = (tool.model_dump(exclude={"type"}, exclude_none=True) for tool in own)
        self._tools: list[Form] = [{"type": "function", "function": tool} for tool in tools]
        self.id, self.made = f"resp_{secrets.token_hex(16)}", int(time.time())
        self.text, self._numbers = "", count()

    def size(self) -> int:
        """Characters of what is asked."""
        return characters(self.messages) + characters(self._tools)

    def asking(self) -> Asking:
        """What is asked: a chat."""
        asked, choice = self.asked, self.asked.tool_choice
        form = asked.text.format if asked.text else None
        return chat_turn(
            self.worker,
            self.messages,
            self._tools,
            choice if isinstance(choice, str) else choice.name,
            options=options_of(asked.chat_template_kwargs, asked.reasoning.effort),
            max_tokens=asked.max_output_tokens,
            text=form.schema_given() if form else None,
            strict=strict_names(asked.tools),
            parallel=asked.parallel_tool_calls,
            **asked.turn(),
        )

    async def _store(self, end: Finished) -> None:
        if self.asked.store:
            calls = [ToolCall.of(c.id, c.name, c.arguments) for c in self.answer.calls]
            turn_said = said(self.text, calls).plain()
            limit = 50 * self.sessions.bounds.saved
            asked, given = self.asked, self.asked.retention
            kept = None if given is None else given.model_dump(exclude_unset=True)
            turn = {
                "messages": [*self.added, turn_said],
                "retention": kept,
                "session": asked.session,
            }
            put, before = self.sessions.index.put_response, asked.previous_response_id
            await asyncio.to_thread(put, self.id, before, end.session, turn, limit)

    def form(self, status: str, end: Finished | None = None) -> Form:
        """The response as it is now."""
        asked, choice, cut = self.asked, self.asked.tool_choice, {"reason": "max_output_tokens"}
        output: list[Form] = []
        if end is not None:
            if self.text or not self.answer.calls:
                output.append(self._message(self.text, status))
            output += [_call_item(call) for call in self.answer.calls]
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.made,
            "model": asked.model,
            "status": status,
            "error": None,
            "incomplete_details": cut if status == "incomplete" else None,
            "instructions": asked.instructions,
            "previous_response_id": asked.previous_response_id,
            "output": output,
            "parallel_tool_calls": asked.parallel_tool_calls,
            "tools": [tool.model_dump(exclude_none=True) for tool in asked.tools],
            "tool_choice": choice
            if isinstance(choice, str)
            else choice.model_dump(exclude_none=True),
            "temperature": asked.temperature,
            "top_p": asked.top_p,
            "max_output_tokens": asked.max_output_tokens,
            "store": asked.store,
            "metadata": {},
            "usage": None if end is None else _usage(end),
        }

    def _message(self, text: str | None, status: str) -> Form:
        content = [] if text is None else [_output_text(text)]
        about = {"id": f"msg_{self.id[5:]}", "type": "message", "role": "assistant"}
        return {**about, "status": status, "content": content}

    async def whole(self) -> Form:
        """The response when it has ended, and is stored."""
        async for part in self.answer.parts():
            self.text += part.text
        return await self._ended()

    async def _ended(self) -> Form:
        end = self.answer.end
        assert end is not None
        await self._store(end)
        return self.form("incomplete" if end.reason == "length" else "completed", end)

    async def chunks(self) -> AsyncIterator[Form]:
        """The events of a stream, numbered."""
        async for event in self._events():
            yield self._numbered(event)

    def failed(self, fault: Fault) -> Form:
        """What ends a stream that fails."""
        return self._numbered({**openai_error(fault)["error"], "type": "error"})

    def _numbered(self, event: Form) -> Form:
        return {**event, "sequence_number": next(self._numbers)}

    async def _events(self) -> AsyncIterator[Form]:
        yield {"type": "response.created", "response": self.form("in_progress")}
        yield {"type": "response.in_progress", "response": self.form("in_progress")}
        place = {"item_id": f"msg_{self.id[5:]}", "output_index": 0, "content_index": 0}
        begun = False
        async for part in self.answer.parts():
            if not part.text:
                continue
            if not begun:
                item = self._message(None, "in_progress")
                yield {"type": "response.output_item.added", "output_index": 0, "item": item}
                yield {"type": "response.content_part.added", **place, "part": _output_text("")}
                begun = True
            self.text += part.text
            told = {"delta": part.text, "logprobs": []}
            yield {"type": "response.output_text.delta", **place, **told}
        final = await self._ended()
        items = final["output"]
        if begun:
            text: Form = {"text": self.text, "logprobs": []}
            yield {"type": "response.output_text.done", **place, **text}
            done = _output_text(self.text)
            yield {"type": "response.content_part.done", **place, "part": done}
        for index, item in enumerate(items):
            shown: Form = {"output_index": index, "item": item}
            if item["type"] == "function_call":
                yield {"type": "response.output_item.added", **shown}
                given = {"name": item["name"], "arguments": item["arguments"]}
                about: Form = {"output_index": index, **given, "item_id": item["id"]}
                yield {"type": "response.function_call_arguments.done", **about}
            if begun or item["type"] == "function_call":
                yield {"type": "response.output_item.done", **shown}
        yield {"type": f"response.{final['status']}", "response": final}


def _call_item(call: Call) -> Form:
    about = {"id": call.id.replace("call_", "fc_"), "type": "function_call", "status": "completed"}
    return {**about, "call_id": call.id, "name": call.name, "arguments": call.arguments}


def _output_text(text: str) -> Form:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(end: Finished) -> Form:
    return {
        "input_tokens": end.prompt,
        "input_tokens_details": {"cached_tokens": end.kept},
        "output_tokens": end.completion,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": end.prompt + end.completion,
    }
