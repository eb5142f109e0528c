"""Prefill once, evict many: one prefill of a case serves every method and budget.

``hidden``: the context is compressed before the question is seen; the question is then fed in one
forward. ``visible``: the question is part of the prefill, and the first token comes from it.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from ..config import Retention
from ..engines.transformers import RetentionCache
from ..engines.transformers.compress import Readings, compress
from ..engines.transformers.ledger import pair_bytes
from ..engines.transformers.passes import OwnPass, needed_by, run_pass
from ..engines.transformers.reading import Cost, read_cost
from ..errors import InputError
from ..layout import Shape
from ..methods import BOUNDED, get_method
from ..observation import NOTHING, Observation
from ..retention import RetentionFlow
from ..scorers import Scorer
from ..slots import PADDING
from .cases import Case
from .decoding import forward, greedy
from .encoding import EncodedCase, encode_case, encode_question
from .metrics import contains, is_correct, may_become
from .own_reading import Streamed, judged, streamed

Protocol = Literal["hidden", "visible"]
EXTRA_TOKENS = 8
FULL = Retention(budget=None, method="full")


@dataclass(frozen=True)
class Outcome:
    """What one method did with one case. ``kept``: positions held when the question arrives.

    ``max_live_tokens``: in the layer and kv head that held most; ``mean_live_tokens``: over all of
    them. ``stored_bytes``: of keys and values when the question arrives; ``pair_bytes``: what as
    many pairs take in full precision, without padding. ``pass_tokens`` and ``pass_seconds`` (of
    the process's time): what passes of the method's own cost. Budgets of a case share passes, each
    is told their whole cost. ``deleted_tokens``: of tool outputs, by a judge.
    """

    kept: list[int]
    retained: bool
    protected_tokens: int
    anchors: int
    max_live_tokens: int
    mean_live_tokens: float = 0.0
    stored_bytes: int = 0
    pair_bytes: int = 0
    answer: str = ""
    pass_tokens: int = 0
    pass_seconds: float = 0.0
    deleted_tokens: int = 0
    correct: bool = False
    contains: bool = False


def with_oracle(retention: Retention, encoded: EncodedCase) -> Retention:
    """Give the oracle the value spans; other methods are left alone."""
    if retention.method.removeprefix(BOUNDED) != "oracle":
        return retention
    for span in encoded.values:
        retention = retention.protect(span.start, span.end, unit="tokens", required=False)
    return retention


class TextRunner:
    """One context, read once, kept under many retentions; no model runs.

    A method whose detector reads a model needs its ``shape``.
    """

    def __init__(self, tokenizer: Any, encoded: EncodedCase, shape: Shape | None = None) -> None:
        self.encoded = encoded
        self.flow = RetentionFlow(FULL, tokenizer, 1, shape)
        self.flow.set_sources([encoded.sources])
        ids = np.array([encoded.ids])
        self.flow.read(ids, np.ones_like(ids, dtype=bool), final=True)

    def run(self, retention: Retention) -> Outcome:
        """What an attention-free method keeps; anchors are found once for all its budgets."""
        flow = self.flow.forked(with_oracle(retention, self.encoded))
        (table,) = flow.tables.values()
        flow.cut(table)
        return _outcome(flow, self.encoded, table.width)


def retention_only(
    tokenizer: Any, encoded: EncodedCase, retention: Retention, shape: Shape | None = None
) -> Outcome:
    """What one attention-free method keeps of the context (see ``TextRunner``)."""
    return TextRunner(tokenizer, encoded, shape).run(retention)


def _outcome(flow: RetentionFlow, encoded: EncodedCase, max_live: int) -> Outcome:
    """``kept``: held by some kv head of some layer; ``retained``: whole in every one of them."""
    lanes = [set(lane.tolist()) for table in flow.tables.values() for lane in table.positions]
    held = {p for lane in lanes for p in lane if p != PADDING and p < len(encoded.ids)}
    selected = flow.selected.get(id(next(iter(flow.tables.values()))))
    admitted = selected[0].admitted if selected else ()
    protected = {p for s in admitted for p in range(s.value.start, s.value.end)} & held
    return Outcome(
        kept=sorted(held),
        retained=all(set(range(v.start, v.end)) <= lane for v in encoded.values for lane in lanes),
        protected_tokens=len(protected),
        anchors=len(flow.sequences[0].registry.spans),
        max_live_tokens=max_live,
    )


class CaseRunner:
    """One case, prefilled once with a full cache, answered under many retentions.

    ``observe``: what their methods read of the prefill (``layout.observed_by``).
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        case: Case,
        protocol: Protocol,
        observe: Observation = NOTHING,
    ) -> None:
        self.model, self.tokenizer, self.protocol = model, tokenizer, protocol
        self.encoded = encode_case(tokenizer, case)
        self._passes: dict[tuple[Scorer, frozenset[int]], OwnPass] = {}
        self._readings: Readings = {}
        self._read: dict[Hashable, Cost] = {}  # of the context, by the detectors that read it
        self._judged: dict[Retention, OwnPass] = {}
        self._streamed: dict[RetentionCache, Streamed] = {}
        sources = [self.encoded.sources]
        self.snapshot = RetentionCache(model, tokenizer, FULL, sources=sources, observe=observe)
        visible = protocol == "visible"
        self.prompt = self.encoded.ids + (self.encoded.question if visible else [])
        self.logits = forward(model, self.snapshot, self.prompt)

    @property
    def max_new_tokens(self) -> int:
        """Tokens of the whole answer and some more: an end that comes later is a miss."""
        answer = self.tokenizer(" " + self.encoded.case.answer, add_special_tokens=False)
        return len(answer["input_ids"]) + EXTRA_TOKENS

    def asking(self, case: Case) -> CaseRunner:
        """A runner of another question about the same context, which is not prefilled again.

        Raises:
            InputError: for another context, or a question that is part of the prefill.
        """
        own = self.encoded.case
        if (case.context, case.values) != (own.context, own.values) or self.protocol != "hidden":
            raise InputError(
                f"case {case.id}: a prefill is shared by hidden questions of a context"
            )
        other = copy.copy(self)
        other.encoded = replace(
            self.encoded, case=case, question=encode_question(self.tokenizer, case)
        )
        return other

    def compress(self, retention: Retention) -> RetentionCache:
        """The prefilled context, cut to the retention's budget: what the question will meet.

        A method that cuts while it reads reads the context anew, at every call.
        """
        buffer = get_method(retention.method).buffer
        if buffer is not None:
            read = streamed(self.snapshot, retention, self.model, self.prompt, buffer)
            self._streamed[read.cache] = read
            return read.cache
        own = self.own_pass(retention)
        if own is not None:
            return compress(own.cache, retention, own.scores)
        asked = with_oracle(retention, self.encoded)
        return compress(self.snapshot, asked, readings=self._readings)

    def own_pass(self, retention: Retention) -> OwnPass | None:
        """Passes of the method's own, where it needs them; run once for all that they serve."""
        method = get_method(retention.method)
        if method.ends_turns:
            whole = replace(retention, budget=None)
            if whole not in self._judged:
                self._judged[whole] = judged(self.snapshot, whole, self.model, self.encoded)
            return self._judged[whole]
        scorer = method.scorer(retention)
        if not scorer.observes.passes:
            return None
        key = scorer, needed_by(scorer, retention, self.snapshot)
        if key not in self._passes:
            self._passes[key] = run_pass(scorer, self.snapshot, key[1])
        return self._passes[key]

    def answer(self, cache: RetentionCache, whole: bool = True) -> tuple[str, bool]:
        """Ask, and decode greedily: the text, and whether it ended by itself.

        ``whole`` False: no further than where it cannot be exact any more.
        """
        read = self._streamed.get(cache)
        logits = self.logits if read is None else read.logits
        if self.protocol == "hidden":
            logits = forward(self.model, cache, self.encoded.question)
        missed = None if whole else self._missed
        ids, ended = greedy(self.model, cache, logits, self.max_new_tokens, missed)
        return self.tokenizer.decode(ids, skip_special_tokens=True), ended

    def _missed(self, ids: list[int]) -> bool:
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        return not may_become(text, self.encoded.case.answer)

    def keep(self, retention: Retention) -> Outcome:
        """Compress alone: what the question would meet."""
        cache = self.compress(retention)
        return _outcome(cache.flow, self.encoded, cache.ledger.between)

    def run(self, retention: Retention, *, whole: bool = True) -> Outcome:
        """Compress, ask and score.

        ``whole`` False: an answer is read until it is exact or cannot be; ``answer`` and
        ``contains`` are then of what was read, and so are the live tokens of the on-top ledger.
        """
        spent = partial(read_cost, self.snapshot.flow.shape, get_method(retention.method))
        before = spent()
        cache = self.compress(retention)
        outcome = _outcome(cache.flow, self.encoded, 0)
        own = self._streamed.get(cache) or self.own_pass(retention)
        stored, pairs = cache.stored_bytes(), pair_bytes(cache.managed)
        there = spent()
        read = self._read.setdefault(cache.flow.sequences[0].detectors, there - before)
        text, ended = self.answer(cache, whole)
        read += spent() - there
        expected = self.encoded.case.answer
        return replace(
            outcome,
            max_live_tokens=cache.ledger.between,
            mean_live_tokens=cache.ledger.mean,
            stored_bytes=stored,
            pair_bytes=pairs,
            answer=text,
            pass_tokens=read.tokens + (0 if own is None else own.tokens),
            pass_seconds=read.seconds + (0.0 if own is None else own.seconds),
            deleted_tokens=own.deleted if isinstance(own, OwnPass) else 0,
            correct=is_correct(text, expected, ended),
            contains=contains(text, expected),
        )
