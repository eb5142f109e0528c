"""Sessions played on an engine as a server plays them, but that calls say what they said.

An argument is answered when all its tokens are the model's first choice. Messages without calls are
read, as a client sends them in the next turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampler, Sampling, Token
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.types import Ints, Span

from .calls import Argument, CallTokens
from .told import tell

TRUNCATE, BM25 = PROMPTS = "truncate", "bm25"  # what is left is a prompt of its own
SHIFT, EVERY_ROW = MOVED = "context-shift", "every-row"  # rows are moved by hand
MEMORY, TOLD = "memory", "told"  # `ta` with one
COMPACTION = "compaction"  # in prompts of its own, that the model wrote a part of
OURS = *PROMPTS, *MOVED, TOLD, COMPACTION  # no methods of the library


class Table(Protocol):
    """``positions`` [lane, token]: which tokens are held."""

    @property
    def positions(self) -> Ints:
        """Of each lane, in any order."""


class Tables(Protocol):
    """What is held, as a ``RetentionFlow`` tells it."""

    @property
    def tables(self) -> Mapping[Any, Table]:
        """One for all layers, or one a layer."""


class Played(Protocol):
    """Of an engine's session, what is asked here."""

    @property
    def flow(self) -> Tables | None:
        """What is held."""

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """As ``engines.session.Session.steps``."""

    def settle(self) -> None:
        """End a turn."""

    def fork(self, state: int) -> Played:
        """Another session that has read the first ``state`` tokens, which are all so far."""


class Plays(Protocol):
    """What makes sessions: an engine, or ``deciding.DecidingEngine``."""

    def session(self, retention: Retention) -> Played:
        """A session that has read nothing."""


@dataclass(frozen=True)
class Model:
    """What conversations are read and said with; ``says`` False: nothing is generated."""

    engine: Plays
    tokenizer: Any
    end_ids: frozenset[int]
    says: bool


@dataclass(frozen=True)
class Arm:
    """What a session is played with. ``budget`` None: the whole conversation."""

    method: str
    budget: int | None
    memory: bool = False

    def retention(self, pinned: int, ledger: str) -> Retention:
        """Of an engine's session, ``pinned`` tokens of the system held beside the budget."""
        if self.method == TOLD:
            return Arm("ta", self.budget, memory=True).retention(pinned, ledger)
        if self.budget is None or self.method in OURS:
            return Retention(None, "full")
        roles: Any = ("system",) if pinned else ()
        if self.memory:
            return Retention(self.budget, self.method, ledger=ledger, memory=True, pinned=roles)  # type: ignore[arg-type]
        given: Any = {"ledger": ledger, "protect_roles": roles}
        return Retention(self.budget + pinned, self.method, **given)


@dataclass(frozen=True)
class Outcome:
    """Of one argument: ``held`` when its first token is chosen; ``answered``: None without a
    model. ``kept``: ``digest_of`` what is held when its call begins."""

    argument: Argument
    held: bool
    answered: bool | None
    kept: str


@dataclass(frozen=True)
class Forced(Sampling):
    """Says ``reply`` whatever the model would say, and notes in ``first`` what that is."""

    reply: Sequence[int] = field(default=(), repr=False)
    first: list[int] = field(default_factory=list, repr=False)

    def sampler(self, prompt: Ints) -> Sampler:
        """What chooses so."""
        return _Forcing(self, prompt)

    def note(self, logits: Any, token: int) -> None:
        """Note what the model says where ``token`` is said, of its logits [vocabulary]."""
        self.first.append(int(np.argmax(logits)))


class _Forcing(Sampler):
    def choose(self, logits: Any) -> Token:
        """The next token that is said; no logits: without a model."""
        rule = self.sampling
        assert isinstance(rule, Forced)
        token = int(rule.reply[self.generated.total()])
        if logits is not None:
            rule.note(logits, token)
        self.generated[token] += 1
        return Token(token)


