"""Equation 2, its decay, and the registry that outlives the tokens of an anchor."""

import numpy as np
import pytest

import candidates
from flows import read_and_cut
from scenes import TEXTS
from transactional_attention import Retention, Sponsorship
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.sponsorship.sponsor_registry import SponsorRegistry
from transactional_attention.sponsorship.vouchers import vouchers

NUMBERS = Sponsorship()
FIRST_SIX = [12.0, 9.6, 7.68, 6.144, 4.9152, 3.93216]


def span(anchor, length=6, label=2):
    """A value right after its anchor."""
    return candidates.span(anchor + 1, length, label=label)


@pytest.mark.parametrize(
    ("tokens", "anchors", "expected"),
    [
        (range(11, 17), [10], FIRST_SIX),
        ([9, 10, 17, 18], [10], [0.0] * 4),  # the anchor itself, and beyond six tokens
        ([12], [10, 11], [9.6 + 12.0]),
    ],
)
def test_equation_2_gives_the_numbers_of_the_paper(tokens, anchors, expected):
    spans = [span(anchor) for anchor in anchors]
    token_vouchers = vouchers(np.array(tokens), spans, [15.0] * len(spans), NUMBERS)
    assert token_vouchers == pytest.approx(expected)


def test_length_and_decay_are_the_callers():
    numbers = Sponsorship(token_decay=0.5, span_length=2)
    assert vouchers(np.arange(11, 14), [span(10)], [8.0], numbers).tolist() == [4.0, 2.0, 0.0]


@pytest.fixture
def registry():
    made = SponsorRegistry(NUMBERS)
    made.add(span(10), None)
    return made


def test_a_step_takes_a_tenth_and_a_copy_goes_its_own_way(registry):
    other = registry.copy()
    other.decay()
    other.decay()
    other.add(span(30), None)
    assert other.vouchers(np.array([11, 31])) == pytest.approx([12.0 * 0.81, 12.0])
    assert registry.vouchers(np.array([11, 31])).tolist() == [12.0, 0.0]


def test_a_value_is_registered_once_and_one_without_a_label_has_no_anchor(registry):
    registry.add(span(10), None)
    assert len(registry.spans) == 1
    registry.add(span(30, label=0), None)
    assert registry.anchor_positions().tolist() == [10]


def test_a_value_over_its_cap_is_left_out_whole_and_known(registry):
    registry.add(span(30, length=9), 8)
    registry.add(span(50, length=8), 8)
    assert [s.anchor for s in registry.spans] == [10, 50]
    assert [s.anchor for s in registry.over_cap] == [30]
    assert registry.vouchers(np.array([31, 51])).tolist() == [0.0, 12.0]


def test_vouchers_outlive_the_tokens_of_their_anchor(tokenizer):
    """Most anchor tokens are evicted at the first cut."""
    flow = candidates.after_cut(TEXTS[0], tokenizer, Retention(budget=16, preset="paper"))
    registry = flow.sequences[0].registry
    gone = [s for s in registry.spans if s.label.start not in flow.table.positions[0]]
    assert gone
    before = registry.vouchers(np.array([gone[0].anchor + 1]))
    flow.decode(evict=True)
    assert registry.vouchers(np.array([gone[0].anchor + 1])) == pytest.approx(0.9 * before)


def test_a_correction_takes_back_one_value_and_no_other_when_that_is_gone(tokenizer):
    opening = "The locker pin is 8841.\nThe bike lock opens with 7719.\nThe door code is 4471. "
    flow = RetentionFlow(Retention(16), tokenizer, 1)
    (sequence,) = flow.sequences
    for text in (f"{opening}Correction: it is 4472.\n", "It rained all day.\n" * 9, "So it did.\n"):
        read_and_cut(flow, text, final=False)
    current = {sequence.text.text_of(s.value): s.rank.tier for s in sequence.registry.spans}
    assert current == {"8841": 1, "7719": 1, "4472": 1}
