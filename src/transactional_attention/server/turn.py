"""One turn: tokens of a session as pieces of text, until a stop. It runs in the worker."""

import functools
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..config import Retention
from ..engines.prompts import Prompt
from ..engines.sampling import Sampling, Token
from ..engines.session import Engine
from .sessions import ClaimedSession
from .tenants import ALONE, Tenant

Reason = Literal["stop", "length"]
HALF = "\ufffd"  # what a tokenizer writes for a character whose bytes have not all come
PACE = 0.04  # seconds between two pieces: an event for every token would slow the next ones


@dataclass(frozen=True, eq=False)  # its arrays have no one truth
class Turn:
    """What is asked of a session: a prompt, and where its answer ends.

    ``stop``: texts that end it and are not part of it; ``session``: its id, None to find it by
    prefix; ``append``: the prompt goes on after all that this session has read, or is refused;
    ``shown``: special tokens whose text is of the answer; ``tenant``: who asks; ``progress``:
    whether it is told how far the prompt is read.
    """

    prompt: Prompt
    sampling: Sampling
    max_tokens: int
    stop: Sequence[str] = field(default=(), repr=False)
    retention: Retention | None = None
    session: str | None = None
    append: bool = False
    shown: frozenset[int] = frozenset()
    tenant: Tenant = ALONE
    progress: bool = False


@dataclass(frozen=True)
class Piece:
    """Text that is sure to be in the answer, and the tokens that came since the last piece."""

    text: str = field(repr=False)
    tokens: Sequence[Token] = field(default=(), repr=False)


@dataclass(frozen=True)
class Progress:
    """How far a prompt of ``total`` tokens is read: ``read`` of them, ``kept`` of these before this
    turn; ``seconds`` since it began."""

    total: int
    kept: int
    read: int
    seconds: float


@dataclass(frozen=True)
class Finished:
    """The end of a turn; numbers are tokens, ``thought`` those of the completion that are of
    thoughts."""

    reason: Reason
    prompt: int
    completion: int
    kept: int
    changed_at: int | None
    session: str
    stop: str | None = field(default=None, repr=False)  # the text that ended it
    thought: int = 0


Told = Piece | Progress | None  # after a step


class Decoder:
    """Text of tokens that come one by one; special ones have none, but for those ``shown``."""

    def __init__(self, tokenizer: Any, shown: frozenset[int] = frozenset()) -> None:
        self.tokenizer, self.shown = tokenizer, shown
        self.ids: list[int] = []
        self._first = self._read = 0
        self._before = ""  # text of the ids from ``_first`` to ``_read``: a space may follow it

    def text(self, *, final: bool = False) -> str:
        """What the ids since the last call complete; ``final``: half characters included."""
        whole, before = self._decoded(self._first, len(self.ids)), self._before
        if len(whole) <= len(before) or (whole.endswith(HALF) and not final):
            return ""
        self._first, self._read = self._read, len(self.ids)
        self._before = self._decoded(self._first, self._read)
        return whole[len(before) :]

    def _decoded(self, start: int, end: int) -> str:
        ids, known = self.ids[start:end], special_ids(self.tokenizer) if self.shown else ()
        if not self.shown.isdisjoint(ids):
            ids = [id_ for id_ in ids if id_ in self.shown or id_ not in known]
            return self.tokenizer.decode(ids, skip_special_tokens=False)
        return self.tokenizer.decode(ids, skip_special_tokens=True)


@functools.lru_cache(4)
def special_ids(tokenizer: Any) -> frozenset[int]:
    """Tokens of which a text has nothing."""
    added = getattr(tokenizer, "added_tokens_decoder", {}).items()  # a GGUF file's are all known
    return frozenset([*tokenizer.all_special_ids, *(id_ for id_, one in added if one.special)])


class StopTexts:
    """Holds text back while it may be the begin of a text that ends the answer."""

    def __init__(self, stops: Sequence[str]) -> None:
        self.stops = [stop for stop in stops if stop]
        self.pending = ""
        self.met: str | None = None  # which one ended it

    def add(self, text: str) -> tuple[str, bool]:
        """What is sure to be in the answer, and whether it ends here."""
        self.pending += text
        matches = [(at, stop) for stop in self.stops if (at := self.pending.find(stop)) >= 0]
        if matches:
            at, self.met = min(matches)
            return self.pending[:at], True
        hold = max((begun(self.pending, stop) for stop in self.stops), default=0)
        sure = self.pending[: len(self.pending) - hold]
        self.pending = self.pending[len(sure) :]
        return sure, False


def begun(text: str, mark: str) -> int:
    """Characters at the end of a text with which ``mark`` begins, but for all of it."""
    sizes = range(min(len(text), len(mark) - 1), 0, -1)
    return next((size for size in sizes if text.endswith(mark[:size])), 0)


def steps(turn: Turn, held: ClaimedSession, engine: Engine) -> Generator[Told, None, Finished]:
    """After each chunk that was read a ``Progress``, if it is asked for; after a token a piece, at
    most one in ``PACE``; otherwise None. It returns the ``Finished``."""
    decoder, stops = Decoder(engine.tokenizer, turn.shown), StopTexts(turn.stop)
    begun = time.monotonic()
    tokens: list[Token] = []
    pending, last_sent = "", -PACE
    reason: Reason = "stop"
    for token in held.session.steps(turn.prompt, turn.sampling):
        if token is None:
            counts = len(turn.prompt.ids), held.kept, len(held.session.ids)
            yield Progress(*counts, time.monotonic() - begun) if turn.progress else None
            continue
        decoder.ids.append(token.id)
        if token.id in engine.end_ids:
            break
        held.generated.append(token.id)
        tokens.append(token)
        text, stopped = stops.add(decoder.text())
        pending += text
        if stopped:
            yield Piece(pending, tokens)
            return finished(turn, held, len(decoder.ids), "stop", stops.met)
        if len(decoder.ids) >= turn.max_tokens:
            reason = "length"
            break
        if pending and (now := time.monotonic()) - last_sent >= PACE:
            yield Piece(pending, tokens)
            pending, tokens, last_sent = "", [], now
        else:
            yield None
    else:
        reason = "length"  # the engine has no room for more
    text, stopped = stops.add(decoder.text(final=True))
    yield Piece(pending + (text if stopped else text + stops.pending), tokens)
    return finished(turn, held, len(decoder.ids), "stop" if stopped else reason, stops.met)


def finished(
    turn: Turn, held: ClaimedSession, count: int, reason: Reason, stop: str | None = None
) -> Finished:
    """The end of a turn after ``count`` tokens."""
    read, about = len(turn.prompt.ids), (held.kept, held.changed_at, held.record.id)
    return Finished(reason, read, count, *about, stop)
