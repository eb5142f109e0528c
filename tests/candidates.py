"""Values and candidate tokens for tests of selection, and a text that was cut."""

import numpy as np

from flows import read_and_cut
from transactional_attention import Span, SponsoredSpan
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.selection.admission import LiveTokens
from transactional_attention.types import Rank


def span(start, length, *, label=0, rank=1.0, confidence=0.9, rule="test", doubtful=False):
    return SponsoredSpan(
        label=Span(start - label, start),
        value=Span(start, start + length),
        anchor=max(start - 1, 0),
        budget=15.0,
        confidence=confidence,
        rule=rule,
        source="unknown",
        rank=Rank(rank),
        doubtful=doubtful,
    )


def candidates(length, spans=(), utility=None, voucher=None, positions=None):
    """All tokens of a sequence, or those at ``positions``, with recency as their utility."""
    positions = np.arange(length) if positions is None else np.asarray(positions)
    utility = positions / max(length, 1) if utility is None else np.asarray(utility, float)
    voucher = np.zeros(len(positions)) if voucher is None else np.asarray(voucher, float)
    return LiveTokens(positions, length, utility, voucher, tuple(spans))


def held(live_tokens, mask):
    return set(live_tokens.positions[mask].tolist())


def tokens(value):
    return set(range(value.start, value.end))


def after_cut(text, tokenizer, retention):
    """A flow that read a text and cut it once."""
    flow = RetentionFlow(retention, tokenizer, 1)
    read_and_cut(flow, text)
    return flow
