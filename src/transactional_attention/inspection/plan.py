"""``plan``: what a budget keeps of a text, before anything runs; it needs no model."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any, Literal, Protocol

import numpy as np

from ..config import Choices, Retention
from ..detection.permits import permitted
from ..errors import InputError, UnsupportedError
from ..methods.method import Shape
from ..methods.registry import get_method
from ..retention.flow import RetentionFlow
from ..retention.masking import masked_labels, masked_text
from ..retention.sequence import SequenceState
from ..selection.admission import LiveTokens
from ..selection.guarantee import Certificate, Status, certify, minimum_budget
from ..selection.selection import SpanSelection
from ..sponsorship.entries import CORRECTED, DENIED, OVER_CAP, QUOTA
from ..text.token_stream import TokenStream, whole_characters
from ..types import CALLER, CURRENT, Ints, Source, SourceRange, Span, SponsoredSpan

UNFIT = {OVER_CAP: OVER_CAP, QUOTA: "part of a flood, beyond what values of its source may hold"}
"""Why no budget keeps a value that should be kept, in words."""
SUPERSEDED = "superseded by a later statement"
LABEL_CHARACTERS = 40
ONE_LANE = Shape(layers=1, kv_heads=1)
MOST, KEPT, AT_RISK = 100, 90, 60  # priorities, of 100
LONG, BLOCK = 1 << 20, 1 << 16  # characters; at once, a tokenizer takes some 300 bytes a token


class Rendered(Protocol):
    """A chat as its template writes it: token ids [token], and who wrote them."""

    @property
    def ids(self) -> Ints:
        """Token ids."""

    @property
    def sources(self) -> Sequence[SourceRange]:
        """Ranges of them."""


@dataclass(frozen=True)
class Competitor:
    """A value that has the room: its tokens ``[start, end)`` and its label."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class PlannedValue:
    """One detected value: ``[start, end)`` in tokens of the prompt, ``characters`` in the text.

    ``least``: the budget from which it is guaranteed, None if no budget does. ``why``: the reason
    against it, in words; empty if it is guaranteed. ``kept``: the value itself is kept at the
    budget, though its closing token may not be; ``labelled``: with its label, if it has one.
    ``text`` is None unless values are revealed.
    """

    label: str
    rule: str
    source: Source
    confidence: float
    start: int
    end: int
    characters: tuple[int, int]
    status: Status | Literal["given up", "held", "waits"]
    least: int | None
    why: str = ""
    competitors: tuple[Competitor, ...] = ()
    kept: bool = False
    labelled: bool = False
    text: str | None = None

    @property
    def tokens(self) -> int:
        """Tokens that the value takes."""
        return self.end - self.start


@dataclass(frozen=True)
class HintedRange:
    """Tokens ``[start, end)`` of a prompt, their priority (0 to 100) and the reason in words."""

    start: int
    end: int
    priority: int
    reason: str


@dataclass(frozen=True)
class Plan:
    """Certificates for one text at one budget, in the order of the text.

    ``minimum_budget``: K*, which keeps every value that any budget can keep; ``likely_budget``: the
    least K that guarantees those that are not doubtful. ``given_up``: values that are detected and
    meant to go, because they were corrected, are not permitted, or are copies. ``pinned``: tokens
    that are held beside the budgets.
    """

    method: str
    budget: int
    minimum_budget: int
    likely_budget: int
    tokens: int
    values: tuple[PlannedValue, ...]
    given_up: tuple[PlannedValue, ...] = ()
    pinned: int = 0

    @property
    def guaranteed(self) -> bool:
        """Whether every detected value that was not given up is guaranteed."""
        return all(value.status == "guaranteed" for value in self.values)

    def ranges(self) -> list[HintedRange]:
        """For engines that rank blocks: the first token and all values that are not given up, in
        order and without overlap. Where values overlap, the one with higher priority has the
        tokens."""
        wanted = [HintedRange(0, min(1, self.tokens), MOST, "first token")]
        for value in self.values:
            priority = KEPT if value.kept or value.status == "guaranteed" else AT_RISK
            wanted.append(
                HintedRange(value.start, value.end, priority, f"{value.rule}, {value.label!r}")
            )
        chosen: list[HintedRange] = []
        for item in sorted(wanted, key=lambda item: -item.priority):
            start = item.start
            for taken in [*sorted(chosen, key=lambda other: other.start), None]:
                end = item.end if taken is None else min(item.end, max(taken.start, start))
                if start < end:
                    chosen.append(HintedRange(start, end, item.priority, item.reason))
                start = max(start, end if taken is None else taken.end)
        return sorted(chosen, key=lambda item: item.start)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        values = {
            name: [asdict(value) | {"tokens": value.tokens} for value in getattr(self, name)]
            for name in ("values", "given_up")
        }
        return asdict(self) | values | {"guaranteed": self.guaranteed}


