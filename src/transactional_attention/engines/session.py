"""What a server asks of an engine: sessions of K tokens that read prompts and say tokens.

An engine knows one model. A session is a conversation with its cache, known by the *logical* tokens
that it has read, evicted ones included. Nothing here knows HTTP, texts that are streamed, or where
sessions are kept. All calls come from one thread, except to a session after ``settle``: these
may run beside the forwards of other sessions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..config import Retention
from ..retention.flow import RetentionFlow
from ..types import Ints
from .layers import Layers
from .prompts import Prompt
from .sampling import Sampling, Token


class Session(Protocol):
    """One conversation on one cache, begun with ``retention``."""

    retention: Retention

    @property
    def ids(self) -> Ints:
        """All logical tokens that were read or said, [token]."""
        if (flow := self.flow) is None:
            return np.zeros(0, np.int64)
        return flow.sequences[0].ids.array.astype(np.int64)

    @property
    def states(self) -> Sequence[int]:
        """How many of ``ids`` it can go on from, ascending; the last may be all of them."""

    @property
    def flow(self) -> RetentionFlow | None:
        """What was decided, for reports; None before the first token."""

    def fork(self, state: int) -> Session:
        """Another session that stands at one of ``states``; this one stays as it is."""

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new of a prompt that begins with one of ``states``, and generate until there
        is no room for another token, or for ever.

        Goes back to the longest such state first. None after every chunk that was read, then a
        token at each step; it may be closed between any two. Raises RetentionError for a prompt
        that outgrows the model's positions, or whose protected tokens outgrow the budget.
        """

    def settle(self) -> None:
        """End a turn: what is asked before the next ``steps`` may be asked by any thread."""

    def close(self) -> None:
        """Give back what it holds in the engine: nobody has it in memory any more."""

    def live_tokens(self) -> int:
        """The most tokens that a layer holds."""
        flow = self.flow
        return 0 if flow is None else max(table.width for table in flow.tables.values())

    def stored_bytes(self) -> int:
        """Bytes of keys and values that the cache holds, without states to come back to."""

    def full_bytes(self) -> int:
        """Bytes that a cache of all its tokens would hold."""

    def needs(self, prompt: Prompt) -> int:
        """Bytes that a turn will take where the engine holds keys and values, beside what is held
        already: for the cache and the state before the reply."""

    def save(self, folder: Path, about: Mapping[str, Any]) -> list[str]:
        """Write what changed to a new file, whole or not at all, mode 0600, with what a server
        knows of the session. The names of all files that hold it now, the newest last; others of it
        may go. Raises InputError when it cannot be written."""


class Engine(Protocol):
    """A model that sessions share, and its tokenizer: of transformers, or a ``GgufTokenizer``.

    ``settings``: what changes the numbers that are read, beside the model and a session's
    retention. ``smaller``: options of ``ta serve`` with which less memory is taken.
    """

    name: str
    tokenizer: Any
    end_ids: frozenset[int]
    layers: Layers
    settings: Mapping[str, Any]
    smaller: str

    def free_bytes(self) -> int | None:
        """Bytes that sessions can still take; None where nobody knows."""

    def limit(self, retention: Retention) -> int | None:
        """How many tokens a conversation may have; None: any number."""

    def can_roll(self, retention: Retention) -> bool:
        """Whether rolling positions would let a conversation have any number of tokens."""

    def session(self, retention: Retention) -> Session:
        """A session that has read nothing. Raises RetentionError for what cannot be served."""

    def load(self, path: Path) -> Session:
        """What ``Session.save`` wrote, by its newest file. Raises InputError or CacheStateError for
        another file."""
