"""The paper's theorems: what is false in them, executed, and what holds (guarantees.md)."""

from itertools import permutations

import numpy as np
import pytest
import torch

from candidates import candidates, held, span, tokens
from transactional_attention import Retention
from transactional_attention.config import Choices, Sponsorship
from transactional_attention.methods.observation import AttentionRule, Seen
from transactional_attention.methods.registry import get_method
from transactional_attention.methods.scorers.tova import TOVA
from transactional_attention.retention.layout import build_selection
from transactional_attention.selection.admission import ends
from transactional_attention.selection.guarantee import certify, kept_by_vouchers, minimum_budget
from transactional_attention.selection.selection import SpanSelection, top
from transactional_attention.sponsorship.vouchers import vouchers

NUMBERS = Sponsorship()
L = NUMBERS.span_length
PARTITIONS = ("quarter", "strict")
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


def last_attention(logits):
    """What TOVA measures [slot] when the last query has these logits."""
    length = len(logits)
    keys, where = torch.tensor(logits).float()[None, None, :, None], torch.arange(length)[None]
    seen = Seen(
        keys=keys,
        values=keys,
        positions=where[None],
        length=torch.tensor([length]),
        rule=AttentionRule(scale=1.0),
        queries=torch.ones(1, 1, 1, 1),
        asking=where[:, -1:],
    )
    return TOVA().measure(seen)[0, 0].numpy()


@pytest.mark.parametrize("length", [400, 4000, 40000])
def test_theorem_1_a_dormant_token_of_high_rank_survives(length):
    """The first token takes the attention, the dormant one a hundredth, the others next to none."""
    dormant, threshold, budget = length // 2, 0.5, 16
    logits = np.full(length, -30.0)
    logits[0], logits[dormant] = 0.0, np.log(0.01)
    attention = last_attention(logits)
    assert attention[dormant] < threshold
    kept = bool(top(attention, budget, np.ones(length, bool))[dormant])
    assert kept > budget / (threshold * length)


def test_theorem_1_holds_for_exchangeable_tokens():
    budget, low, high = 3, 5, 2
    kept = []
    for order in permutations(range(low)):
        attention = np.array([*(0.1 * place for place in order), *[9.0] * high])
        kept.append(top(attention, budget, np.ones(low + high, bool))[0])
    assert np.mean(kept) == (budget - high) / low
    assert np.mean(kept) <= budget / low


@pytest.mark.parametrize("partition", PARTITIONS)
def test_theorem_2_other_anchors_break_it(partition):
    assert paper_minimum(scene([100]), paper(partition)) <= 16
    assert whole(scene([100]), 16, partition) == [True]
    assert not any(whole(scene([100, 200, 300]), 16, partition))


def test_theorem_2_of_the_appendix_is_broken_by_one_decoy():
    """K_p = 6 >= L, and the two spans share it with a main pool that plain tokens fill."""
    utility = np.full(400, 50.0)
    utility[100:106] = utility[200:206] = 0.0
    found = scene([100, 200], utility=utility)
    assert paper().num_protected(24) >= np.count_nonzero(scene([100]).voucher)
    assert not any(whole(found, 24))


def test_theorem_2_unbounded_attention_breaks_it():
    attention = np.full(400, 32.0)
    attention[100:106] = 0.0
    assert whole(scene([100], utility=attention), 16) == [False]


def test_theorem_2_does_not_hold_for_long():
    assert whole(scene([200], decay=0.9**10), 16) == [True]
    assert whole(scene([200], decay=0.9**40), 16, "strict") == [False]


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


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_theorem_2_corrected_by_spans_reads_no_utility(scale):
    spans = [span(100, L, rank=2), span(200, L, rank=1)]
    utility = np.full(400, scale)
    utility[100:106] = utility[200:206] = -scale
    selection = VALUES_ALONE
    found = candidates(400, spans, utility=utility)
    kept = held(found, selection.select(found, 14).keep)
    assert [c.status for c in certify(selection, 400, spans, 14)] == ["guaranteed"] * 2
    assert all(tokens(item.value) <= kept for item in spans)


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


def test_theorem_3_is_neither_enough_nor_necessary():
    found, strict, value = scene([100]), paper("strict"), 7
    assert np.count_nonzero(found.voucher) < value  # L cuts the value
    assert 106 not in held(found, strict.select(found, strict.mandatory + value).keep)
    spans = VALUES_ALONE
    assert minimum_budget(spans, 400, [span(100, value)]) == 9
    assert minimum_budget(spans, 400, [span(100, value)]) < spans.mandatory + value


def test_theorem_4_says_a_third_and_it_is_none():
    found = scene([100, 200, 300])
    assert paper_minimum(found) > 16
    assert whole(found, 16) == [False] * 3


@pytest.mark.parametrize("budget", [8, 9, 14, 15, 16, 20, 21, 40])
@pytest.mark.parametrize("decoys", [1, 2, 5])
def test_theorem_4_corrected_counts_whole_values(budget, decoys):
    spans = [span(20 * (i + 1), L, rank=i) for i in range(decoys + 1)]
    found = candidates(400, spans)
    selected = VALUES_ALONE.select(found, budget)
    assert len(selected.admitted) == min(decoys + 1, (budget - 2) // L)
