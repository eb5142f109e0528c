"""A turn as its client sees it: from a request's parts to pieces of text and calls, then its end.

The worker's thread sends events to the event loop; a client that leaves ends its turn.
"""

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from ..config import Retention
from ..engines.prompts import Prompt, chat_prompt, num_pinned, text_prompt
from ..engines.sampling import Sampling, Token
from ..engines.session import Engine
from ..errors import InputError, PositionsError
from ..text.pieces import longest_entry
from .admission import characters
from .answer_grammar import wanted
from .call_forms import forms_of
from .faults import Fault
from .history import as_taken
from .parsing import Parser, num_thought, parser_of, shown_ids
from .replies import MarkedReply, NotFound, Rewrite, as_read, marked, remembered, rewriting
from .requests import RetentionField
from .schema import Schema
from .tenants import Tenant
from .tool_calls import Call, takes_tools
from .turn import Decoder, Finished, Progress, Turn
from .worker import Event, Job, Worker

MAX_TOKENS = 16384  # of an answer when nobody says: one that goes round in circles ends here


@dataclass(frozen=True)
class AnswerPart:
    """A piece of an answer: text, calls, thought, and the tokens of all three; or, before there is
    any, how far its prompt is read."""

    text: str = field(default="", repr=False)
    calls: Sequence[Call] = field(default=(), repr=False)
    tokens: Sequence[Token] = field(default=(), repr=False)
    thought: str = field(default="", repr=False)
    progress: Progress | None = None


class Answer:
    """An answer under way; iterate it once. Then ``end`` says how it ended."""

    def __init__(
        self,
        worker: Worker,
        turn: Turn,
        parser: Callable[[], Parser] | None,
    ) -> None:
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self.turn, self._fresh = turn, parser
        self.parser = parser() if parser else None
        self.end: Finished | None = None
        self.fault: Fault | None = None  # what a stream of it ended with
        self._first: Event | None = None  # was waited for, and not yet told
        self._raw = self._text = self._thought = ""  # all of it so far
        self._ids: list[int] = []
        self._index, self._tokenizer = worker.sessions.index, worker.sessions.engine.tokenizer
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
        """The client has gone: its turn ends after the step that runs."""
        self._job.gone = True

    async def begun(self, seconds: float) -> None:
        """Wait at most ``seconds`` until something of it has come; raises what ended the turn
        before."""
        with suppress(TimeoutError):
            self._first = await asyncio.wait_for(self._events.get(), seconds)
        if isinstance(self._first, BaseException):
            raise self._first

    async def parts(self) -> AsyncIterator[AnswerPart]:
        """Its parts, until it ends; raises what ended the turn before its end."""
        while True:
            event, self._first = self._first or await self._events.get(), None
            if isinstance(event, BaseException):
                raise event
            if isinstance(event, Progress):
                yield AnswerPart(progress=event)
                continue
            if isinstance(event, Finished):
                part = self._parted("", final=True)
                self.end = replace(event, thought=self._num_thought())
                await self._remember(event.session)
                if part.text or part.calls or part.thought:
                    yield part
                return
            if not self._begun:
                self._begun = True
                self._metrics.first.observe(time.monotonic() - self._job.came)
            part = self._parted(event.text, event.tokens)
            if part.text or part.calls or part.tokens or part.thought:
                yield part

    def _parted(
        self, text: str, tokens: Sequence[Token] = (), *, final: bool = False
    ) -> AnswerPart:
        if self.parser is None:
            return AnswerPart(text, tokens=tokens)
        self._raw += text
        self._ids += [token.id for token in tokens]
        thought, text, calls = self.parser.add(text, final=final)
        self._text, self._thought = self._text + text, self._thought + thought
        return AnswerPart(text, calls, tokens, thought)

    def _num_thought(self) -> int:
        if not self._thought or self._fresh is None:
            return 0
        return num_thought(self._fresh(), Decoder(self._tokenizer, self.turn.shown), self._ids)

    async def _remember(self, session: str) -> None:
        """Keep an answer with calls, for the prompt of the next turn."""
        if self.parser is None or not self.calls:
            return
        calls = [(call.name, call.arguments) for call in self.calls]
        reply = MarkedReply(
            self._raw, self._ids, self.parser.spoken, self._thought, self._text, calls
        )
        put = self._index.put_reply
        call = self.turn.tenant.id(self.calls[0].id)
        await asyncio.to_thread(put, call, session, reply.json())


Asking = tuple[Turn, Callable[[], Parser] | None]  # what an ``Answer`` is asked with


