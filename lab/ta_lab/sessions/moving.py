"""Sessions that move rows by hand: the context shift of llama.cpp, and the limit of any lookup."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampling, Token
from transactional_attention.types import Ints

from .calls import common
from .rows import Rows

SINKS = 4  # tokens at the begin that a window needs where nothing is pinned (arXiv:2309.17453)


@dataclass(frozen=True)
class Held:
    """The tokens that all layers and heads hold: ``positions`` [1, token]."""

    positions: Ints

    @property
    def tables(self) -> Mapping[Any, Held]:
        """As a ``RetentionFlow`` has them: one."""
        return {None: self}


class _Moving:
    """``num_pinned`` tokens at the begin stay beside ``budget`` others; ``chunk`` tokens a
    forward."""

    def __init__(self, rows: Rows, num_pinned: int, budget: int, chunk: int) -> None:
        self.rows, self.num_pinned, self.budget, self.chunk = rows, num_pinned, budget, chunk
        self.ids = np.zeros(0, np.int64)  # that were read

    def settle(self) -> None:
        """Nothing: all is known at once."""


class Shifting(_Moving):
    """llama.cpp's context shift: when the context of pinned tokens and K is full, the older half
    of what is not pinned goes, and the rest moves up.

    llama-server shifts while it generates, and refuses a longer prompt; prompts are read here as
    llama.cpp's own chat reads them.
    """

    def __init__(self, rows: Rows, num_pinned: int, budget: int, chunk: int) -> None:
        super().__init__(rows, num_pinned, budget, min(chunk, max(1, budget // 2)))
        self._held = np.zeros(0, np.int64)

    @property
    def flow(self) -> Held:
        """What is held."""
        return Held(self._held[None])

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new, then tokens for ever."""
        if common(prompt.ids, self.ids) < len(self.ids):  # what was there before a shift is gone
            self.rows.remove(0, len(self._held))
            self.ids, self._held = self.ids[:0], self._held[:0]
        logits: Any = None
        while (start := len(self.ids)) < len(prompt.ids):
            logits = self._read(prompt.ids[start : start + self.chunk])
            yield None
        sampler = sampling.sampler(prompt.ids)
        while True:
            token = sampler.choose(logits)
            yield token
            logits = self._read(np.array([token.id]))

    def _read(self, ids: Ints) -> Any:
        while (size := len(self._held)) + len(ids) > self.num_pinned + self.budget:
            gone = max(1, (size - self.num_pinned) // 2)
            end = self.num_pinned + gone
            self.rows.remove(self.num_pinned, end)
            self.rows.move(end, size, -gone)
            self._held = np.delete(self._held, np.arange(self.num_pinned, end))
        logits = self.rows.read(ids, len(self._held))
        new = np.arange(len(self.ids), len(self.ids) + len(ids))
        self._held, self.ids = np.append(self._held, new), np.append(self.ids, ids)
        return logits

    def fork(self, state: int) -> Shifting:
        """Another session that has read as much."""
        other = copy.copy(self)
        other.rows = self.rows.copy()
        return other


class EveryRow(_Moving):
    """The limit of any lookup: rows as a window of K computes them, and after a prompt all of
    them are seen. Its last token and what is said are read so, and again before what follows."""

    @property
    def flow(self) -> Held:
        """What is seen after a prompt."""
        return Held(np.arange(len(self.ids) + 1)[None])

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new, then tokens for ever."""
        rows, ids, last = self.rows, prompt.ids, len(prompt.ids) - 1
        self.ids = ids[: min(common(ids, self.ids), last)]
        rows.forget(len(self.ids))
        rows.show()
        while (start := len(self.ids)) < last:
            end = min(start + self.chunk, last)
            rows.remove(self.num_pinned or SINKS, start - self.budget)
            rows.read(ids[start:end], start)
            rows.keep(start, end)
            self.ids = ids[:end]
            yield None
        rows.show()
        logits: Any = rows.read(ids[last:], last)
        sampler = sampling.sampler(ids)
        while True:
            token = sampler.choose(logits)
            yield token
            last += 1
            logits = rows.read(np.array([token.id]), last)

    def fork(self, state: int) -> EveryRow:
        """This one: it goes back to where a prompt differs from what was read."""
        return self


@dataclass(frozen=True)
class MovingEngine:
    """Makes sessions of a kind, one at a time."""

    kind: Callable[[Rows, int, int, int], Shifting | EveryRow]
    rows: Callable[[], Rows]
    num_pinned: int
    budget: int
    chunk: int = 512

    def session(self, retention: Any) -> Shifting | EveryRow:
        """A session that has read nothing; a retention has no say in it."""
        return self.kind(self.rows(), self.num_pinned, self.budget, self.chunk)