def play(
    arm: Arm, engine: Plays, calls: Sequence[CallTokens], ledger: str
) -> Iterator[tuple[CallTokens, Outcome]]:
    """The outcome of every argument of a session's calls."""
    if not calls:
        return
    pinned = calls[0].pinned
    state = session = engine.session(arm.retention(pinned, ledger))
    if arm.method == TRUNCATE and pinned:  # read once: every prompt begins with it
        read(state, begun(calls[0].prompt, pinned))
    for call in calls:
        prompt, out = call.prompt, Span(0, 0)
        if arm.method == TRUNCATE:
            session = state.fork(pinned) if pinned else engine.session(arm.retention(0, ledger))
            prompt, out = truncated(call.prompt, call.pinned, arm.budget)
        for outcome in played(session, call, prompt, out, told=arm.method == TOLD):
            yield call, outcome


def begun(prompt: Prompt, size: int) -> Prompt:
    """The first tokens of a prompt."""
    sources = [
        replace(known, span=Span(known.span.start, min(known.span.end, size)))
        for known in prompt.sources
        if known.span.start < size
    ]
    return Prompt(prompt.ids[:size], sources, size - 1)


def read(session: Played, prompt: Prompt) -> None:
    """Read a prompt, and say nothing."""
    next(t for t in session.steps(prompt, Forced(reply=(0,))) if t is not None)
    session.settle()


def truncated(prompt: Prompt, pinned: int, budget: int | None) -> tuple[Prompt, Span]:
    """What is pinned and the last ``budget`` tokens, as a prompt of its own; and what is left out
    of the whole one."""
    out = Span(pinned, max(pinned, len(prompt.ids) - (budget or len(prompt.ids))))
    ids = np.delete(prompt.ids, np.arange(out.start, out.end))
    return Prompt(ids, [], prompt.border - (out.end - out.start)), out


def spoken(
    session: Played, prompt: Prompt, rule: Sampling, end_ids: frozenset[int], most: int
) -> Iterator[int]:
    """Tokens that a session says after a prompt, up to one that ends a reply."""
    number = 0
    for token in session.steps(prompt, rule):
        if token is None:
            continue
        yield token.id
        number += 1
        if token.id in end_ids or number == most:
            return


def played(
    session: Played,
    call: CallTokens,
    prompt: Prompt,
    out: Span = Span(0, 0),  # noqa: B008  (it is frozen)
    *,
    told: bool = False,
) -> Iterator[Outcome]:
    """The outcome of every argument of a call, which is said after a prompt. ``out``: tokens of
    the call's own prompt that are not in it. ``told``: the memory is told where an argument stands,
    a token before its first."""
    rule, first = Forced(reply=call.reply.tolist()), len(call.prompt.ids)
    begins = {argument.tokens.start - first: argument for argument in call.arguments}
    held: dict[int, bool] = {}
    index, kept = -1, ""
    for token in session.steps(prompt, rule):
        if token is None:
            continue
        index += 1
        if not index:
            kept = digest_of(session.flow)
        if index in begins:
            inside = [s for s in begins[index].statements if not s.overlaps(out)]
            held[index] = bool(inside) if len(out) else holds(session.flow, inside)
        if index == len(call.reply) - 1:
            break
        if told and isinstance(flow := session.flow, RetentionFlow):
            tell(flow, begins[index + 1].statements if index + 1 in begins else ())
    session.settle()
    for at, argument in begins.items():
        size = argument.tokens.end - argument.tokens.start
        chosen = rule.first[at : at + size] if rule.first else None
        answered = None if chosen is None else chosen == call.reply[at : at + size].tolist()
        yield Outcome(argument, held[at], answered, kept)


def digest_of(flow: Tables | None) -> str:
    """The tokens that a layer holds, as a number: engines that hold the same ones have the same."""
    held = [] if flow is None else [np.sort(table.positions) for table in flow.tables.values()]
    buffer = b"".join(np.ascontiguousarray(positions, "<i8").tobytes() for positions in held)
    return hashlib.blake2b(buffer, digest_size=8).hexdigest()


def holds(flow: Tables | None, spans: Sequence[Span]) -> bool:
    """Whether one of some ranges of tokens is held whole, in every layer and head."""
    if flow is None:
        return False
    lanes = [np.sort(lane) for table in flow.tables.values() for lane in table.positions]

    def whole(lane: Any, span: Span) -> bool:
        first, end = np.searchsorted(lane, (span.start, span.end))
        return bool(end - first == len(span))

    return any(all(whole(lane, span) for lane in lanes) for span in spans)
