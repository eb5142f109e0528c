"""Anchors to vouchers: which tokens are sponsored, and how strongly.

In: anchors in characters, and the text's token offsets. Out: sponsored spans in tokens, and the
voucher V of every position (paper, eq. 2). How long they last is decided in
``sponsor_registry``.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..config import Retention, Sponsorship
from ..text.token_text import TokenText
from ..types import Anchor, Floats, Ints, Rank, SourceRange, Span, SponsoredSpan
from .claims import Excerpt

MAX_SIGN = 8  # characters between a label and a value that belongs to it


def sponsor(
    anchors: Sequence[Anchor],
    text: TokenText,
    retention: Retention,
    excerpt: Excerpt,
    range_at: Callable[[int], SourceRange],
    reach: int = 0,
) -> list[SponsoredSpan | None]:
    """The tokens that each anchor sponsors; None for a value that covers no token.

    That is the value itself, or ``reach`` tokens after the last token of the label. ``excerpt``
    gives characters of the text, ``range_at`` the range of a token and who wrote it. The registry
    sets the ranks.
    """
    read = [anchor.value for anchor in anchors]
    read += [_words(anchor.label, excerpt) for anchor in anchors]
    tokens = text.tokens_for_each(read)  # at once
    sponsored: list[SponsoredSpan | None] = []
    budget = retention.sponsorship.budget
    for anchor, value, label_tokens in zip(anchors, tokens, tokens[len(anchors) :], strict=False):
        if value.start == value.end:
            sponsored.append(None)
            continue
        label, last = _label_tokens(anchor, label_tokens, value.start)
        if reach:
            value = Span(last + 1, last + 1 + reach)
        sponsored.append(
            SponsoredSpan(
                label,
                value,
                last,
                budget * anchor.share,
                anchor.confidence,
                anchor.rule,
                range_at(value.start).source,
                rank=Rank(),
            )
        )
    return sponsored


def _words(label: Span, excerpt: Excerpt) -> Span:
    """The characters of a label without the white space that ends it."""
    if label.start == label.end:
        return label
    return Span(label.start, label.start + len(excerpt(label.start, label.end).rstrip()))


def _label_tokens(anchor: Anchor, words: Span, value: int) -> tuple[Span, int]:
    """The label's tokens, and the anchor: the last token of the label's words.

    White space and an opening quote between label and value belong to the label's tokens. The
    anchor is the last token that contains more than these, because a label's trailing space is
    often part of the value's first token. A label far from its value, such as a table's header, has
    only its own tokens.

    ``words``: the tokens of the label's words; ``value``: the first token of the value.
    """
    if not len(words):
        return Span(value, value), max(value - 1, 0)
    after = anchor.label.start > anchor.value.start
    if after or anchor.value.start - anchor.label.end > MAX_SIGN:
        return words, max(words.end - 1, 0)
    return Span(min(words.start, value), value), max(min(words.end, value) - 1, 0)


def vouchers(
    positions: Ints, spans: Iterable[SponsoredSpan], budgets: Iterable[float], numbers: Sponsorship
) -> Floats:
    """V_j = strength x sum over anchors of B_i 0.8^(j - i) for i < j <= i + L (paper, eq. 2).

    ``positions`` [slot] are original positions. The result has the same shape.
    """
    total = np.zeros(positions.shape)
    for span, budget in zip(spans, budgets, strict=True):
        offset = positions - span.anchor
        inside = (offset > 0) & (offset <= numbers.span_length)
        total += np.where(inside, budget * numbers.token_decay ** np.maximum(offset, 0), 0.0)
    return numbers.strength * total


def anchor_shares(spans: Sequence[SponsoredSpan], positions: Ints, observed: Floats) -> list[float]:
    """Each anchor's share of all attention that anchors receive (paper, appendix: dilution).

    ``positions`` and ``observed`` [slot], sorted by position. The shares sum to 1. An anchor whose
    token was evicted counts as the average.
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
