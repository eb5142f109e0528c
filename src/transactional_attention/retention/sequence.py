"""The way of one sequence from tokens to sponsored spans: text, anchors, registry.

It holds host state only: the ids and their text, what the detectors have read, the ranges that the
caller names, and the sponsored spans. It does not know the cache.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence

from ..config import Memory, Retention, Unit
from ..detection.competition import is_truncated
from ..detection.detector import Detector
from ..detection.label_words import content_words
from ..detection.permits import permitted
from ..detection.scanner import PrecomputedScanner, Scanner
from ..errors import InputError
from ..methods.registry import get_method
from ..sponsorship.claims import Claim, claim_of
from ..sponsorship.sponsor_registry import SponsorRegistry
from ..sponsorship.vouchers import sponsor
from ..text.token_text import TokenText
from ..types import Anchor, Source, Span, SponsoredSpan
from .lost_text import LostText
from .memory import MemoryState
from .named_ranges import NamedRanges
from .presets import PRESETS
from .questions import questions
from .read_ids import Ids, ReadIds
from .scan import Scan, ScannedAnchors

UNSAVED = "text is not saved with a cache: give load_cache() the input_ids of the conversation"
UNKEPT = (
    "other methods need the whole text, which a stream forgets and a saved cache lacks: "
    "give prefill() ids in place of a stream, or load_cache() the input_ids"
)
SALT = 16  # bytes


class SequenceState:
    """Text, anchors and sponsorship of one row of a batch.

    ``salt``: of the hashes of claims. ``heard``: characters of text that has already asked.
    """

    def __init__(
        self,
        tokenizer,
        retention: Retention,
        detectors: Sequence[str | Detector],
        row: int = 0,
    ) -> None:
        if tokenizer is None and detectors:
            raise InputError(f"method {retention.method!r} reads text: pass the model's tokenizer")
        self.salt = os.urandom(SALT)
        self.tokenizer, self.text = tokenizer, None if tokenizer is None else TokenText(tokenizer)
        self.ids, self.lost = ReadIds(), LostText()
        self.num_generated = self.heard = 0
        self._scans: dict[tuple[str | Detector, ...], tuple[Scanner, ScannedAnchors]] = {}
        self._serve(retention, detectors, row)

    def _serve(self, retention: Retention, detectors: Sequence[str | Detector], row: int) -> None:
        """Set up for a retention, with nothing found yet."""
        self.retention, self.row, self.scan = retention, row, Scan(detectors)
        self.preset = PRESETS[retention.preset]
        self.displace = get_method(retention.method).displace
        budget = min(retention.budgets(), default=None)
        self.registry = SponsorRegistry(retention.sponsorship, budget)
        memory = retention.memory
        self.memory = MemoryState(memory, budget or 0) if isinstance(memory, Memory) else None
        self.ranges = NamedRanges(self.tokenizer, retention, row)

    @property
    def num_tokens(self) -> int:
        """How many tokens were read, generated ones included."""
        return len(self.ids)

    @property
    def whole(self) -> bool:
        """Whether all of the text is known."""
        return not self.lost.num_tokens and (self.text is None or self.text.whole)

    def copy(self) -> SequenceState:
        """An independent state with the same history."""
        other = copy.copy(self)
        other.text = None if self.text is None else self.text.copy()
        other.registry, other.ids = self.registry.copy(), self.ids.copy()
        other.memory = None if self.memory is None else self.memory.copy()
        other.ranges, other.scan = self.ranges.copy(), self.scan.copy()
        other.lost = copy.copy(self.lost)
        return other

    def forked(
        self, retention: Retention, detectors: Sequence[str | Detector], row: int
    ) -> SequenceState:
        """The same prompt read for another retention; anchors are found once per set of
        detectors."""
        if self.num_generated:
            raise InputError("only a prompt can be forked, not a cache that has generated")
        if not self.whole:
            raise InputError(UNKEPT)
        other = self.copy()
        other._serve(retention, detectors, row)
        other.ranges.sources = list(self.ranges.sources)
        other._read_roles(self.num_tokens, final=True)
        if other.text is None:
            return other
        text, other.heard = other.text.scan_text(0), other.text.num_chars
        if other.memory is not None:
            other.memory.take_prompt(other.text, other.ranges, other.heard)
        detectors = other.scan.detectors
        if detectors not in self._scans:
            scanner = Scanner(detectors)
            self._scans[detectors] = scanner, scanner.read(text)
        other._take(text, other.scan.adopt(*self._scans[detectors], text), final=True)
        return other

    def foreseen(self, ids: Ids) -> PrecomputedScanner | None:
        """A scanner with the values of a prompt that is not read yet; None if no text is read."""
        if self.text is None:
            return None
        text = self.text.copy()
        text.append(ids)
        text.settle()
        return PrecomputedScanner(self.scan.detectors, text.scan_text())

    def read(self, ids: Ids, *, final: bool, prompt: bool = True) -> list[SponsoredSpan]:
        """Read prompt tokens; ``final`` ends the prompt, so the last value ends there too.

        Returns provisional spans: values that are cut at the end, kept for this cut only.
        """
        self.ids.count(ids)
        self._scans = {}  # anew: copies that read no more share the old one
        if self.text is None:
            self._read_roles(len(ids), final=final)
            return []
        if self.scan.resumes:
            self.heard = self.text.num_chars
            self.scan.skip(self.text)
        self.registry.drop(self.scan.border)
        self.scan.border = []
        before = self.text.num_chars
        self.text.append(ids)
        if final:
            self.text.settle()
        if prompt:
            self._read_roles(len(ids), final=final)
        if self.memory is not None:
            self.memory.take(self.text, self.ranges)
        anchors = self.scan.read(self.text, before)
        return self._take(self._excerpt(before, self.text.num_chars), anchors, final=final)

    def _take(self, new: str, anchors: ScannedAnchors, *, final: bool) -> list[SponsoredSpan]:
        """Register what is settled. Values on the last line are settled only when the prompt
        ends."""
        settled, open_ended = anchors
        self.register(settled)
        open_spans = self._sponsored(open_ended)
        if not final:
            return [self._ranked_alone(a, span) for a, span in open_spans if self._permitted(a)]
        for anchor, span in open_spans:
            self._register(anchor, span)
            self.scan.border.append(span.value)
        self._notice(new)
        return []

    def read_generated(self, ids: Sequence[int]) -> list[SponsoredSpan]:
        """Read generated tokens. They announce nothing unless ``detect_in_generated``."""
        self.num_generated += len(ids)
        if self.retention.detect_in_generated:
            return self.read(ids, final=False, prompt=False)
        self.ids.append(ids)
        if self.text is not None and ids:
            self.text.append(ids)
            self.scan.resumes = True
        return []

    def _notice(self, new: str) -> None:
        """Note labels that a prompt asks for or, where protection fades, mentions."""
        for question in questions(new):
            self.registry.mention(self._names(question), asked=True)
        if self.retention.sponsorship.fade_per is not None:
            self.registry.mention(self._names(new), asked=False)
        if self.retention.sponsorship.fade_per == "turn":
            self.registry.fade()

    def _names(self, text: str) -> str:
        words = content_words(text)
        return words if self.lost.hide is None else " ".join(map(self.lost.hide, words.split()))

    def _claim(self, anchor: Anchor, source: Source) -> Claim:
        claim = claim_of(anchor, self._excerpt, self.salt, source)
        return claim if self.lost.hide is None else claim.hashed(self.lost.hide)

    def _read_roles(self, new: int, *, final: bool) -> None:
        border = self.num_tokens - new
        self.ranges.read_roles(self.text, border, self.lost.num_tokens, final=final)

    def _excerpt(self, start: int, end: int) -> str:
        return self.scan.excerpt(self.text, start, end)

    def _sponsored(self, anchors: Sequence[Anchor]) -> list[tuple[Anchor, SponsoredSpan]]:
        """Anchors whose values cover tokens, with the spans that they sponsor."""
        assert self.text is not None
        reach = self.preset.reach(self.retention.sponsorship)
        spans = sponsor(anchors, self.text, self.retention, self._excerpt, self.ranges.at, reach)
        sponsored = [(a, span) for a, span in zip(anchors, spans, strict=True) if span is not None]
        if self.displace is None:
            return sponsored
        given = self.num_tokens, self.retention.seed, self.row
        return [(anchor, self.displace(span, *given)) for anchor, span in sponsored]

    def _ranked_alone(self, anchor: Anchor, span: SponsoredSpan) -> SponsoredSpan:
        return self.registry.rank_alone(span, self._claim(anchor, span.source))

    def register(self, settled: Sequence[Anchor]) -> None:
        """Sponsor complete values."""
        for anchor, span in self._sponsored(settled):
            self._register(anchor, span)

    def _register(self, anchor: Anchor, span: SponsoredSpan) -> None:
        numbers = self.retention.sponsorship
        message = self.ranges.at(span.value.start).span.start
        allowed = self._permitted(anchor)
        if not self.preset.whole:  # anchors know nothing of each other, and no value is too long
            span = self._ranked_alone(anchor, span)
            return self.registry.add(span, None, None, message, allowed)
        cap = numbers.delimited_cap if anchor.delimited else numbers.prose_cap
        cap = 0 if is_truncated(anchor) else cap
        claim = self._claim(anchor, span.source)
        self.registry.add(span, cap, claim, message, allowed)

    def _permitted(self, anchor: Anchor) -> bool:
        allow, deny = self.retention.allow, self.retention.deny
        if not allow and not deny:
            return True  # most retentions have no lists
        label = self._excerpt(anchor.label.start, anchor.label.end)
        return permitted(label, anchor.rule, allow, deny)

    def characters(self, tokens: Span) -> str:
        """Text of a range of tokens: for labels, and for values only when they are revealed. Raises
        InputError if the text was not saved with the cache and is no label, or was dropped."""
        if self.text is None or tokens.start >= min(tokens.end, self.num_tokens):
            return ""
        if tokens.start < self.lost.num_tokens:
            if tokens not in self.lost.labels:
                raise InputError(f"{UNSAVED}: it cannot be shown")
            return self.lost.labels[tokens]
        return self.text.text_of(Span(tokens.start, min(tokens.end, self.num_tokens)))

    def explicit(self, *, pinned: bool = True) -> list[tuple[SponsoredSpan, bool]]:
        """Ranges that the caller named (see ``NamedRanges.explicit``)."""
        return self.ranges.explicit(self.text, self.num_tokens, pinned=pinned)

    def num_pinned(self) -> int:
        """Number of tokens read that are held beside K."""
        return self.ranges.num_pinned(self.num_tokens)

    def named(self) -> list[Span]:
        """Characters of the named ranges that may be values."""
        text = self.text
        if text is None:
            return []
        return [text.chars_for(span.value) for span, _ in self.explicit(pinned=False)]

    def release(self, span: Span, unit: Unit) -> list[SponsoredSpan]:
        """End the protection of everything that overlaps a range; returns those values and
        ranges."""
        tokens, ended = self.ranges.release(span, unit, self.text, self.num_tokens)
        return ended + self.registry.release(tokens)