def chat_turn(
    worker: Worker,
    tenant: Tenant,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    choice: str,
    *,
    options: Mapping[str, Any] | None = None,
    opening: str = "",
    before: Prompt | None = None,
    text: Schema | None = None,
    strict: Collection[str] = (),
    parallel: bool = True,
    **about: Any,
) -> Asking:
    """A chat to be answered. Raises RetentionError for what cannot be read.

    ``options``: of the template; ``opening``: what the answer begins with and does not say again;
    ``before``: what the session has read, after which the messages go on; ``text``: the schema of
    what is said; ``strict``: names of tools whose schemas are followed, ``parallel``: more than one
    call; ``about``: ``max_tokens``, and what ``BaseRequest.turn`` gives."""
    engine = worker.sessions.engine
    tokenizer, forms = engine.tokenizer, forms_of(engine.tokenizer, engine.end_ids)
    form = wanted(choice, tools, forms, text, strict, parallel=parallel)
    if text is not None and opening:
        raise InputError("an answer that is begun cannot follow a schema: leave out one of them")
    given = list(tools) if tools and choice != "none" else None
    if given and not takes_tools(tokenizer):
        raise InputError("the model's chat template takes no tools: leave them out")

    def read() -> Prompt:
        def prompt(chat: Sequence[Mapping[str, Any]], rewrite: Rewrite | None = None) -> Prompt:
            taken = as_taken(chat, forms)
            return chat_prompt(tokenizer, taken, given, opening, before, options, rewrite)

        replies = remembered(worker.sessions.index, tenant, messages, forms)
        while replies:
            rewriter = rewriting(messages, replies, tokenizer, engine.end_ids, forms)
            try:
                rewritten_prompt = prompt(marked(messages, replies, forms), rewriter)
            except NotFound as missing:  # the others stay as they were read
                replies = {n: reply for n, reply in replies.items() if n not in missing.places}
            except InputError:  # without the marks it may be taken
                break
            else:
                return as_read(rewritten_prompt, replies, tokenizer)
        return prompt(messages)

    size = characters([*messages, *(given or ())])
    turn = _turn(worker, tenant, size, read, append=before is not None, **about)
    inside = tokenizer.decode(turn.prompt.ids[-64:]).rstrip().endswith(forms.thought[0])
    turn = replace(turn, shown=shown_ids(tokenizer, forms))
    if form is not None:
        grammar = form.grammar(tokenizer, engine.end_ids, inside=inside)
        turn = replace(turn, sampling=replace(turn.sampling, grammar=grammar))
    return turn, functools.partial(parser_of, forms, tools, inside=inside, calls=bool(given))


class AnswerForm:
    """One answer in the form of an interface: how it is asked for, by default as a chat of
    ``messages`` and ``tools``, and ``answer``, which is then under way.

    ``before``: what the session has read, where the messages go on after it; ``opening``: what the
    answer begins with."""

    answer: Answer
    messages: list[dict[str, Any]]
    before: Prompt | None = None
    opening = ""

    def __init__(self, worker: Worker, tenant: Tenant, asked: Any) -> None:
        self.worker, self.tenant, self.asked = worker, tenant, asked
        self.tools = asked.plain_tools()

    def size(self) -> int:
        """Characters of what is asked."""
        return characters([self.messages, self.tools]) + len(self.opening)

    def asking(self) -> Asking:
        """What is asked."""
        about = {**self.asked.turn(), "opening": self.opening, "before": self.before}
        return chat_turn(self.worker, self.tenant, self.messages, self.tools, **about)

    def end(self) -> Finished:
        """How the answer ended."""
        assert self.answer.end is not None
        return self.answer.end


async def conversation(worker: Worker, name: str, retention: RetentionField | None) -> Prompt:
    """What a session has read. Raises SessionError for one that cannot be gone on with."""
    request_retention = _own(worker, retention)
    return await asyncio.wrap_future(
        worker.call(lambda: worker.sessions.conversation(name, request_retention))
    )


def text_turn(worker: Worker, tenant: Tenant, text: str, **about: Any) -> Asking:
    """A plain prompt to be answered, in no template; as ``chat_turn``."""
    tokenizer = worker.sessions.engine.tokenizer
    return _turn(worker, tenant, len(text), lambda: text_prompt(tokenizer, text), **about), None


def _own(worker: Worker, retention: RetentionField | None) -> Retention | None:
    return None if retention is None else retention.over(worker.default)


def _turn(
    worker: Worker,
    tenant: Tenant,
    size: int,
    read: Callable[[], Prompt],
    *,
    sampling: Sampling,
    max_tokens: int | None,
    stop: Sequence[str],
    retention: RetentionField | None,
    session: str | None,
    append: bool = False,
    progress: bool = False,
) -> Turn:
    """Raises PositionsError for a prompt that is too long for the model; ``size``: characters of
    what ``read`` would read, which are checked before it reads."""
    engine = worker.sessions.engine
    request_retention = _own(worker, retention)
    held = request_retention or worker.default
    limit = engine.limit(held)
    remedy = "shorten it"
    if engine.can_roll(held):
        remedy += ", or serve it with --positions rolling"
    if limit is not None and size > (most := limit * longest_entry(engine.tokenizer)):
        raise PositionsError(
            f"prompt is too long: {size} characters, and {limit} positions of the model hold at "
            f"most {most}: {remedy}"
        )
    prompt = read()
    if limit is None:
        _check_held(engine, held, prompt)
    room = None if limit is None else limit - len(prompt.ids)
    if room is not None and room < 1:
        raise PositionsError(  # Claude Code looks for these words, and compacts its history
            f"prompt is too long: {len(prompt.ids)} tokens > {limit} positions of the model: "
            f"{remedy}"
        )
    most = min(n for n in (max_tokens or MAX_TOKENS, room) if n is not None)
    known = None if session is None else tenant.id(session)
    about: dict[str, Any] = {"tenant": tenant, "progress": progress}
    return Turn(prompt, sampling, most, stop, request_retention, known, append, **about)


def _check_held(engine: Engine, retention: Retention, prompt: Prompt) -> None:
    """Refuse, before it is read, a prompt of which more is held than the model has positions: a
    conversation may be longer than these, the cache may not. Raises PositionsError."""
    trained = engine.limit(replace(retention, positions="original"))
    if trained is None or len(prompt.ids) <= trained:
        return
    pinned, budget = num_pinned(retention, prompt.sources), max(retention.budgets(), default=0)
    if pinned + budget >= trained:
        raise PositionsError(
            f"system message and tools ({pinned} tokens) and K = {budget} outgrow the model's "
            f"{trained} positions: shorten the system message, offer fewer tools, or serve with a "
            "smaller --budget or --pin none"
        )
