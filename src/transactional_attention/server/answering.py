"""A turn as its client sees it: from a request's parts to pieces of text and calls, then its end.

The worker's thread tells, the event loop listens; a client that goes away ends its turn.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..config import Retention
from ..engines.prompts import Prompt, chat_prompt, text_prompt
from ..engines.sampling import Sampling, Token
from ..errors import InputError, PositionsError
from .requests import RetentionField
from .tool_calls import Call, CallParser, beginning, marks_calls, takes_tools
from .turn import Finished, Turn
from .worker import Event, Job, Worker

MAX_TOKENS = 1024  # of an answer when nobody says


@dataclass(frozen=True)
class Part:
    """What came of an answer: text, calls, and the tokens of both."""

    text: str = field(default="", repr=False)
    calls: Sequence[Call] = field(default=(), repr=False)
    tokens: Sequence[Token] = field(default=(), repr=False)


class Answer:
    """An answer under way; iterate it once. Then ``end`` says how it ended."""

    def __init__(self, worker: Worker, turn: Turn, parser: CallParser | None) -> None:
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self.turn, self.parser = turn, parser
        self.end: Finished | None = None
        self._metrics, self._begun = worker.metrics, False

        def tell(event: Event) -> None:
            loop.call_soon_threadsafe(self._events.put_nowait, event)

        self._job = Job(turn, tell)
        worker.submit(self._job)

    @property
    def calls(self) -> Sequence[Call]:
        """All calls of it so far."""
        return self.parser.calls if self.parser else ()

    def leave(self) -> None:
        """The client has gone: its turn ends behind the step that runs."""
        self._job.gone = True

    async def parts(self) -> AsyncIterator[Part]:
        """Its parts, until it ends; raises what ended the turn before its end."""
        while True:
            event = await self._events.get()
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, Finished):
                self.end = event
                text, calls = self.parser.rest() if self.parser else ("", [])
                if text or calls:
                    yield Part(text, calls)
                return
            if not self._begun:
                self._begun = True
                self._metrics.first.observe(time.monotonic() - self._job.came)
            text, calls = self.parser.add(event.text) if self.parser else (event.text, [])
            if text or calls or event.tokens:
                yield Part(text, calls, event.tokens)


async def ask_chat(
    worker: Worker,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    choice: str,
    *,
    append: bool = False,
    **about: Any,
) -> Answer:
    """An answer to a chat. Raises RetentionError for what cannot be read, Refused in a full line;
    ``append``: the messages go on behind what the session of ``about`` has read; ``about``:
    ``max_tokens``, and what ``requests.Asked.turn`` gives."""
    tokenizer = worker.sessions.engine.tokenizer
    names = [tool["function"]["name"] for tool in tools]
    begun = beginning(choice, names, tokenizer)
    given = list(tools) if tools and choice != "none" else None
    parser = CallParser(begun, names) if given and marks_calls(tokenizer) else None

    if given and not takes_tools(tokenizer):
        raise InputError("the model's chat template takes no tools: leave them out")
    before: Prompt | None = None
    if append:
        name, own = about["session"], _own(worker, about["retention"])
        look = worker.call(lambda: worker.sessions.conversation(name, own))
        before = await asyncio.wrap_future(look)
    prompt = await asyncio.to_thread(chat_prompt, tokenizer, messages, given, begun, before)
    return _answer(worker, prompt, parser=parser, append=append, **about)


async def ask_text(worker: Worker, text: str, **about: Any) -> Answer:
    """An answer to a plain prompt, in no template; as ``ask_chat``."""
    prompt = await asyncio.to_thread(text_prompt, worker.sessions.engine.tokenizer, text)
    return _answer(worker, prompt, **about)


def _own(worker: Worker, retention: RetentionField | None) -> Retention | None:
    return None if retention is None else retention.over(worker.default)


def _answer(
    worker: Worker,
    prompt: Prompt,
    *,
    sampling: Sampling,
    max_tokens: int | None,
    stop: Sequence[str],
    retention: RetentionField | None,
    session: str | None,
    parser: CallParser | None = None,
    append: bool = False,
) -> Answer:
    own = _own(worker, retention)
    limit = worker.sessions.engine.limit(own or worker.default)
    room = None if limit is None else limit - len(prompt.ids)
    if room is not None and room < 1:
        raise PositionsError(
            f"the prompt has {len(prompt.ids)} tokens, the model {limit} positions: shorten "
            "it, or serve it with compact positions"
        )
    most = min(n for n in (max_tokens or MAX_TOKENS, room) if n is not None)
    return Answer(worker, Turn(prompt, sampling, most, stop, own, session, append), parser)
