"""Sessions played on an engine as a server plays them, but that calls say what they said.

An argument is answered when all its tokens are the model's first choice. Messages without calls are
read, as a client sends them in the next turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampler, Sampling, Token
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.types import Span

from .calls import Argument, CallTokens

TRUNCATE = "truncate"


class Played(Protocol):
    """Of an engine's session, what is asked here."""

    @property
    def flow(self) -> RetentionFlow | None:
        """What was decided."""

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """As ``engines.serving.Session.steps``."""

    def settle(self) -> None:
        """End a turn."""


class Plays(Protocol):
    """What makes sessions: an engine, or ``deciding.DecidingEngine``."""

    def session(self, retention: Retention) -> Played:
        """A session that has read nothing."""


@dataclass(frozen=True)
class Arm:
    """What a session is played with. ``budget`` None: the whole conversation."""

    method: str
    budget: int | None
    recall: bool | str = False

    def retention(self, pinned: int, ledger: str) -> Retention:
        """Of an engine's session, ``pinned`` tokens of the system held beside the budget."""
        if self.budget is None or self.method == TRUNCATE:
            return Retention(None, "full")
        given: Any = {"recall": self.recall, "ledger": ledger}
        roles: Any = ("system",) if pinned else ()
        return Retention(self.budget + pinned, self.method, protect_roles=roles, **given)


@dataclass(frozen=True)
class Outcome:
    """Of one argument: ``held`` when its first token is chosen; ``answered``: None without a
    model."""

    argument: Argument
    held: bool
    answered: bool | None


@dataclass(frozen=True)
class Forced(Sampling):
    """Says ``said`` whatever the model would say, and notes in ``first`` what that is."""

    said: Sequence[int] = field(default=(), repr=False)
    first: list[int] = field(default_factory=list, repr=False)

    def sampler(self) -> Sampler:
        """What chooses so."""
        return _Forcing(self)


class _Forcing(Sampler):
    def choose(self, logits: Any) -> Token:
        """The next token that is said."""
        rule = self.sampling
        assert isinstance(rule, Forced)
        rule.first.append(int(np.argmax(logits)))
        return Token(int(rule.said[len(rule.first) - 1]))


def play(
    arm: Arm, engine: Plays, calls: Sequence[CallTokens], ledger: str
) -> Iterator[tuple[CallTokens, Outcome]]:
    """The outcome of every argument of a session's calls."""
    session: Played | None = None
    for call in calls:
        if session is None or arm.method == TRUNCATE:
            session = engine.session(arm.retention(calls[0].pinned, ledger))
        for outcome in _played(session, call, _dropped(arm, call)):
            yield call, outcome


def _dropped(arm: Arm, call: CallTokens) -> Span:
    """What a fresh prompt leaves out: all but what is pinned and the last K tokens."""
    if arm.method != TRUNCATE or arm.budget is None:
        return Span(0, 0)
    return Span(call.pinned, max(call.pinned, len(call.prompt.ids) - arm.budget))


def _played(session: Played, call: CallTokens, out: Span) -> Iterator[Outcome]:
    """``out``: tokens of the prompt that are left out."""
    prompt, shift = call.prompt, out.end - out.start
    if shift:
        ids = np.delete(prompt.ids, np.arange(out.start, out.end))
        prompt = Prompt(ids, [], prompt.border - shift)
    rule, first = Forced(said=call.said.tolist()), len(call.prompt.ids)
    begins = {argument.tokens.start - first: argument for argument in call.arguments}
    held: dict[int, bool] = {}
    steps = session.steps(prompt, rule)
    said = -1
    for token in steps:
        if token is None:
            continue
        said += 1
        if said in begins:
            held[said] = _holds(session.flow, begins[said].statements, out)
        if said == len(call.said) - 1:
            break
    session.settle()
    for at, argument in begins.items():
        size = argument.tokens.end - argument.tokens.start
        chosen = rule.first[at : at + size] if rule.first else None
        answered = None if chosen is None else chosen == call.said[at : at + size].tolist()
        yield Outcome(argument, held[at], answered)


def _holds(flow: RetentionFlow | None, statements: Sequence[Span], out: Span) -> bool:
    """Whether one of some ranges of the whole prompt is held whole, in every layer and head."""
    shift = out.end - out.start
    inside = [s for s in statements if s.end <= out.start or s.start >= out.end]
    moved = [Span(s.start - shift, s.end - shift) if s.start >= out.end else s for s in inside]
    if flow is None:
        return False
    lanes = [np.sort(lane) for table in flow.tables.values() for lane in table.positions]

    def whole(lane: Any, span: Span) -> bool:
        first, end = np.searchsorted(lane, (span.start, span.end))
        return bool(end - first == span.end - span.start)

    return any(all(whole(lane, span) for lane in lanes) for span in moved)
