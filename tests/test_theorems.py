"""The paper's theorems beyond the grids of `ta reproduce theorems` (guarantees.md)."""

from itertools import permutations

import numpy as np

from candidates import candidates, held, span, tokens
from transactional_attention import Retention
from transactional_attention.config import Choices, Sponsorship
from transactional_attention.methods.registry import get_method
from transactional_attention.retention.layout import build_selection
from transactional_attention.selection.admission import ends
from transactional_attention.selection.guarantee import kept_by_vouchers
from transactional_attention.selection.selection import SpanSelection, top
from transactional_attention.sponsorship.vouchers import vouchers

NUMBERS = Sponsorship()
L = NUMBERS.span_length
VALUES_ALONE = SpanSelection(1, 4, choices=Choices(closing=False))  # as theorems count


def paper(partition="quarter"):
    """The selection of TA-Fast as the paper prints it; its mandatory tokens are 1 + W."""
    retention = Retention(method="ta-fast-regex", preset="paper", partition=partition)
    return build_selection(retention, get_method(retention.method))


def paper_minimum(found, selection=None):
    """1 + W + L for every span: what the selection always keeps, and what vouchers reach."""
    return (selection or paper()).mandatory + np.count_nonzero(found.voucher)


def scene(starts, length=400, utility=None, decay=1.0):
    """A text with anchors right before ``starts``, and recency times its weight as utility."""
    spans = [span(start, L) for start in starts]
    positions = np.arange(length)
    voucher = vouchers(positions, spans, [NUMBERS.budget * decay] * len(spans), NUMBERS)
    utility = 0.5 * positions / length if utility is None else utility
    return candidates(length, spans, utility=utility, voucher=voucher)


def whole(found, budget, partition="quarter"):
    kept = held(found, paper(partition).select(found, budget).keep)
    return [tokens(item.value) <= kept for item in found.spans]


def test_theorem_1_holds_for_exchangeable_tokens():
    budget, low, high = 3, 5, 2
    kept = []
    for order in permutations(range(low)):
        attention = np.array([*(0.1 * place for place in order), *[9.0] * high])
        kept.append(top(attention, budget, np.ones(low + high, bool))[0])
    assert np.mean(kept) == (budget - high) / low
    assert np.mean(kept) <= budget / low


def test_theorem_2_unbounded_attention_breaks_it():
    attention = np.full(400, 32.0)
    attention[100:106] = 0.0
    assert whole(scene([100], utility=attention), 16) == [False]


def test_theorem_2_corrected_by_tokens():
    """One anchor and bounded terms: |E| + L slots are enough, for the worst utilities too."""
    utility = np.full(400, 0.8)
    utility[100:106] = -0.1
    found = scene([100], utility=utility)
    first, last = ends(found, paper().sinks, paper().recent)
    budget = paper_minimum(found)
    sure = kept_by_vouchers(found.voucher, first | last, -0.1, 0.8, budget)
    assert sure[100:106].all()
    assert whole(found, budget) == [True]
    late = kept_by_vouchers(found.voucher * 0.9**40, first | last, -0.1, 0.8, budget)
    assert not late[100:106].all()


def test_every_schedule_of_cuts_keeps_values_that_fit_together():
    """The corollary for chunks and turns: all values, the ends and one slot are within K."""
    spans = [span(10, 5, rank=1), span(30, 5, rank=3), span(45, 5, rank=2, confidence=0.5)]
    selection, budget = VALUES_ALONE, 15 + 5 + 1
    positions, seen_before = np.arange(0), 0
    for border in (12, 20, 33, 34, 47, 60):
        positions = np.concatenate([positions, np.arange(seen_before, border)])
        seen_before = border
        seen = [item for item in spans if item.value.end <= border]
        partial = [span(s.value.start, border - s.value.start, rank=9) for s in spans
                   if s.value.start < border < s.value.end]  # fmt: skip
        found = candidates(border, [*seen, *partial], positions=positions)
        positions = found.positions[selection.select(found, budget).keep]
        assert all(tokens(item.value) <= set(positions.tolist()) for item in seen)
