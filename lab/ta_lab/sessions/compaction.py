"""Conversations as agents compact them: the model's own summary, then the newest messages.

Whenever the next message makes what follows the system's message and the tools outgrow K tokens,
the model is asked to summarise that first, and its summary takes the place of it. A message longer
than half of K is read in parts, as agents page through a file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from transactional_attention.config import Retention
from transactional_attention.engines.prompts import Prompt, chat_prompt
from transactional_attention.engines.sampling import Sampling
from transactional_attention.types import Span

from .calls import Argument, CallTokens, call_of, pinned_of, tokenised
from .files import AgentSession, Message
from .playing import Model, Outcome, Played, begun, played, read, spoken

SHARE = 4  # a summary takes at most K / SHARE tokens
REQUEST = (
    "Summarise the conversation so far, so that it can go on without it: what was asked for, what "
    "was done and found, and all names, numbers, dates and identifiers that may be needed again. "
    "Write the summary alone."
)
SUMMARY = "Summary of the conversation so far:\n"


class Compaction:
    """A conversation that is compacted to ``budget`` tokens after the system's message."""

    def __init__(self, model: Model, budget: int, tools: Sequence[Any] = ()) -> None:
        self.model, self.budget, self.tools = model, budget, list(tools) or None
        self.messages: list[Message] = []
        self._beginning: Played | None = None
        self._session: Played | None = None

    def prompt(self, *more: Message) -> Prompt:
        """The conversation as it is now, and more messages."""
        return chat_prompt(self.model.tokenizer, [*self.messages, *more], self.tools)

    def add(self, message: Message) -> None:
        """Read a message; a reply is there when it has been said, however long."""
        for part in parts(message, self.model.tokenizer, max(1, self.budget // 2)):
            rest = [m for m in self.messages if m["role"] != "system"]
            if rest and part["role"] != "assistant":
                prompt = self.prompt(part)
                if len(prompt.ids) - pinned_of(prompt) > self.budget:
                    self._summarise()
            self.messages.append(part)

    def _summarise(self) -> None:
        prompt, most = self.prompt({"role": "user", "content": REQUEST}), self.budget // SHARE
        ids = spoken(self.session(prompt), prompt, Sampling(), self.model.end_ids, most)
        text = self.model.tokenizer.decode(list(ids), skip_special_tokens=True).strip()
        system = [m for m in self.messages if m["role"] == "system"]
        self.messages = [*system, {"role": "user", "content": SUMMARY + text}]
        self._session = None

    def session(self, prompt: Prompt) -> Played:
        """A session of the whole conversation, of which the system's message is read once."""
        whole, pinned = Retention(None, "full"), pinned_of(prompt)
        if self._session is None and not pinned:
            self._session = self.model.engine.session(whole)
        if self._session is None:
            if self._beginning is None:
                self._beginning = self.model.engine.session(whole)
                read(self._beginning, begun(prompt, pinned))
            self._session = self._beginning.fork(pinned)
        return self._session


def compacted(model: Model, messages: Sequence[Message], budget: int) -> list[Message]:
    """What a conversation has become when it ends."""
    compaction = Compaction(model, budget)
    for message in messages:
        compaction.add(message)
    return compaction.messages


def play_compacted(
    model: Model, session: AgentSession, calls: Sequence[CallTokens], budget: int
) -> Iterator[tuple[CallTokens, Outcome]]:
    """As ``playing.play``: an argument is held when it stands in what is left."""
    compaction, by_number = Compaction(model, budget, session.tools), {c.number: c for c in calls}
    for number, message in enumerate(session.messages):
        if (call := by_number.get(number)) is not None:
            left = AgentSession(session.id, [*compaction.messages, message], session.tools)
            short = call_of(left, len(compaction.messages), model.tokenizer, model.end_ids)
            arguments = tuple(_moved(call, short))
            asked = replace(call, prompt=short.prompt, arguments=arguments)
            outcomes = played(compaction.session(short.prompt), asked, short.prompt)
            for argument, outcome in zip(call.arguments, outcomes, strict=True):
                yield call, replace(outcome, argument=argument)
        compaction.add(message)


def _moved(call: CallTokens, short: CallTokens) -> Iterator[Argument]:
    """The arguments of a call after another prompt, with their statements there, if any."""
    by = len(short.prompt.ids) - len(call.prompt.ids)
    stated = {argument.tokens.start: argument.statements for argument in short.arguments}
    for argument in call.arguments:
        tokens = Span(argument.tokens.start + by, argument.tokens.end + by)
        yield replace(argument, tokens=tokens, statements=stated.get(tokens.start, ()))


def parts(message: Message, tokenizer: Any, most: int) -> Iterator[Message]:
    """A message as several of at most ``most`` tokens each, which end at a line if they can."""
    text = message.get("content")
    if not isinstance(text, str) or not text or message.get("tool_calls"):
        yield message
        return
    _, starts = tokenised(tokenizer, text)
    begin = first = 0
    while begin < len(starts):
        end = begin + most
        last = starts[end] if end < len(starts) else len(text)
        if last < len(text):
            last = text.rfind("\n", first + 1, last) + 1 or last
        yield {**message, "content": text[first:last]}
        begin, first = max(begin + 1, bisect_left(starts, last)), last
