"""Ranges of a sequence that the caller names: protected ones, and who wrote which tokens."""

from __future__ import annotations

import copy

from ..config import ProtectedRange, Retention, Unit
from ..errors import InputError
from ..sponsorship.caller_ranges import caller_span, caller_spans
from ..sponsorship.role_reading import RoleReader, range_of
from ..text.token_text import TokenText
from ..types import SourceRange, Span, SponsoredSpan


class NamedRanges:
    """Of one sequence. ``sources``: who wrote which tokens. ``protected``: ranges that the caller
    protects; ``protect_roles``: sources that are, ``pinned``: sources that are held beside K."""

    def __init__(self, tokenizer, retention: Retention, row: int) -> None:
        self.pinned, self.protect_roles = retention.pinned, retention.protect_roles
        self.role_reader = RoleReader(
            tokenizer, tuple(dict.fromkeys((*self.protect_roles, *self.pinned)))
        )
        self.protected = [p for p in retention.protected if p.row in (None, row)]
        self.sources: list[SourceRange] = []

    def copy(self) -> NamedRanges:
        """An independent copy."""
        other = copy.copy(self)
        other.sources, other.protected = list(self.sources), list(self.protected)
        return other

    def read_roles(self, text: TokenText | None, border: int, lost: int, *, final: bool) -> None:
        """Find out who wrote the tokens from ``border`` on, if that is asked for and nobody said
        it. ``lost``: tokens at the beginning whose text is not known."""
        if self.role_reader.wanted and not any(s.span.end > border for s in self.sources):
            self.sources = self.role_reader.extended(self.sources, text, lost, final=final)

    def at(self, token: int) -> SourceRange:
        """Who wrote a token, and the range of the message that contains it."""
        return range_of(self.sources, token)

    def explicit(
        self, text: TokenText | None, num_tokens: int, *, pinned: bool = True
    ) -> list[tuple[SponsoredSpan, bool]]:
        """The named ranges as far as they have been read; each with ``required``. Without
        ``pinned``: only those that may be values, not what is held beside K."""
        placed = ((_tokens(p, text, num_tokens), p) for p in self.protected)
        ranges = [(span, p.priority, p.required) for span, p in placed]
        roles = self.role_reader.wanted if pinned else self.protect_roles
        ranges += [(s.span, 0.0, True) for s in self.sources if s.source in roles]
        return caller_spans(ranges, num_tokens)

    def num_pinned(self, num_tokens: int) -> int:
        """How many of the first ``num_tokens`` tokens are held beside K."""
        pinned = (s.span for s in self.sources if s.source in self.pinned)
        return sum(max(0, min(span.end, num_tokens) - span.start) for span in pinned)

    def release(
        self, span: Span, unit: Unit, text: TokenText | None, num_tokens: int
    ) -> tuple[Span, list[SponsoredSpan]]:
        """End the protection of the ranges that overlap one; returns its tokens, and those ranges.

        Raises InputError for characters of a sequence without a text."""
        tokens = _tokens(ProtectedRange(span, unit), text, num_tokens)
        placed = [(p, _tokens(p, text, num_tokens)) for p in self.protected]
        self.protected = [p for p, place in placed if not place.overlaps(tokens)]
        ended = [(p, place) for p, place in placed if place.overlaps(tokens)]
        return tokens, [caller_span(place, p.priority) for p, place in ended]


def _tokens(item: ProtectedRange, text: TokenText | None, num_tokens: int) -> Span:
    if item.unit == "tokens":
        return item.span
    if text is None:
        raise InputError("a range in characters needs the model's tokenizer")
    if item.span.start >= text.num_chars:
        return Span(num_tokens, num_tokens)
    return text.tokens_for(item.span)
