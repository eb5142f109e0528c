"""One sequence's way from tokens to sponsored spans: text, anchors, registry.

Holds host state only: the text with its offsets, how often each token id occurred, the scanners of
the detectors, and the spans that are sponsored. It does not know the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .anchors import Detector, Scanner
from .config import ProtectedRange, Retention
from .displacement import Place
from .errors import InputError
from .sponsorship import SponsorRegistry, sponsor
from .text import TokenText
from .types import CALLER, Anchor, Source, SourceRange, Span, SponsoredSpan
from .utility import Floats, Ints, frequency


class SequenceState:
    """Text, anchors and sponsorship of one row of a batch."""

    def __init__(
        self,
        tokenizer,
        retention: Retention,
        detectors: Sequence[str | Detector],
        row: int = 0,
        place: Place | None = None,
    ) -> None:
        if tokenizer is None and detectors:
            raise InputError(f"method {retention.method!r} reads text: pass the model's tokenizer")
        self.retention, self.detectors = retention, tuple(detectors)
        self.row, self.place = row, place
        self.text = None if tokenizer is None else TokenText(tokenizer)
        self.num_tokens = 0
        self.registry = SponsorRegistry(retention.sponsorship)
        self.sources: list[SourceRange] = []
        self.protected = [p for p in retention.protected if p.row in (None, row)]
        self.counts = np.zeros(0, np.int64)
        self.num_generated = 0
        self._scanner, self._origin = Scanner(self.detectors), 0
        self._found: dict[tuple[str | Detector, ...], list[Anchor]] = {}

    def copy(self) -> SequenceState:
        """An independent state with the same history."""
        other = object.__new__(SequenceState)
        other.__dict__.update(self.__dict__)
        other.text = None if self.text is None else self.text.copy()
        other.registry = self.registry.copy()
        other.sources, other.protected = list(self.sources), list(self.protected)
        other.counts, other._scanner = self.counts.copy(), self._scanner.copy()
        return other

    def forked(
        self,
        retention: Retention,
        detectors: Sequence[str | Detector],
        row: int,
        place: Place | None = None,
    ) -> SequenceState:
        """The same prompt read by another retention; anchors are found once per detector set."""
        if self.num_generated:
            raise InputError("only a prompt can be forked, not a cache that has generated")
        other = self.copy()
        other.retention, other.detectors = retention, tuple(detectors)
        other.row, other.place = row, place
        other.registry = SponsorRegistry(retention.sponsorship)
        other.protected = [p for p in retention.protected if p.row in (None, row)]
        if self.text is None:
            return other
        if other.detectors not in self._found:
            scanner = Scanner(other.detectors)
            self._found[other.detectors] = scanner.feed(self.text.scan_text(0), True)
        other._origin = 0
        for anchor in self._found[other.detectors]:
            other._register(anchor)
        other._restart()
        return other

    def read(self, ids: Sequence[int], *, final: bool) -> list[SponsoredSpan]:
        """Take prompt tokens in; ``final`` ends the prompt, so the last value ends there too.

        Returns spans that are only provisional: values that the border cut, kept for this cut.
        """
        self._count(ids)
        self.num_tokens += len(ids)
        if self.text is None:
            return []
        before = self.text.num_chars
        self.text.append(ids)
        if final:
            self.text.settle()
        new = self.text.scan_text(before)
        for anchor in self._scanner.feed(new, final):
            self._register(anchor)
        if not final:
            spans = [self._sponsored(a) for a in self._scanner.provisional()]
            return [s for s in spans if s is not None]
        self._restart()
        return []

    def read_generated(self, ids: Sequence[int]) -> list[SponsoredSpan]:
        """Take generated tokens in. They announce nothing unless ``detect_in_generated``."""
        self.num_generated += len(ids)
        if self.retention.detect_in_generated:
            return self.read(ids, final=False)
        self.num_tokens += len(ids)
        if self.text is not None:
            self.text.append(ids)
            self._restart()
        return []

    def _restart(self) -> None:
        """No value extends from one prompt into what is generated after it."""
        self._scanner = Scanner(self.detectors)
        self._origin = 0 if self.text is None else self.text.num_chars

    def _count(self, ids: Sequence[int]) -> None:
        new = np.bincount(np.asarray(ids, dtype=np.int64), minlength=len(self.counts))
        new[: len(self.counts)] += self.counts
        self.counts = new

    def _absolute(self, anchor: Anchor) -> Anchor:
        shift = self._origin
        label = Span(anchor.label.start + shift, anchor.label.end + shift)
        value = Span(anchor.value.start + shift, anchor.value.end + shift)
        return replace(anchor, label=label, value=value)

    def _sponsored(self, anchor: Anchor) -> SponsoredSpan | None:
        assert self.text is not None
        span = sponsor(self._absolute(anchor), self.text, self.retention)
        if span is None:
            return None
        span = replace(span, source=self.source_of(span.value.start))
        if self.place is None:
            return span
        return self.place(span, self.num_tokens, self.retention.seed, self.row)

    def _register(self, anchor: Anchor) -> None:
        span = self._sponsored(anchor)
        if span is None:
            return
        numbers = self.retention.sponsorship
        cap = numbers.delimited_cap if anchor.delimited else numbers.prose_cap
        self.registry.add(span, None if self.retention.preset == "paper" else cap)

    def source_of(self, token: int) -> Source:
        """Who wrote a token."""
        for item in self.sources:
            if item.span.start <= token < item.span.end:
                return item.source
        return "unknown"

    def characters(self, tokens: Span) -> str:
        """Text of a token range: for labels, and for values only when they are revealed."""
        if self.text is None or not len(tokens):
            return ""
        starts, ends = self.text.starts, self.text.ends
        return self.text.text[int(starts[tokens.start]) : int(ends[tokens.end - 1])]

    def frequency(self, ids: Ints) -> Floats:
        """F of the ids (see ``utility.frequency``)."""
        return frequency(ids, self.counts)

    def explicit(self) -> list[tuple[SponsoredSpan, bool]]:
        """Ranges that the caller named, as far as they have been read; with ``required``."""
        ranges = [(self._tokens(p), p.priority, p.required) for p in self.protected]
        roles = set(self.retention.protect_roles)
        ranges += [(s.span, 0.0, True) for s in self.sources if s.source in roles]
        seen = self.num_tokens
        spans = []
        for span, priority, required in ranges:
            if span.start >= seen or not len(span):
                continue
            seen_span = Span(span.start, min(span.end, seen))
            spans.append((caller_span(seen_span, priority), required))
        return spans

    def _tokens(self, item: ProtectedRange) -> Span:
        if item.unit == "tokens":
            return item.span
        if self.text is None:
            raise InputError("a range in characters needs the model's tokenizer")
        if item.span.start >= self.text.num_chars:
            return Span(self.num_tokens, self.num_tokens)
        return self.text.tokens_for(item.span)


def caller_span(value: Span, priority: float) -> SponsoredSpan:
    """A span that stands before everything that is detected."""
    if not len(value):
        raise InputError("a protected range must cover at least one token")
    return SponsoredSpan(
        label=Span(value.start, value.start),
        value=value,
        anchor=max(value.start - 1, 0),
        budget=0.0,
        confidence=1.0,
        rule=CALLER,
        source="unknown",
        rank=(1e6 + priority, 1.0, float(value.start)),
    )
