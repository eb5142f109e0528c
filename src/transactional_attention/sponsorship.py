"""Anchors to vouchers: which tokens are sponsored, how strongly, and for how long.

In: anchors in characters and the text's token offsets. Out: sponsored spans in tokens and the
voucher V of every position (paper, eq. 2). The registry outlives the eviction of the anchor's own
tokens (PAPER A8): a voucher does not vanish because ``key:`` was evicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .anchors import rank
from .config import Retention, Sponsorship
from .text import TokenText
from .types import Anchor, Span, SponsoredSpan
from .utility import Floats, Ints


def sponsor(anchor: Anchor, text: TokenText, retention: Retention) -> SponsoredSpan | None:
    """Map one anchor to the tokens it sponsors; None when its value covers no token.

    ``paper`` preset: the L tokens after the last token of the match. ``default``: the value itself.
    """
    value = text.tokens_for(anchor.value)
    if len(value) == 0:
        return None
    label, last = _label_tokens(anchor, text, value.start)
    if retention.preset == "paper":
        value = Span(last + 1, last + 1 + retention.sponsorship.span_length)
    return SponsoredSpan(
        label=label,
        value=value,
        anchor=last,
        budget=retention.sponsorship.budget,
        confidence=anchor.confidence,
        rule=anchor.rule,
        source=anchor.source,
        rank=rank(anchor, text.text),
    )


def _label_tokens(anchor: Anchor, text: TokenText, value: int) -> tuple[Span, int]:
    """Tokens from the label up to the value, and the anchor: the last token of the label's words.

    White space and an opening quote between them belong to the label's tokens; the anchor is the
    last token that holds more (a label's trailing space is often part of the value's first token).
    """
    chars = text.text[anchor.label.start : anchor.label.end].rstrip()
    if not chars:
        return Span(value, value), max(value - 1, 0)
    words = text.tokens_for(Span(anchor.label.start, anchor.label.start + len(chars)))
    if anchor.label.start > anchor.value.start:  # the label follows its value
        return words, max(words.end - 1, 0)
    return Span(min(words.start, value), value), max(min(words.end, value) - 1, 0)


def vouchers(
    positions: Ints, spans: Iterable[SponsoredSpan], budgets: Iterable[float], numbers: Sponsorship
) -> Floats:
    """V_j = strength x sum over anchors of B_i 0.8^(j - i) for i < j <= i + L (paper, eq. 2).

    ``positions`` [slot] are original positions; the result has the same shape.
    """
    total = np.zeros(positions.shape)
    for span, budget in zip(spans, budgets, strict=True):
        offset = positions - span.anchor
        inside = (offset > 0) & (offset <= numbers.span_length)
        total += np.where(inside, budget * numbers.token_decay ** np.maximum(offset, 0), 0.0)
    return numbers.strength * total


def anchor_shares(spans: Sequence[SponsoredSpan], positions: Ints, observed: Floats) -> list[float]:
    """Each anchor's share of the attention that anchors receive (paper, appendix): dilution.

    ``positions`` and ``observed`` [slot], sorted by position. The shares of n anchors sum to 1; one
    whose token is evicted counts as the average.
    """
    if not spans:
        return []
    slots = np.minimum(np.searchsorted(positions, [s.anchor for s in spans]), len(positions) - 1)
    live = np.array([positions[i] == s.anchor for i, s in zip(slots, spans, strict=True)], bool)
    total = float(observed[slots[live]].sum())
    if not live.any() or total <= 0:
        return [1 / len(spans)] * len(spans)
    scale = live.sum() / len(spans)
    return np.where(live, observed[slots] / total * scale, 1 / len(spans)).tolist()


class SponsorRegistry:
    """The sponsored spans of one sequence in the order found, with their budgets B."""

    def __init__(self, numbers: Sponsorship) -> None:
        self.numbers = numbers
        self.spans: list[SponsoredSpan] = []
        self.over_cap: list[SponsoredSpan] = []
        self._budgets: list[float] = []
        self._seen: set[Span] = set()

    def copy(self) -> SponsorRegistry:
        """An independent registry with the same spans (beams, forks)."""
        other = SponsorRegistry(self.numbers)
        other.spans, other.over_cap = list(self.spans), list(self.over_cap)
        other._budgets, other._seen = list(self._budgets), set(self._seen)
        return other

    def add(self, span: SponsoredSpan, cap: int | None) -> None:
        """Register a span once; one over its cap (tokens) is kept aside for the report."""
        if span.value in self._seen:
            return
        self._seen.add(span.value)
        if cap is not None and len(span.value) > cap:
            self.over_cap.append(span)
        else:
            self.spans.append(span)
            self._budgets.append(span.budget)

    def anchor_positions(self) -> Ints:
        """Positions that have anchor status (S = 1)."""
        return np.array(sorted({s.anchor for s in self.spans if len(s.label)}), dtype=np.int64)

    def vouchers(self, positions: Ints, weights: Sequence[float] | None = None) -> Floats:
        """V of the positions at the present budgets, each times its anchor's weight."""
        budgets = self._budgets
        if weights is not None:
            budgets = [b * w for b, w in zip(budgets, weights, strict=True)]
        return vouchers(positions, self.spans, budgets, self.numbers)

    def decay(self) -> None:
        """B <- 0.9 B for every anchor (paper, algorithm 1, line 10)."""
        self._budgets = [b * self.numbers.step_decay for b in self._budgets]
