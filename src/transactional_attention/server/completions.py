"""``/v1/chat/completions`` and ``/v1/completions``: from requests to answers in OpenAI's forms."""

import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from typing import Any

from ..engines.sampling import Token
from .answering import AnswerForm, AnswerPart, Asking, text_turn
from .faults import Fault, openai_error
from .tenants import Tenant, name_of
from .token_names import token_bytes, token_name
from .turn import Finished, Progress
from .worker import Worker

Form = dict[str, Any]


class Completion(AnswerForm, ABC):
    """What both of OpenAI's completions share: ``whole`` when the answer has ended, ``chunks``
    while it goes on."""

    kind: str
    prefix: str
    named = False  # events of a stream have no names
    ping: Form | None = None  # a comment is the sign of life

    def __init__(self, worker: Worker, tenant: Tenant, asked: Any) -> None:
        super().__init__(worker, tenant, asked)
        self.about: Form = {
            "id": f"{self.prefix}-{secrets.token_hex(12)}",
            "created": int(time.time()),
            "model": worker.sessions.engine.name,
        }

    @abstractmethod
    def choice(self, parts: Sequence[AnswerPart]) -> Form:
        """Of a whole answer, what is in its one choice."""

    @abstractmethod
    def delta(self, part: AnswerPart) -> Form:
        """The same of one part of a stream."""

    def text(self, token: int) -> str:
        """What a token is on its own."""
        return token_name(self.bytes(token))

    def bytes(self, token: int) -> bytes:
        """The same as bytes."""
        return token_bytes(self.worker.sessions.engine.tokenizer, token)

    def _form(self, kind: str, choices: Sequence[Form]) -> Form:
        return {**self.about, "object": kind, "choices": list(choices)}

    def reason(self, end: Finished) -> str:
        """Why the answer ended, as OpenAI says it."""
        return "tool_calls" if self.answer.calls else end.reason

    async def whole(self) -> Form:
        """The answer when it has ended."""
        parts = [part async for part in self.answer.parts()]
        end = self.end()
        choice = {"index": 0, **self.choice(parts), "finish_reason": self.reason(end)}
        return {
            **self._form(self.kind, [choice]),
            "usage": usage_of(end),
            "session": session_of(end),
        }

    async def chunks(self) -> AsyncIterator[Form]:
        """The answer as it comes; the last chunks say how it ended, and what it used."""
        kind = f"{self.kind}.chunk" if self.kind.startswith("chat") else self.kind
        async for part in self.answer.parts():
            chunk = self._form(kind, [{"index": 0, **self.delta(part), "finish_reason": None}])
            if part.progress is not None:
                chunk["prompt_progress"] = read(part.progress)
            yield chunk
        end = self.end()
        last = {"index": 0, **self.delta(AnswerPart()), "finish_reason": self.reason(end)}
        yield {**self._form(kind, [last]), "session": session_of(end)}
        if self.asked.stream_options.include_usage:
            yield {**self._form(kind, []), "usage": usage_of(end)}

    def failed(self, fault: Fault) -> Form:
        """What ends a stream that fails."""
        return openai_error(fault)


class TextCompletion(Completion):
    """The forms of an answer to a plain prompt."""

    kind, prefix = "text_completion", "cmpl"

    def size(self) -> int:
        """Characters of what is asked."""
        return len(self.asked.prompt)

    def asking(self) -> Asking:
        """What is asked: a plain prompt."""
        return text_turn(self.worker, self.tenant, self.asked.prompt, **self.asked.turn())

    def choice(self, parts: Sequence[AnswerPart]) -> Form:
        """The text."""
        text = "".join(part.text for part in parts)
        return {"text": text, "logprobs": self.logprobs([t for p in parts for t in p.tokens])}

    def delta(self, part: AnswerPart) -> Form:
        """The same of one part."""
        return self.choice([part])

    def logprobs(self, tokens: Sequence[Token]) -> Form | None:
        """As completions tell them."""
        if self.answer.turn.sampling.top is None:
            return None
        return {
            "tokens": [self.text(token.id) for token in tokens],
            "token_logprobs": [token.logprob for token in tokens],
            "top_logprobs": [self._alternatives(token) for token in tokens],
            "text_offset": [],
        }

    def _alternatives(self, token: Token) -> Form:
        """By their texts; of two with the same text the likelier."""
        alternatives: Form = {}
        for id_, log in token.top:
            alternatives.setdefault(self.text(id_), log)
        return alternatives


class ChatCompletion(Completion):
    """The forms of an answer to a chat."""

    kind, prefix = "chat.completion", "chatcmpl"

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.messages = [message.plain() for message in self.asked.messages]
        self._begun, self._num_calls = False, 0

    def choice(self, parts: Sequence[AnswerPart]) -> Form:
        """The message, with its calls."""
        text, calls = "".join(part.text for part in parts), self.answer.calls
        message: Form = {"role": "assistant", "content": text if text or not calls else None}
        if thought := "".join(part.thought for part in parts):
            message["reasoning_content"] = thought
        if calls:
            message["tool_calls"] = [call_form(call) for call in calls]
        logs = self.logprobs([token for part in parts for token in part.tokens])
        return {"message": message, "logprobs": logs}

    def delta(self, part: AnswerPart) -> Form:
        """What is new of the message."""
        delta: Form = {} if self._begun else {"role": "assistant", "content": ""}
        self._begun = True
        if part.thought:
            delta["reasoning_content"] = part.thought
        if part.text:
            delta["content"] = part.text
        if part.calls:
            first = self._num_calls
            self._num_calls += len(part.calls)
            numbered = enumerate(part.calls, first)
            delta["tool_calls"] = [{"index": n, **call_form(call)} for n, call in numbered]
        return {"delta": delta, "logprobs": self.logprobs(part.tokens)}

    def logprobs(self, tokens: Sequence[Token]) -> Form | None:
        """As chats tell them."""
        if self.answer.turn.sampling.top is None:
            return None
        return {"content": [self._told(token) for token in tokens], "refusal": None}

    def _told(self, token: Token) -> Form:
        top = [self._entry(i, log) for i, log in token.top]
        return {**self._entry(token.id, token.logprob or 0.0), "top_logprobs": top}

    def _entry(self, token: int, log: float) -> Form:
        return {"token": self.text(token), "logprob": log, "bytes": list(self.bytes(token))}


def call_form(call: Any) -> Form:
    """A call as an entry of ``tool_calls`` in OpenAI's chat completions."""
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def read(progress: Progress) -> Form:
    """How far a prompt is read, as llama-server says it."""
    numbers = {"total": progress.total, "cache": progress.kept, "processed": progress.read}
    return {**numbers, "time_ms": round(1000 * progress.seconds)}


def usage_of(end: Finished) -> Form:
    """Tokens of a prompt, of which ``cached_tokens`` were not read again, and of its answer."""
    return {
        "prompt_tokens": end.prompt,
        "completion_tokens": end.completion,
        "total_tokens": end.prompt + end.completion,
        "prompt_tokens_details": {"cached_tokens": end.kept},
        "completion_tokens_details": {"reasoning_tokens": end.thought},
    }


def session_of(end: Finished) -> Form:
    """Which session answered, how much of the prompt it had read, and where its history changed."""
    return {"id": name_of(end.session), "kept": end.kept, "changed_at": end.changed_at}