def plan(
    text: str | Rendered, tokenizer: Any, budget: int | Retention, *, reveal: bool = False
) -> Plan:
    """Which values of a prompt survive one cut to ``budget``, whatever the model attends to.

    ``text``: a plain one, or a chat as ``chat_prompt`` renders it; then characters are those of
    the rendered text. ``budget``: K, or a retention of the default preset with one K; what it pins
    is held beside it. The certificate also holds while decoding, unless generated text is read for
    values. A prompt in chunks and a later turn are more cuts than one (docs/guarantees.md). Raises
    InputError if nothing is promised (paper preset, no detectors, budgets that differ, a memory:
    ``plan_memory``); BudgetError for a budget below the tokens that the method always keeps.
    """
    retention = budget if isinstance(budget, Retention) else Retention(budget)
    limit = promised_budget(retention)
    flow = read(text, tokenizer, retention)
    selection, sequence, pinned = flow.selection, flow.sequences[0], flow.num_pinned
    if not isinstance(selection, SpanSelection):
        raise InputError("the paper preset promises no whole value: plan the default preset")
    spans = [*(span for span, _ in sequence.explicit()), *sequence.registry.spans]
    length = sequence.num_tokens
    certificates = certify(selection, length, spans, limit + pinned)
    beside = {id(span) for span in spans if pinned and is_pinned(span, sequence)}
    labelled = _labelled(selection, length, spans, limit + pinned)
    view = TextView(text, flow, reveal)
    values = [
        replace(
            view.value(c),
            why=_against(c),
            least=max(c.least - pinned, 1),
            labelled=id(c.span) in labelled,
        )
        for c in certificates
        if id(c.span) not in beside
    ]
    given_up = []
    for span, why in sequence.registry.excluded:
        value = replace(view.value(Certificate(span, "does not fit", 0)), least=None)
        if why in UNFIT:
            values.append(replace(value, why=UNFIT[why]))
        else:
            words = SUPERSEDED if why == CORRECTED else why
            words = _refusal(span, sequence) if why == DENIED else words
            given_up.append(replace(value, status="given up", why=words))
    return Plan(
        method=retention.method,
        budget=limit,
        minimum_budget=max(minimum_budget(selection, length, spans) - pinned, 1),
        likely_budget=max([1, *(c.least - pinned for c in certificates if not c.span.doubtful)]),
        tokens=length,
        values=tuple(sorted(values, key=attrgetter("start", "end"))),
        given_up=tuple(sorted(given_up, key=attrgetter("start", "end"))),
        pinned=pinned,
    )


def is_pinned(span: SponsoredSpan, sequence: SequenceState) -> bool:
    """Whether a span is one that is held beside K as a whole."""
    pinned = sequence.retention.pinned
    return span.rule == CALLER and any(
        known.span == span.value for known in sequence.ranges.sources if known.source in pinned
    )


def _labelled(
    selection: SpanSelection, length: int, spans: Sequence[SponsoredSpan], budget: int
) -> set[int]:
    """Which values, by identity, are held with their labels, whatever the utilities say."""
    zeros = np.zeros(length)
    selected = selection.select(LiveTokens(np.arange(length), length, zeros, zeros, spans), budget)
    held = np.ones(length, bool) if budget >= length else selected.held
    return {
        id(span)
        for span in selected.admitted
        if len(span.label) and held[span.label.start : span.label.end].all()
    }


def _against(certificate: Certificate) -> str:
    """The reason against a value at the budget of its certificate."""
    if certificate.status == "guaranteed":
        return ""
    if certificate.kept:
        return "kept, but no room for the token that ends it: an answer may run on"
    if certificate.status == "does not fit":
        return "longer than the budget leaves room for"
    rank, before = certificate.span.rank, len(certificate.competitors)
    superseded = "said again, and " if rank.tier < CURRENT else ""
    return f"{superseded}{before} {'value stands' if before == 1 else 'values stand'} before it"


def _refusal(span: SponsoredSpan, sequence: SequenceState) -> str:
    """Why a value is not permitted: the entry of ``deny`` that matches it, or that ``allow`` lists
    neither its label nor its rule; otherwise ``DENIED``."""
    label, retention = sequence.characters(span.label), sequence.retention
    for entry in retention.deny:
        if not permitted(label, span.rule, (), (entry,)):
            return f"denied by its {'rule' if ':' in entry else 'label'}: {entry!r}"
    return "neither its label nor its rule is allowed" if retention.allow else DENIED


