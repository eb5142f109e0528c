"""The way of one sequence from tokens to sponsored spans: text, anchors, registry.

It holds host state only: the text with its offsets, how often each token id occurred, the
detectors' scanner, and the sponsored spans. It does not know the cache.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..config import Memory, ProtectedRange, Retention, Unit
from ..detection.competition import is_truncated
from ..detection.detector import Detector
from ..detection.label_words import content_words
from ..detection.permits import permitted
from ..detection.scanner import PrecomputedScanner, Scanner
from ..errors import InputError
from ..methods.registry import get_method
from ..selection.utility import frequency
from ..sponsorship.caller_ranges import caller_span, caller_spans
from ..sponsorship.claims import Claim, claim_of
from ..sponsorship.role_reading import RoleReader, range_of
from ..sponsorship.sponsor_registry import SponsorRegistry
from ..sponsorship.vouchers import sponsor
from ..text.token_text import TokenText
from ..types import Anchor, Floats, Ints, Source, SourceRange, Span, SponsoredSpan
from .memory import MemoryState
from .presets import PRESETS

TAIL = 512  # characters that a prompt after generated text looks back on, for its labels
UNSAVED = "text is not saved with a cache: give load_cache() the input_ids of the conversation"
UNKEPT = (
    "other methods need the whole text, which a stream forgets and a saved cache lacks: "
    "give prefill() ids in place of a stream, or load_cache() the input_ids"
)
SALT = 16  # bytes
UNKNOWN = -1  # the first ids of a saved cache that was loaded without its text
QUESTION, QUESTIONS = 200, 16  # characters of a question, and how many of a text are read
_ASKED, _SENTENCE_END = re.compile("[?？؟]"), re.compile(r"[.!?。！？؟\n](?:\s|$)")
Ids = Sequence[int] | Ints
ScannedAnchors = tuple[list[Anchor], list[Anchor]]  # settled, and open at the end of the text


class ReadIds:
    """The ids that a sequence has read, to tell whether another prompt continues them.

    ``UNKNOWN`` where they are not known. Four bytes per token, as long as the sequence lives. They
    spell its text, so no error, report or saved cache shows them.
    """

    def __init__(self) -> None:
        self._blocks: list[NDArray[np.int32]] = []

    def append(self, ids: Ids) -> None:
        """Add what was read."""
        self._blocks.append(np.asarray(ids, np.int32))

    def copy(self) -> ReadIds:
        """An independent copy."""
        other = ReadIds()
        other._blocks = list(self._blocks)  # no block is ever written to
        return other

    @property
    def array(self) -> NDArray[np.int32]:
        """All ids, [token]; do not write to it."""
        if len(self._blocks) != 1:
            self._blocks = [np.concatenate([np.zeros(0, np.int32), *self._blocks])]
        return self._blocks[0]

    def common(self, ids: Ids, start: int = 0) -> int:
        """How many tokens ``ids`` have in common with what was read from ``start`` on."""
        read, given = self.array[start:], np.asarray(ids, np.int64)
        length = min(len(read), len(given))
        same = read[:length] == given[:length]
        return length if same.all() else int(same.argmin())


class SequenceState:
    """Text, anchors and sponsorship of one row of a batch.

    ``counted``: token ranges whose ids count for frequency. ``salt``: of the hashes of claims.
    ``began``: the character where the scanner began. ``border``: values on an incomplete line,
    which the next text may continue. ``stated``: characters of every value that was ever found;
    ``open``: of those that may continue. ``resumes``: the next prompt is read as a new text.
    ``forgotten``: tokens at the beginning that were not saved with a cache; of them only ``labels``
    are known, and ``most``, how often the most frequent id occurred. ``secrets``: salted hashes of
    words of values, as far as noted; ``hide``: gives words as the saved file has them, if it came
    from one. ``heard``: characters of text that has already asked.
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
        self._serve(tokenizer, retention, detectors, row)
        self.text = None if tokenizer is None else TokenText(tokenizer)
        self.num_tokens, self.ids = 0, ReadIds()
        self.sources: list[SourceRange] = []
        self.counts, self.num_generated = np.zeros(0, np.int64), 0
        self.counted: list[Span] = []
        self.scanner: Scanner | PrecomputedScanner = Scanner(self.detectors)
        self.began, self.resumes = 0, False
        self.border: list[Span] = []
        self.stated, self.open = set[Span](), list[Span]()
        self.forgotten, self.most, self.labels = 0, 0, dict[Span, str]()
        self.secrets = frozenset[str]()
        self.hide: Callable[[str], str] | None = None
        self._window = (0, "")  # what anchors are read from: its first character, and the text
        self.heard = 0
        self._found: dict[tuple[str | Detector, ...], tuple[Scanner, ScannedAnchors]] = {}

    def _serve(
        self, tokenizer, retention: Retention, detectors: Sequence[str | Detector], row: int
    ) -> None:
        """Set up for a retention, with nothing found yet."""
        self.retention, self.detectors, self.row = retention, tuple(detectors), row
        self.preset = PRESETS[retention.preset]
        self.displace = get_method(retention.method).displace
        budget = min(retention.budgets(), default=None)
        self.registry = SponsorRegistry(retention.sponsorship, budget)
        memory = retention.memory
        self.memory = MemoryState(memory, budget or 0) if isinstance(memory, Memory) else None
        self.roles = tuple(dict.fromkeys((*retention.protect_roles, *retention.pinned)))
        self.role_reader = RoleReader(tokenizer, self.roles)
        self.protected = [p for p in retention.protected if p.row in (None, row)]

    @property
    def whole(self) -> bool:
        """Whether all of the text is known."""
        return not self.forgotten and (self.text is None or self.text.whole)

    def copy(self) -> SequenceState:
        """An independent state with the same history."""
        other = copy.copy(self)
        other.text = None if self.text is None else self.text.copy()
        other.registry, other.ids = self.registry.copy(), self.ids.copy()
        other.memory = None if self.memory is None else self.memory.copy()
        other.sources, other.protected = list(self.sources), list(self.protected)
        other.counts, other.counted = self.counts.copy(), list(self.counted)
        other.scanner, other.border = self.scanner.copy(), list(self.border)
        other.stated = set(self.stated)
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
        other._serve(self.role_reader.tokenizer, retention, detectors, row)
        other._read_roles(self.num_tokens, final=True)
        if other.text is None:
            return other
        text, other.heard = other.text.scan_text(0), other.text.num_chars
        if other.memory is not None:
            other.memory.take_prompt(other)
        if other.detectors not in self._found:
            scanner = Scanner(other.detectors)
            self._found[other.detectors] = scanner, scanner.read(text)
        scanner, anchors = self._found[other.detectors]
        other.scanner, other._window = scanner.copy(), (0, text)
        other._take(text, anchors, final=True)
        return other

    def foreseen(self, ids: Ids) -> PrecomputedScanner | None:
        """A scanner with the values of a prompt that is not read yet; None if no text is read."""
        if self.text is None:
            return None
        text = self.text.copy()
        text.append(ids)
        text.settle()
        return PrecomputedScanner(self.detectors, text.scan_text())

    def read(self, ids: Ids, *, final: bool, prompt: bool = True) -> list[SponsoredSpan]:
        """Read prompt tokens; ``final`` ends the prompt, so the last value ends there too.

        Returns provisional spans: values that are cut at the end, kept for this cut only.
        """
        self._count(ids)
        self.num_tokens += len(ids)
        self._found = {}  # anew: copies that read no more share the old one
        if self.text is None:
            self._read_roles(len(ids), final=final)
            return []
        if self.resumes:  # generated text may announce a value, but holds none
            end = self.heard = self.text.num_chars
            self.begin_scan(self.text.scan_text(max(0, end - TAIL)), end)
            self.stated.update(self.open)
            self.border = []
        self.registry.drop(self.border)
        self.border = []
        before = self.text.num_chars
        self.text.append(ids)
        if final:
            self.text.settle()
        if prompt:
            self._read_roles(len(ids), final=final)
        start = min(self.scanner.start, before)
        self._window = start, self.text.scan_text(start)
        new = self._window[1][before - start :]
        if self.memory is not None:
            self.memory.take(self)
        return self._take(new, self.scanner.read(new), final=final)

    def _take(self, new: str, anchors: ScannedAnchors, *, final: bool) -> list[SponsoredSpan]:
        """Register what is settled. Values on the last line are settled only when the prompt
        ends."""
        settled, open_ended = anchors
        self.stated.update(self.scanner.sealed)
        self.open = [*(anchor.value for anchor in open_ended), *self.scanner.unread]
        self.register(settled)
        open_spans = self._sponsored(open_ended)
        if not final:
            return [self._ranked_alone(a, span) for a, span in open_spans if self._permitted(a)]
        for anchor, span in open_spans:
            self._register(anchor, span)
            self.border.append(span.value)
        self._notice(new)
        return []

    def read_generated(self, ids: Sequence[int]) -> list[SponsoredSpan]:
        """Read generated tokens. They announce nothing unless ``detect_in_generated``."""
        self.num_generated += len(ids)
        if self.retention.detect_in_generated:
            return self.read(ids, final=False, prompt=False)
        self.num_tokens += len(ids)
        self.ids.append(ids)
        if self.text is not None and ids:
            self.text.append(ids)
            self.resumes = True
        return []

    def begin_scan(self, before: str, at: int) -> None:
        """Look for anchors from the character ``at`` on; ``before``: the text before it."""
        self.scanner = scanner = Scanner(self.detectors)
        self.began, self.resumes = at, False
        if at:
            scanner.resume(before, at)

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
        return words if self.hide is None else " ".join(map(self.hide, words.split()))

    def _claim(self, anchor: Anchor, source: Source) -> Claim:
        claim = claim_of(anchor, self._excerpt, self.salt, source)
        return claim if self.hide is None else claim.hashed(self.hide)

    def _read_roles(self, new: int, *, final: bool) -> None:
        border, wanted = self.num_tokens - new, self.roles
        if wanted and not any(s.span.end > border for s in self.sources):
            given = self.sources, self.text, self.forgotten
            self.sources = self.role_reader.extended(*given, final=final)

    def _count(self, ids: Ids) -> None:
        self.ids.append(ids)
        start, end = self.num_tokens, self.num_tokens + len(ids)
        if self.counted and self.counted[-1].end == start:
            start = self.counted.pop().start
        self.counted.append(Span(start, end))
        new = np.bincount(np.asarray(ids, dtype=np.int64), minlength=len(self.counts))
        new[: len(self.counts)] += self.counts
        self.counts = new

    def _excerpt(self, start: int, end: int) -> str:
        first, text = self._window
        if start >= first:
            return text[start - first : end - first]
        if self.text is not None:  # a header far above
            return self.text.scan_text(start)[: end - start]
        return text[: max(end - first, 0)]

    def _sponsored(self, anchors: Sequence[Anchor]) -> list[tuple[Anchor, SponsoredSpan]]:
        """Anchors whose values cover tokens, with the spans that they sponsor."""
        assert self.text is not None
        reach = self.preset.reach(self.retention.sponsorship)
        spans = sponsor(anchors, self.text, self.retention, self._excerpt, self.source_of, reach)
        sponsored = [(a, span) for a, span in zip(anchors, spans, strict=True) if span is not None]
        if self.displace is None:
            return sponsored
        given = self.num_tokens, self.retention.seed, self.row
        return [(anchor, self.displace(span, *given)) for anchor, span in sponsored]

    def _ranked_alone(self, anchor: Anchor, span: SponsoredSpan) -> SponsoredSpan:
        return self.registry.rank_alone(span, self._claim(anchor, span.source))

    def register(self, settled: Sequence[Anchor]) -> None:
        """Sponsor complete values."""
        self.stated.update(anchor.value for anchor in settled)
        for anchor, span in self._sponsored(settled):
            self._register(anchor, span)

    def look_again(self) -> None:
        """Read the text again from where the scanner began. Everything in it is known, except what
        was not settled before and is now, because the text comes at once."""
        assert self.text is not None
        start = max(0, self.began - TAIL)
        self._window = start, self.text.scan_text(start)
        text = self._window[1]
        self.begin_scan(text[: self.began - start], self.began)
        settled, _ = self.scanner.read(text[self.began - start :])
        tokens = self.text.tokens_for_each([anchor.value for anchor in settled])
        self.border = [value for value in self.border if value not in tokens]
        self.register([anchor for anchor in settled if anchor.value not in self.stated])

    def _register(self, anchor: Anchor, span: SponsoredSpan) -> None:
        numbers = self.retention.sponsorship
        message = range_of(self.sources, span.value.start).span.start
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

    def source_of(self, token: int) -> Source:
        """Who wrote a token."""
        return range_of(self.sources, token).source

    def characters(self, tokens: Span) -> str:
        """Text of a range of tokens: for labels, and for values only when they are revealed. Raises
        InputError if the text was not saved with the cache and is no label, or was dropped."""
        if self.text is None or tokens.start >= min(tokens.end, self.num_tokens):
            return ""
        if tokens.start < self.forgotten:
            if tokens not in self.labels:
                raise InputError(f"{UNSAVED}: it cannot be shown")
            return self.labels[tokens]
        return self.text.text_of(Span(tokens.start, min(tokens.end, self.num_tokens)))

    def frequency(self, ids: Ints) -> Floats:
        """F of the ids (see ``utility.frequency``)."""
        frequencies = frequency(ids, self.counts)
        if self.most:
            frequencies *= min(1.0, int(self.counts.max(initial=0)) / self.most)
        return frequencies

    def explicit(self, *, pinned: bool = True) -> list[tuple[SponsoredSpan, bool]]:
        """Ranges that the caller named, as far as they have been read; each with ``required``.
        Without ``pinned``: only those that may be values, not what is held beside K."""
        ranges = [(self._tokens(p), p.priority, p.required) for p in self.protected]
        roles = self.roles if pinned else self.retention.protect_roles
        named = (s.span for s in self.sources if s.source in roles)
        ranges += [(span, 0.0, True) for span in named]
        return caller_spans(ranges, self.num_tokens)

    def num_pinned(self) -> int:
        """Number of tokens read that are held beside K."""
        pinned = (s.span for s in self.sources if s.source in self.retention.pinned)
        return sum(max(0, min(span.end, self.num_tokens) - span.start) for span in pinned)

    def named(self) -> list[Span]:
        """Characters of the named ranges that may be values."""
        ranges = [] if self.text is None else self.explicit(pinned=False)
        spans = [span.value for span, _ in ranges]
        return [self.text.chars_for(span) for span in spans if self.text is not None]

    def release(self, span: Span, unit: Unit) -> list[SponsoredSpan]:
        """End the protection of everything that overlaps a range; returns those values and
        ranges."""
        tokens = self._tokens(ProtectedRange(span, unit))
        ended = [p for p in self.protected if self._tokens(p).overlaps(tokens)]
        self.protected = [p for p in self.protected if p not in ended]
        ranges = [caller_span(self._tokens(p), p.priority) for p in ended]
        return ranges + self.registry.release(tokens)

    def _tokens(self, item: ProtectedRange) -> Span:
        if item.unit == "tokens":
            return item.span
        if self.text is None:
            raise InputError("a range in characters needs the model's tokenizer")
        if item.span.start >= self.text.num_chars:
            return Span(self.num_tokens, self.num_tokens)
        return self.text.tokens_for(item.span)


def questions(text: str) -> list[str]:
    """The text before each of the last question marks, within its own sentence."""
    sentences: list[str] = []
    if text.isascii() and "?" not in text:
        return sentences  # most texts, at the speed of memory
    for match in list(_ASKED.finditer(text))[-QUESTIONS:]:
        before = text[max(0, match.start() - QUESTION) : match.start()]
        sentences.append(_SENTENCE_END.split(before)[-1])
    return sentences
