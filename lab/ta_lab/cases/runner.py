"""Prefill once, evict many: one prefill of a case serves every method and budget.

``hidden``: the context is compressed before the question is seen; the question is then fed in one
forward. ``visible``: the question is part of the prefill, and the first token comes from it."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_
from typing import Any, Literal, Self, cast

import numpy as np
import torch

from transactional_attention.config import Positions, Retention
from transactional_attention.detection.model_detectors import TokenSpans
from transactional_attention.engines.transformers import RetentionCache
from transactional_attention.engines.transformers.compression import Readings, compress
from transactional_attention.engines.transformers.passes import OwnPass, needed_by, run_pass
from transactional_attention.engines.transformers.prefill import prefill
from transactional_attention.engines.transformers.reading import Cost, ModelReader
from transactional_attention.errors import InputError, RetentionError
from transactional_attention.methods.method import Method, Shape
from transactional_attention.methods.observation import NOTHING, Observation
from transactional_attention.methods.registry import get_method
from transactional_attention.methods.scorers import Scorer
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.slot_table import PADDING
from transactional_attention.types import Floats32, Ints, SourceRange, Span

from ..baselines import boundary
from ..baselines.side_quest import end_turn
from ..baselines.trim_kv import BUFFER, TrimKV
from .cache_batch import can_share
from .cases import Case
from .decoding import forward, forward_rows, greedy_rows
from .encoding import EncodedCase, asked_of, encode_case
from .metrics import Verdict, judge, may_become


@dataclass(frozen=True)
class Outcome:
    """What one method did with one case. ``kept``: positions held when the question arrives.

    ``whole``: of each critical value, whether every layer and kv head held all of it;
    ``retained``: of all of them. ``max_live_tokens``: in the layer and kv head that held most;
    ``mean_live_tokens``: over all of them. ``stored_bytes``: of keys and values when the question
    arrives; ``pair_bytes``: what as many pairs take in full precision, without padding.
    ``pass_tokens`` and ``pass_seconds`` (of the process's time): what passes of the method's own
    cost. Budgets of a case share passes, each is told their whole cost. ``deleted_tokens``: of
    tool outputs, by a judge. ``correct``, ``wrapped``, ``contains``: see ``metrics.Verdict``."""

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
    wrapped: bool = False
    contains: bool = False
    whole: tuple[bool, ...] = ()


def outcome_of(flow: RetentionFlow, encoded: EncodedCase, max_live: int) -> Outcome:
    """``kept``: held by some kv head of some layer."""
    lanes = [set(lane.tolist()) for table in flow.tables.values() for lane in table.positions]
    held = {p for lane in lanes for p in lane if p != PADDING and p < len(encoded.ids)}
    selected = flow.table.selected
    admitted = selected[0].admitted if selected else ()
    extents = [flow.selection.extent(span) for span in admitted]
    protected = {p for extent in extents for p in range(extent.start, extent.end)} & held
    values = [set(range(v.start, v.end)) for v in encoded.values]
    whole = tuple(all(value <= lane for lane in lanes) for value in values)
    return Outcome(
        kept=sorted(held),
        whole=whole,
        retained=all(whole),
        protected_tokens=len(protected),
        anchors=len(flow.sequences[0].registry.spans),
        max_live_tokens=max_live,
    )


OUTPUT_CHARACTERS = 1000  # of a made tool output: about 16 of them in 4,096 tokens
FULL = Retention(budget=None, method="full")


def tool_outputs(encoded: EncodedCase) -> list[SourceRange]:
    """Tool outputs of a case: those that it names, otherwise its own text taken for some.

    Paragraphs in a row are one output, of ``OUTPUT_CHARACTERS`` or more. All of the text is taken,
    the paragraph of a value too: a method is not told where values stand."""
    named = [item for item in encoded.sources if item.source == "tool"]
    if named:
        return named
    spans, start, end = [], 0, 0
    for line in encoded.case.context.splitlines(keepends=True):
        end += len(line)
        if end - start >= OUTPUT_CHARACTERS:
            spans.append(Span(start, end))
            start = end
    if start < end:
        spans.append(Span(start, end))
    return [SourceRange(encoded.tokens_of(span.start, span.end), "tool") for span in spans]


@dataclass(frozen=True)
class Judged:
    """A context without the tool outputs that a judge deleted, ``deleted`` tokens; cost as of an
    ``OwnPass``."""

    cache: RetentionCache
    tokens: int
    seconds: float
    deleted: int
    scores: None = None


def judged(
    snapshot: RetentionCache, retention: Retention, model: Any, encoded: EncodedCase
) -> Judged:
    """SideQuest: the context without what a judge deletes at the end of its one turn, before any
    cut.

    The judge is the model itself, asked in a side branch over the whole context; only the side
    branch is charged. ``retention`` has no budget: one turn's end serves all of them. A twin knows
    the outputs as a tool's words too, and vetoes."""
    parent = snapshot
    if not any(item.source == "tool" for item in encoded.sources):
        parent = compress(snapshot, snapshot.retention)
        parent.set_sources([tool_outputs(encoded)])
    cache = compress(parent, retention)
    start = time.process_time()
    (end,) = end_turn(model, cache)
    seconds = time.process_time() - start
    left = cache.flow.tables[None].positions[0].tolist()
    gone = len(encoded.ids) - sum(position < len(encoded.ids) for position in left)
    return Judged(cache, end.side_tokens, seconds, gone)


@dataclass(frozen=True, eq=False)
class Streamed:
    """A context that was cut while it was read, the logits [vocab] after it, and what it cost."""

    cache: RetentionCache
    logits: torch.Tensor
    tokens: int
    seconds: float


def streamed(
    snapshot: RetentionCache, retention: Retention, model: Any, prompt: list[int]
) -> Streamed:
    """TRIM-KV: ``prompt`` read under its budget K: whenever K + ``BUFFER`` tokens are held, cut to
    K.

    ``snapshot``: a cache that has read it; tokenizer and sources are its."""
    start = time.process_time()
    sources = [sequence.ranges.sources for sequence in snapshot.flow.sequences]
    cache = RetentionCache(model, snapshot.tokenizer, retention, sources=sources)
    prefill(model, torch.tensor([prompt]), cache, chunk=BUFFER)
    logits = forward(model, cache, prompt[-1:])
    return Streamed(cache, logits, len(prompt), time.process_time() - start)


class ReadingOnce(ModelReader):
    """Every asker is charged with what reading took, whoever asked first: forks of a flow read a
    text once, and what is remembered goes with the flow."""

    def __init__(self, reader: ModelReader) -> None:
        self.__dict__.update(reader.__dict__)
        self._known: dict[Hashable, tuple[list[tuple[TokenSpans, Floats32]], Cost]] = {}

    def hidden(
        self, texts: Sequence[str], asker: str, layer: int
    ) -> list[tuple[TokenSpans, Floats32]]:
        """See ``ModelReader``; arrays are shared by those who ask for the same texts."""
        key, before = (layer, tuple(texts)), self.costs.get(asker, Cost())
        if key not in self._known:
            read = super().hidden(texts, asker, layer)
            self._known[key] = read, self.costs[asker] - before
        read, cost = self._known[key]
        self.costs[asker] = before + cost
        return read


def read_cost(shape: Shape | None, method: Method) -> Cost:
    """What the detectors of a method have read so far, in all flows with one shape."""
    reader = None if shape is None else shape.reader
    costs = reader.costs if isinstance(reader, ModelReader) else {}
    names = {d if isinstance(d, str) else d.name for d in method.detectors}
    spent = [cost for name, cost in costs.items() if name in names]
    return sum(spent, Cost())


def observed_by(retentions: Iterable[Retention]) -> Observation:
    """What one prefill has to collect so that it can be cut for each of the retentions."""
    wanted = (get_method(item.method).scorer(item).observes for item in retentions)
    return reduce(or_, wanted, NOTHING)


Protocol = Literal["hidden", "visible"]
EXTRA_TOKENS = 8
ROWS = 16  # questions of one context that share forwards


@dataclass(frozen=True)
class _Asked:
    """What a question meets. ``read``: what detectors have read of the model so far."""

    cache: RetentionCache
    outcome: Outcome
    read: Callable[[], Cost]


def with_oracle(retention: Retention, encoded: EncodedCase) -> Retention:
    """Give the oracle the value spans; other methods are left alone."""
    if retention.method.removeprefix(boundary.PREFIX) != "oracle":
        return retention
    for span in encoded.values:
        retention = retention.protect(span.start, span.end, unit="tokens", required=False)
    return retention


def most_tokens(tokenizer: Any, encoded: EncodedCase) -> int:
    """Tokens of the longest answer and some more: an end that comes later is a miss."""
    spaced = [" " + answer for answer in encoded.answers]
    ids = tokenizer(spaced, add_special_tokens=False)["input_ids"]
    return max(map(len, ids)) + EXTRA_TOKENS


class TextRunner:
    """One context, read once, kept under many retentions; no model runs.

    A method whose detector reads a model needs its ``shape``."""

    def __init__(self, tokenizer: Any, encoded: EncodedCase, shape: Shape | None = None) -> None:
        self.encoded = encoded
        self.flow = RetentionFlow(FULL, tokenizer, 1, shape)
        self.flow.set_sources([encoded.sources])
        ids = np.array([encoded.ids])
        self.flow.read(ids, np.ones_like(ids, dtype=bool), final=True)

    def run(self, retention: Retention) -> Outcome:
        """What an attention-free method keeps; anchors are found once for all its budgets."""
        flow = self.flow.forked(with_oracle(retention, self.encoded))
        table = flow.table
        flow.cut(table)
        return outcome_of(flow, self.encoded, table.width)


class CaseRunner:
    """One case, prefilled once with a full cache, answered under many retentions.

    ``observe``: what their methods read of the prefill (``observed_by``); ``positions``:
    those of the retentions."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        case: Case,
        protocol: Protocol,
        observe: Observation = NOTHING,
        positions: Positions = "original",
    ) -> None:
        self.model, self.tokenizer, self.protocol = model, tokenizer, protocol
        self.encoded = encode_case(tokenizer, case)
        self._passes: dict[tuple[Scorer, frozenset[int]], OwnPass] = {}
        self._readings: Readings = {}
        self._read: dict[Hashable, Cost] = {}  # of the context, by the detectors that read it
        self._judged: dict[Retention, Judged] = {}
        self._streamed: dict[RetentionCache, Streamed] = {}
        sources = [self.encoded.sources]
        whole = replace(FULL, positions=positions)
        self.snapshot = RetentionCache(model, tokenizer, whole, sources=sources, observe=observe)
        visible = protocol == "visible"
        self.prompt = self.encoded.ids + (self.encoded.question if visible else [])
        self.logits = forward(model, self.snapshot, self.prompt)
        flow = self.snapshot.flow
        if flow.shape is not None and isinstance(flow.shape.reader, ModelReader):
            flow.shape = replace(flow.shape, reader=ReadingOnce(flow.shape.reader))

    @property
    def max_new_tokens(self) -> int:
        """See ``most_tokens``."""
        return most_tokens(self.tokenizer, self.encoded)

    def asking(self, case: Case) -> Self:
        """A runner of another question about the same context, which is not prefilled again. Raises
        InputError for another context, or a question that is part of the prefill."""
        current_case = self.encoded.case
        if (case.context, case.values) != (
            current_case.context,
            current_case.values,
        ) or self.protocol != "hidden":
            raise InputError(
                f"case {case.id}: a prefill is shared by hidden questions of a context"
            )
        other = copy.copy(self)
        other.encoded = asked_of(self.tokenizer, self.encoded, case)
        return other

    def compress(self, retention: Retention) -> RetentionCache:
        """The prefilled context, cut to the retention's budget: what the question will meet.

        A method that cuts while it reads reads the context anew, at every call."""
        if isinstance(get_method(retention.method).scorer(retention), TrimKV):
            read = streamed(self.snapshot, retention, self.model, self.prompt)
            self._streamed[read.cache] = read
            return read.cache
        method_pass = self.own_pass(retention)
        if method_pass is not None:
            return compress(method_pass.cache, retention, method_pass.scores)
        asked = with_oracle(retention, self.encoded)
        return compress(self.snapshot, asked, readings=self._readings)

    def own_pass(self, retention: Retention) -> OwnPass | Judged | None:
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

    def answers(
        self, caches: Sequence[RetentionCache], whole: bool = True
    ) -> list[tuple[str, bool]]:
        """Ask, and decode greedily: the texts, and whether they ended by themselves.

        ``whole`` False: no further than where an answer cannot be right any more."""
        read = [self._streamed.get(cache) for cache in caches]
        if self.protocol == "hidden":
            logits = forward_rows(self.model, caches, [self.encoded.question] * len(caches))
        else:
            logits = torch.stack(
                [self.logits if stream is None else stream.logits for stream in read]
            )
        missed = None if whole else self._missed
        outputs = greedy_rows(self.model, caches, logits, self.max_new_tokens, missed)
        decode = partial(self.tokenizer.decode, skip_special_tokens=True)
        return [(decode(ids), ended) for ids, ended in outputs]

    def _missed(self, ids: list[int]) -> bool:
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        return not any(may_become(text, answer) for answer in self.encoded.answers)

    def judged(self, text: str, ended: bool) -> Verdict:
        """What an answer of ``answers`` is."""
        return judge(text, self.encoded.answers, ended)

    def keep(self, retention: Retention) -> Outcome:
        """Compress alone: what the question would meet."""
        cache = self.compress(retention)
        return outcome_of(cache.flow, self.encoded, cache.ledger.between)

    def run(self, retention: Retention, *, whole: bool = True) -> Outcome:
        """Compress, ask and score.

        ``whole`` False: an answer is read until it is right or cannot be; ``answer`` and
        ``contains`` are then of what was read, and so are the live tokens of the on-top ledger."""
        asked = self._ready(retention)
        (answer,) = self.answers([asked.cache], whole)
        return self._scored(asked, *answer)

    def run_each(
        self, retentions: Sequence[Retention], *, whole: bool = True
    ) -> list[Outcome | RetentionError]:
        """``run`` for many retentions, or why one of them cannot: questions share forwards where
        their caches can, so that much of the work is done once for up to ``ROWS`` of them."""
        outcomes: dict[int, Outcome | RetentionError] = {}
        together: dict[int, _Asked] = {}
        for index, retention in enumerate(retentions):
            try:
                asked = self._ready(retention)
                if can_share(asked.cache) and not get_method(retention.method).reads_model:
                    together[index] = asked
                else:  # what detectors read of the model is counted by method
                    outcomes[index] = self._scored(asked, *self.answers([asked.cache], whole)[0])
            except RetentionError as error:
                outcomes[index] = error
            if len(together) == ROWS or (together and index == len(retentions) - 1):
                outcomes |= self._together(together, retentions, whole)
                together = {}
        return [outcomes[index] for index in range(len(retentions))]

    def _together(
        self, asked: dict[int, _Asked], retentions: Sequence[Retention], whole: bool
    ) -> dict[int, Outcome | RetentionError]:
        try:
            answers = self.answers([one.cache for one in asked.values()], whole)
        except RetentionError:  # of one of them: the others are not to blame
            return {place: self._alone(retentions[place], whole) for place in asked}
        pairs = zip(asked.items(), answers, strict=True)
        return {place: self._scored(one, *answer) for (place, one), answer in pairs}

    def _alone(self, retention: Retention, whole: bool) -> Outcome | RetentionError:
        try:
            return self.run(retention, whole=whole)
        except RetentionError as error:
            return error

    def run_all(self, retentions: Sequence[Retention]) -> list[Outcome]:
        """``run_each``; raises what the first of them raises."""
        outcomes = self.run_each(retentions)
        for outcome in outcomes:
            if isinstance(outcome, RetentionError):
                raise outcome
        return cast(list[Outcome], outcomes)

    def _ready(self, retention: Retention) -> _Asked:
        """The context cut to a retention's budget, and what that cost."""
        spent = partial(read_cost, self.snapshot.flow.shape, get_method(retention.method))
        before = spent()
        cache = self.compress(retention)
        outcome = outcome_of(cache.flow, self.encoded, 0)
        method_pass = self._streamed.get(cache) or self.own_pass(retention)
        there = spent()
        read = self._read.setdefault(cache.flow.sequences[0].scan.detectors, there - before)
        outcome = replace(
            outcome,
            stored_bytes=cache.stored_bytes(),
            pair_bytes=cache.pair_bytes(),
            pass_tokens=0 if method_pass is None else method_pass.tokens,
            pass_seconds=0.0 if method_pass is None else method_pass.seconds,
            deleted_tokens=method_pass.deleted if isinstance(method_pass, Judged) else 0,
        )
        return _Asked(cache, outcome, lambda: read + (spent() - there))

    def _scored(self, asked: _Asked, text: str, ended: bool) -> Outcome:
        outcome, read = asked.outcome, asked.read()
        return replace(
            outcome,
            max_live_tokens=asked.cache.ledger.between,
            mean_live_tokens=asked.cache.ledger.mean,
            answer=text,
            pass_tokens=outcome.pass_tokens + read.tokens,
            pass_seconds=outcome.pass_seconds + read.seconds,
            **self.judged(text, ended)._asdict(),
        )


def read_and_cut(flow: RetentionFlow, ids: Sequence[int] | Ints, chunk: int | None = None) -> None:
    """A prompt or a turn, cut at its end; ``chunk``: after every ``chunk`` tokens, too."""
    size = chunk or len(ids)
    for start in range(0, len(ids), size):
        new = np.array([ids[start : start + size]])
        flow.read(new, np.ones_like(new, dtype=bool), final=start + size >= len(ids))
        for table in flow.tables.values():
            flow.cut(table)


def held_whole(flow: RetentionFlow, value: Span) -> bool:
    """Whether every layer and kv head holds a value whole."""
    wanted = np.arange(value.start, value.end)
    tables = flow.tables.values()
    return all(np.isin(wanted, lane).all() for table in tables for lane in table.positions)