def read(
    text: str | Rendered, tokenizer: Any, retention: Retention, shape: Shape | None = ONE_LANE
) -> RetentionFlow:
    """A text or a chat as one whole prompt with its anchors, before any cut."""
    flow = RetentionFlow(retention, tokenizer, 1, shape)
    if isinstance(text, str):
        whole_characters(text, "the text")
        ids = token_ids(text, tokenizer)[None]
    else:
        ids = text.ids[None]
        flow.set_sources([text.sources])
    flow.read(ids, np.ones_like(ids, dtype=bool), final=True)
    return flow


def read_and_cut(text: str | Rendered, tokenizer: Any, retention: Retention) -> RetentionFlow:
    """The same, cut to the retention's budget."""
    flow = read(text, tokenizer, retention, shape=None)
    for table in flow.tables.values():
        flow.cut(table)
    return flow


def token_ids(text: str, tokenizer: Any) -> Ints:
    """The ids of a text [token]; those of a long text in pieces, if its tokenizer allows it."""
    if len(text) > LONG:
        blocks = (text[at : at + BLOCK] for at in range(0, len(text), BLOCK))
        try:
            return np.concatenate([ids for ids, _ in TokenStream(tokenizer, blocks).parts(BLOCK)])
        except UnsupportedError:  # it takes the whole text, whatever that costs
            pass
    return np.array(tokenizer(text)["input_ids"])


def promised_budget(retention: Retention) -> int:
    """K of a retention whose admissions can be known beforehand."""
    method, budgets = get_method(retention.method), set(retention.budgets())
    if retention.memory is not None:
        raise InputError(
            "a memory promises no value, it brings back what is asked for: plan without one, or "
            "ask what it holds (ta plan --memory)"
        )
    if method.unlimited or not budgets:
        raise InputError(f"method {retention.method!r} has no budget: there is nothing to plan")
    if retention.choices != Choices():
        raise InputError("nothing is promised when a choice of the default preset is taken back")
    if len(budgets) > 1 or method.allocation is not None:
        raise InputError("a plan is for one budget: plan for the smallest of the layers and heads")
    sponsors = method.detectors and method.sponsors and retention.sponsorship.strength
    if not sponsors or method.displace is not None:
        raise InputError(
            f"method {retention.method!r} protects no value: plan one that does (ta methods)"
        )
    return budgets.pop()


class TextView:
    """What may be shown of a text that a flow has read."""

    def __init__(self, text: str | Rendered, flow: RetentionFlow, reveal: bool) -> None:
        (sequence,) = flow.sequences
        assert sequence.text is not None
        self.content, self.reveal = sequence.text, reveal
        self.shown = sequence.text.text if reveal else masked_text(sequence)
        self._labels = {} if reveal else masked_labels(sequence, sequence.registry.known)
        # special tokens before the text
        self.shift = max(sequence.text.text.find(text), 0) if isinstance(text, str) else 0
        # Neighbours share their competitors: they are worked out once.
        self._competitors: tuple[Sequence[SponsoredSpan], tuple[Competitor, ...]] = (), ()

    def value(self, certificate: Certificate) -> PlannedValue:
        """A detected value with its certificate."""
        span = certificate.span
        characters = self.trimmed(self.characters(span.value))
        return PlannedValue(
            label=self.label(span.label),
            rule=span.rule,
            source=span.source,
            confidence=span.confidence,
            start=span.value.start,
            end=span.value.end,
            characters=(characters.start - self.shift, characters.end - self.shift),
            status=certificate.status,
            least=certificate.least,
            kept=certificate.kept,
            competitors=self._named(certificate.competitors),
            text=self.shown[characters.start : characters.end] if self.reveal else None,
        )

    def _named(self, spans: Sequence[SponsoredSpan]) -> tuple[Competitor, ...]:
        if spans is not self._competitors[0]:
            named = (Competitor(s.value.start, s.value.end, self.label(s.label)) for s in spans)
            self._competitors = spans, tuple(named)
        return self._competitors[1]

    def pieces(self) -> list[str]:
        """Text of every token; characters that several tokens share are shown by the first."""
        pieces, done = [], 0
        for end in self.content.ends.tolist():
            pieces.append(self.shown[done:end])
            done = max(done, end)
        return pieces

    def label(self, tokens: Span) -> str:
        """What may be shown of a label, in one short line."""
        span = self.characters(tokens)
        shown = self.shown[span.start : span.end] if self.reveal else self._labels.get(tokens, "")
        words = " ".join(shown.split())
        return words if len(words) <= LABEL_CHARACTERS else words[: LABEL_CHARACTERS - 1] + "…"

    def trimmed(self, span: Span) -> Span:
        """A span without the white space that its tokens include."""
        words = self.content.text[span.start : span.end]
        start = min(span.end - len(words.lstrip()), span.end)
        return Span(start, max(start, span.start + len(words.rstrip())))

    def characters(self, tokens: Span) -> Span:
        """Characters of the decoded text that tokens cover."""
        if not len(tokens):
            return Span(0, 0)
        return self.content.chars_for(tokens)
