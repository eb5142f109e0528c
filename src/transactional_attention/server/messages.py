"""``/v1/messages``: answers in the form of Anthropic's Messages."""

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from typing import ClassVar

from .answering import AnswerForm, AnswerPart
from .completions import Form, session_of
from .faults import Fault, anthropic_error
from .message_requests import CountRequest
from .tenants import Tenant
from .tool_calls import Call
from .turn import Finished
from .worker import Worker

PING: Form = {"type": "ping"}
REASONS = {"stop": "end_turn", "length": "max_tokens"}


class MessageReply(AnswerForm):
    """The forms of one answer: blocks of a thought, of text and of calls."""

    named = True  # events of a stream have names
    ping: ClassVar[Form | None] = PING  # a sign of life

    def __init__(self, worker: Worker, tenant: Tenant, asked: CountRequest) -> None:
        super().__init__(worker, tenant, asked)
        messages, self.opening = asked.chat()
        self.messages = [message.plain() for message in messages]
        self.id = f"msg_{secrets.token_hex(12)}"
        self._num_blocks, self._open = 0, ""  # the kind of the block that goes on

    async def whole(self) -> Form:
        """The answer when it has ended."""
        content: list[Form] = []
        async for part in self.answer.parts():
            for piece in self._pieces(part):
                if isinstance(piece, Call):
                    content.append({**_call_block(piece), "input": json.loads(piece.arguments)})
                elif content and content[-1]["type"] == piece[0]:
                    content[-1][piece[0]] += piece[1]
                else:
                    content.append(_block(*piece))
        end = self.end()
        about = {**self._ended(end), "usage": _usage(end), "session": session_of(end)}
        return {**self._form(), "content": content, **about}

    async def chunks(self) -> AsyncIterator[Form]:
        """The events of a stream."""
        read = {"input_tokens": len(self.answer.turn.prompt.ids), "output_tokens": 0}
        yield {"type": "message_start", "message": {**self._form(), "usage": read}}
        async for part in self.answer.parts():
            for piece in self._pieces(part):
                for event in self._events(piece):
                    yield event
        for event in self._stopped():
            yield event
        end = self.end()
        fields = {"delta": self._ended(end), "usage": _usage(end), "session": session_of(end)}
        yield {"type": "message_delta", **fields}
        yield {"type": "message_stop"}

    def failed(self, fault: Fault) -> Form:
        """What ends a stream that fails."""
        return anthropic_error(fault)

    def _form(self) -> Form:
        about = {"id": self.id, "type": "message", "role": "assistant"}
        name = self.worker.sessions.engine.name
        return {**about, "model": name, "content": [], "stop_reason": None, "stop_sequence": None}

    def _pieces(self, part: AnswerPart) -> Iterator[tuple[str, str] | Call]:
        """What came of blocks: (kind, text), or a call."""
        if part.thought and self.asked.thinking.display != "omitted":
            yield "thinking", part.thought
        if part.text:
            yield "text", part.text
        yield from part.calls

    def _events(self, piece: tuple[str, str] | Call) -> Iterator[Form]:
        if isinstance(piece, Call):
            yield from self._started(_call_block(piece))
            yield self._delta("input_json", partial_json=piece.arguments)
            return
        kind, text = piece
        if kind != self._open:
            yield from self._started(_block(kind, ""))
        yield self._delta(kind, **{kind: text})

    def _started(self, block: Form) -> Iterator[Form]:
        yield from self._stopped()
        self._open = block["type"]
        yield {"type": "content_block_start", "index": self._num_blocks, "content_block": block}
        if not self._num_blocks:
            yield PING

    def _stopped(self) -> Iterator[Form]:
        if self._open:
            yield {"type": "content_block_stop", "index": self._num_blocks}
            self._num_blocks, self._open = self._num_blocks + 1, ""

    def _delta(self, kind: str, **given: str) -> Form:
        delta = {"type": f"{kind}_delta", **given}
        return {"type": "content_block_delta", "index": self._num_blocks, "delta": delta}

    def _ended(self, end: Finished) -> Form:
        """Why the answer ended, as Anthropic says it."""
        reason = "stop_sequence" if end.stop is not None else REASONS[end.reason]
        return {
            "stop_reason": "tool_use" if self.answer.calls else reason,
            "stop_sequence": end.stop,
        }


def _block(kind: str, text: str) -> Form:
    """A thought has a signature by which Anthropic knows its own; none is needed here."""
    signed = {"signature": ""} if kind == "thinking" else {}
    return {"type": kind, kind: text, **signed}


def _call_block(call: Call) -> Form:
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}


def _usage(end: Finished) -> Form:
    """As Anthropic counts: ``input_tokens`` are those that were read now."""
    return {
        "input_tokens": end.prompt - end.kept,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": end.kept,
        "output_tokens": end.completion,
        "output_tokens_details": {"thinking_tokens": end.thought},
    }
