"""``/v1/responses``: conversations that the server remembers, by ``previous_response_id``."""

import asyncio
import json
import logging
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import count, groupby
from typing import Any, Literal

from ..errors import InputError, PositionsError
from .admission import characters
from .answering import AnswerForm
from .chat_messages import ChatMessage, ToolCall, said, text_of
from .completions import Form
from .faults import Fault, openai_error
from .given import ClientData
from .index import Index
from .requests import Item, Name, ResponseRequest, RetentionField
from .response_items import Items
from .tenants import Tenant
from .turn import Finished
from .worker import Worker

log = logging.getLogger(__name__)


class PlainFunction(ClientData):
    """A function that was called, as templates take it."""

    name: str
    arguments: str | dict[str, Any]


class PlainCall(ClientData):
    """One call of an earlier answer, as templates take it."""

    id: str
    type: Literal["function"]
    function: PlainFunction


class PlainMessage(ClientData):
    """What ``ChatMessage.plain`` gives."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    name: str | None = None
    tool_calls: list[PlainCall] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None


class StoredResponse(ClientData):
    """A response on the disk: the one before it, the messages that it added, and what it was asked
    with."""

    before: str | None
    messages: list[PlainMessage]
    retention: RetentionField | None
    session: Name | None = None


def conversation(
    index: Index, tenant: Tenant, asked: ResponseRequest, most: int
) -> tuple[list[Form], ResponseRequest]:
    """The messages before those that a request adds, and the request with the session and the
    retention of the previous response where it has none of its own. Raises InputError for a
    previous response that is not there (any more), PositionsError for more than ``most``
    characters."""
    turns: list[list[Form]] = []
    seen: set[str] = set()
    before = asked.previous_response_id
    while before is not None:
        response = None if before in seen else _stored(index, tenant.id(before))
        if response is None:
            raise InputError("previous_response_id is unknown: it was deleted, or never stored")
        seen.add(before)
        before = response.before
        turns.append([message.model_dump(exclude_none=True) for message in response.messages])
        most -= characters(turns[-1])
        if most < 0:
            raise PositionsError(
                "the conversation before previous_response_id has more characters than a request "
                "may have bytes (--max-body): begin a new one"
            )
        if asked.session is None and asked.retention is None:
            given = {"session": response.session, "retention": response.retention}
            asked = asked.model_copy(update=given)
    return [message for turn in reversed(turns) for message in turn], asked


def _stored(index: Index, id_: str) -> StoredResponse | None:
    """A response; None for one that is unknown or damaged."""
    if (row := index.response(id_)) is None:
        return None
    try:
        turn = json.loads(row[1])  # it was nested as deep as a request may be, and is deeper now
        return StoredResponse.model_validate({**turn, "before": row[0]})
    except (ValueError, TypeError, RecursionError):
        log.warning("response %.70r is damaged: it is as if it were deleted", id_)
        return None


def _added(given: str | Sequence[Item]) -> list[Form]:
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return [message.plain() for message in _messages(given)]


def _messages(items: Sequence[Item]) -> Iterator[ChatMessage]:
    """An assistant's texts and calls that stand together are one message, as they were one turn."""
    for ours, group in groupby(items, _is_assistants):
        if ours:
            turn = list(group)
            texts = [text_of(i.content) for i in turn if i.content and i.type == "message"]
            thoughts = [text_of(i.content) for i in turn if i.content and i.type == "reasoning"]
            calls = [item for item in turn if item.type == "function_call"]
            known = [ToolCall.of(i.call_id or "", i.name or "", i.arguments or "") for i in calls]
            if texts or known or thoughts:  # a thought that its server alone can read is nothing
                yield said("\n".join(texts), known, "\n".join(thoughts))
        else:
            yield from map(_message, group)


def _is_assistants(item: Item) -> bool:
    return item.type in ("function_call", "reasoning") or item.role == "assistant"


def _message(item: Item) -> ChatMessage:
    if item.type == "function_call_output":
        return ChatMessage(role="tool", content=item.output, tool_call_id=item.call_id)
    assert item.role is not None
    return ChatMessage(role=item.role, content=item.content)


class Response(AnswerForm):
    """One response: how it is asked for, its forms, and what is kept of it."""

    named = True  # events of a stream have names

    def __init__(self, worker: Worker, tenant: Tenant, asked: ResponseRequest, most: int) -> None:
        self.sessions = worker.sessions
        before, asked = conversation(self.sessions.index, tenant, asked, most)
        super().__init__(worker, tenant, asked)
        self.added = _added(asked.input)
        self.messages = [*before, *self.added]
        if asked.instructions is not None:  # of this response alone, as OpenAI has it
            self.messages.insert(0, {"role": "system", "content": asked.instructions})
        self.id, self.made = f"resp_{secrets.token_hex(16)}", int(time.time())
        self._items, self._numbers = Items(self.id), count()

    async def _store(self, end: Finished) -> None:
        if self.asked.store:
            calls = [ToolCall.of(c.id, c.name, c.arguments) for c in self.answer.calls]
            turn_said = said(self._items.text, calls, self._items.thought).plain()
            limit = 50 * self.sessions.bounds.saved
            asked, given = self.asked, self.asked.retention
            kept = None if given is None else given.model_dump(exclude_unset=True)
            turn = {
                "messages": [*self.added, turn_said],
                "retention": kept,
                "session": asked.session,
            }
            put, before = self.sessions.index.put_response, asked.previous_response_id
            id_ = self.tenant.id(self.id)
            await asyncio.to_thread(put, id_, before, end.session, turn, limit)

    def form(self, status: str, end: Finished | None = None) -> Form:
        """The response object with a status; its output and usage are empty until ``end`` is
        given."""
        asked, choice, cut = self.asked, self.asked.tool_choice, {"reason": "max_output_tokens"}
        output = [] if end is None else self._items.whole(status, self.answer.calls)
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.made,
            "model": self.sessions.engine.name,
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

    async def whole(self) -> Form:
        """The response when it has ended, and is stored."""
        async for part in self.answer.parts():
            deque(self._items.add(part), maxlen=0)
        return await self._ended()

    async def _ended(self) -> Form:
        end = self.end()
        await self._store(end)
        return self.form("incomplete" if end.reason == "length" else "completed", end)

    async def chunks(self) -> AsyncIterator[Form]:
        """The events of a stream, numbered."""
        async for event in self._events():
            yield self._numbered(event)

    def failed(self, fault: Fault) -> Form:
        """What ends a stream that fails."""
        return self._numbered({**openai_error(fault)["error"], "type": "error"})

    @property
    def ping(self) -> Form:
        """A sign of life. Codex gives up when five minutes bring no event; a comment is none."""
        return self._numbered(self._in_progress())

    def _in_progress(self) -> Form:
        return {"type": "response.in_progress", "response": self.form("in_progress")}

    def _numbered(self, event: Form) -> Form:
        return {**event, "sequence_number": next(self._numbers)}

    async def _events(self) -> AsyncIterator[Form]:
        yield {"type": "response.created", "response": self.form("in_progress")}
        yield self._in_progress()
        async for part in self.answer.parts():
            for event in self._items.add(part):
                yield event
        final = await self._ended()
        for event in self._items.ended(final["output"]):
            yield event
        yield {"type": f"response.{final['status']}", "response": final}


def _usage(end: Finished) -> Form:
    return {
        "input_tokens": end.prompt,
        "input_tokens_details": {"cached_tokens": end.kept},
        "output_tokens": end.completion,
        "output_tokens_details": {"reasoning_tokens": end.thought},
        "total_tokens": end.prompt + end.completion,
    }
