"""A session of many turns: time to the first token of each, and what is left of the first turn.

Every arm reads the same transcript: replies are fed as if it had generated them, so that time and
context are the same for all. The last turns ask for the values of the first one, and there the
model answers itself."""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from transformers import DynamicCache

from transactional_attention.config import Positions, Retention
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.errors import InputError
from transactional_attention.types import Span

from ..cases.decoding import forward
from ..cases.runner import held_whole
from .benchmark import ANSWER, LABELS, REPLY, Outcome, Request, Row, Subject, outgrown
from .corpus import Stated, filler_tokens, state_value
from .feeding import feed, held_bytes, is_answered, ready
from .timing import Timing, ratios, seconds

FULL = "full cache"


@dataclass(frozen=True, repr=False)
class Transcript:
    """Turns [turn] of tokens that are read, replies [turn] that follow them, and the values.

    ``spans``: the values' tokens in the first turn."""

    turns: list[list[int]]
    replies: list[list[int]]
    values: list[Stated]
    spans: list[Span]


def transcript(request: Request, tokenizer: Any, tokens: int, seed: int) -> Transcript:
    """``request.turns`` turns of ``tokens`` in all, questions included. Raises InputError for turns
    too few to ask, or too short to state the values."""
    rng, source = random.Random(f"agent/{seed}"), filler_tokens(tokenizer, request.filler, seed)
    values = [state_value(tokenizer, rng, label) for label in LABELS]
    filler_turns = request.turns - len(values)
    asking = sum(len(value.question) + ANSWER for value in values)
    size = (tokens - asking) // max(filler_turns, 1) - REPLY
    first = list(tokenizer("")["input_ids"])
    spans = []
    for value in values:
        spans.append(Span(len(first) + value.span.start, len(first) + value.span.end))
        first += value.ids
    if filler_turns < 1 or size < len(first):
        raise InputError(
            f"{tokens} tokens in {request.turns} turns cannot state {len(values)} values and ask "
            "for them: use more tokens, and at least one turn more than values"
        )
    turns = [[*first, *itertools.islice(source, size - len(first))]]
    turns += [list(itertools.islice(source, size)) for _ in range(filler_turns - 1)]
    replies = [list(itertools.islice(source, REPLY)) for _ in turns]
    return Transcript(turns, replies, values, spans)


class Session:
    """One arm of a session: its cache, seconds to every first token, and of every reply."""

    def __init__(self, subject: Subject, cache: Any, chunk: int) -> None:
        self.subject, self.cache, self.chunk = subject, cache, chunk
        self.first: list[float] = []
        self.speed: list[float] = []
        self.held = self.correct = self.kv_bytes = 0

    def turn(self, ids: Sequence[int], reply: Sequence[int]) -> None:
        """Read, then say the reply token by token, each read off as ``generate`` does."""
        model, cache = self.subject.model, self.cache
        ready(model, cache)
        first = seconds(
            lambda: int(feed(model, cache, ids, self.chunk).argmax()), self.subject.device
        )
        self.first.append(first)

        def say() -> None:
            for token in reply:
                int(forward(model, cache, [token]).argmax())

        self.speed.append(len(reply) / seconds(say, self.subject.device))

    def hold(self, spans: Sequence[Span]) -> None:
        """Count the values that every layer still holds whole; a plain cache holds all."""
        bounded = isinstance(self.cache, RetentionCache)
        self.held = sum(not bounded or held_whole(self.cache.flow, span) for span in spans)

    def ask(self, value: Stated) -> None:
        """A question and the model's own answer."""
        self.correct += is_answered(self.subject, self.cache, value, self.chunk)

    def close(self) -> None:
        """Note what the cache takes, and let it go."""
        self.kv_bytes, self.cache = held_bytes(self.cache), None


def run(request: Request) -> Outcome:
    """A row an arm and budget; ``rounds`` sessions, each with values of its own.

    Ratios are to the full cache's same turn. Where a session outgrows the model's positions, ours
    are compact and a note says that the full cache has left them."""
    subject, rows, notes = request.subject(), list[Row](), list[str]()
    cells = [(n, k) for n in request.tokens for k in request.budgets]
    total = len(cells) * request.rounds * request.turns
    steps = itertools.count(1)
    for tokens, budget in cells:
        notes += (beyond := outgrown(tokens, subject.positions, "the full cache"))
        positions: Positions = "compact" if beyond else "original"
        retentions = [Retention(budget, m, positions=positions) for m in request.methods]
        sessions: dict[str, list[Session]] = {}
        for session in range(request.rounds):
            script = transcript(request, subject.tokenizer, tokens, request.seed + session)
            arms = _arms(subject, retentions, request.chunk)
            for name, arm in arms.items():
                sessions.setdefault(name, []).append(arm)
            for _ in _play(arms, script):
                request.progress(next(steps), total)
        rows += [_row(name, sessions, tokens, budget) for name in sessions]
    return Outcome(rows, list(dict.fromkeys(notes)))


def _arms(subject: Subject, retentions: Sequence[Retention], chunk: int) -> dict[str, Session]:
    arms = {FULL: Session(subject, DynamicCache(config=subject.model.config), chunk)}
    for retention in retentions:
        cache = RetentionCache(subject.model, subject.tokenizer, retention)
        arms[retention.method] = Session(subject, cache, chunk)
    return arms


def _play(arms: dict[str, Session], script: Transcript) -> Iterator[None]:
    """Turn by turn, all arms; yields after each."""
    for ids, reply in zip(script.turns, script.replies, strict=True):
        for arm in arms.values():
            arm.turn(ids, reply)
        yield
    for arm in arms.values():
        arm.hold(script.spans)
    for value in script.values:
        for arm in arms.values():
            arm.ask(value)
        yield
    for arm in arms.values():
        arm.close()


def _row(name: str, sessions: dict[str, list[Session]], tokens: int, budget: int) -> Row:
    """``first_ms``: to the first token, turn by turn, medians of the sessions."""
    arm_sessions, peer = sessions[name], sessions[FULL]
    first = tuple(spent for session in arm_sessions for spent in session.first)
    theirs = [spent for session in peer for spent in session.first]
    timed = Timing(name, first, ratios(first, theirs)).row()
    return {
        "tokens": tokens,
        "budget": None if name == FULL else budget,
        "turns": timed.pop("rounds"),
        **timed,
        "first_ms": [
            1e3 * statistics.median(turn)
            for turn in zip(*(session.first for session in arm_sessions), strict=True)
        ],
        "last_ms": 1e3 * statistics.median(session.first[-1] for session in arm_sessions),
        "tokens_per_s": statistics.median(
            speed for session in arm_sessions for speed in session.speed
        ),
        "sessions": len(arm_sessions),
        "values": len(LABELS) * len(arm_sessions),
        "held": sum(session.held for session in arm_sessions),
        "correct": sum(session.correct for session in arm_sessions),
        "kv_bytes": max(session.kv_bytes for session in arm_sessions),
    }
