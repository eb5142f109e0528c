"""Sessions without a model: the flow alone decides what is held, by methods that read text."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np

from transactional_attention.config import Retention
from transactional_attention.engines.prompts import Prompt
from transactional_attention.engines.sampling import Sampling, Token
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.retention.saving.flow import detached
from transactional_attention.retention.swap import memory_of
from transactional_attention.types import ASKED

from .playing import Forced


class DecidingSession:
    """A session of which the flow alone is there: what is held is known, and nothing is said."""

    def __init__(self, engine: DecidingEngine, retention: Retention) -> None:
        self.retention, self.chunk = retention, engine.chunk
        self.flow = RetentionFlow(retention, engine.tokenizer, 1)
        self._num_read = 0

    def steps(self, prompt: Prompt, sampling: Sampling) -> Iterator[Token | None]:
        """Read what is new, and let ``sampling`` say what it says."""
        flow, end = self.flow, len(prompt.ids)
        flow.sequences[0].ranges.sources = list(prompt.sources)
        while (start := self._num_read) < end:
            stop = min(start + self.chunk, prompt.border if start < prompt.border else end)
            ids = prompt.ids[None, start:stop]
            flow.read(ids, np.ones(ids.shape, bool), final=stop == end)
            flow.cut(flow.table)
            self._num_read = stop
            yield None
        assert isinstance(sampling, Forced)
        for token in sampling.reply:
            yield Token(token)
            flow.read_generated([[token]])
            label = flow.open_field()
            flow.decode(evict=self.retention.ledger == "strict")
            self._num_read += 1
            if label is not None:
                self._bring(label)

    def _bring(self, label: str) -> None:
        """What an open field asks for by its words; there is no model whose query could."""
        flow = self.flow
        wanted = memory_of(flow.sequences[0]).by_field(label)
        if flow.lacks(0, wanted):
            tail = flow.tail()
            flow.without_tail(tail, flow.table)
            flow.bring([wanted], ASKED, tail)
            flow.append_again(tail)

    def settle(self) -> None:
        """Nothing: all is known at once."""

    def fork(self, state: int) -> DecidingSession:
        """Another session that has read as much."""
        other = copy.copy(self)
        other.flow = detached(self.flow)
        other.flow.take_rows(np.arange(1))
        return other


class DecidingEngine:
    """An engine without a model, for methods that read text alone."""

    def __init__(self, tokenizer: Any, chunk: int = 512) -> None:
        self.tokenizer, self.chunk = tokenizer, chunk

    def session(self, retention: Retention) -> DecidingSession:
        """A session that has read nothing."""
        return DecidingSession(self, retention)
