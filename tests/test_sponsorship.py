"""Equation 2, its decay, and the registry that outlives the tokens of an anchor."""

import numpy as np
import pytest

from scenes import TEXTS
from transactional_attention import Retention, Span, SponsoredSpan, Sponsorship
from transactional_attention.retention.flow import RetentionFlow
from transactional_attention.sponsorship.registry import SponsorRegistry
from transactional_attention.sponsorship.vouchers import vouchers

NUMBERS = Sponsorship()
FIRST_SIX = [12.0, 9.6, 7.68, 6.144, 4.9152, 3.93216]


def span(anchor, length=6, label=2):
    """A value right after its anchor."""
    start = anchor + 1
    return SponsoredSpan(
        label=Span(start - label, start),
        value=Span(start, start + length),
        anchor=anchor,
        budget=15.0,
        confidence=1.0,
        rule="test",
        source="unknown",
        rank=(1.0,),
    )


def test_equation_2_gives_the_numbers_of_the_paper():
    found = vouchers(np.arange(11, 17), [span(10)], [15.0], NUMBERS)
    assert found == pytest.approx(FIRST_SIX)


def test_the_anchor_itself_and_what_lies_beyond_six_tokens_get_nothing():
    assert vouchers(np.array([9, 10, 17, 18]), [span(10)], [15.0], NUMBERS).tolist() == [0.0] * 4


def test_anchors_add_up():
    found = vouchers(np.array([12]), [span(10), span(11)], [15.0, 15.0], NUMBERS)
    assert found == pytest.approx([9.6 + 12.0])


def test_length_and_decay_are_the_callers():
    numbers = Sponsorship(token_decay=0.5, span_length=2)
    assert vouchers(np.arange(11, 14), [span(10)], [8.0], numbers).tolist() == [4.0, 2.0, 0.0]


def test_a_step_takes_a_tenth():
    registry = SponsorRegistry(NUMBERS)
    registry.add(span(10), None)
    registry.decay()
    registry.decay()
    assert registry.vouchers(np.array([11])) == pytest.approx([12.0 * 0.81])


def test_a_value_is_registered_once():
    registry = SponsorRegistry(NUMBERS)
    registry.add(span(10), None)
    registry.add(span(10), None)
    assert len(registry.spans) == 1


def test_a_value_over_its_cap_is_left_out_whole_and_known():
    registry = SponsorRegistry(NUMBERS)
    registry.add(span(10, length=9), 8)
    registry.add(span(30, length=8), 8)
    assert [s.anchor for s in registry.spans] == [30]
    assert [s.anchor for s in registry.over_cap] == [10]
    assert registry.vouchers(np.array([11, 31])).tolist() == [0.0, 12.0]


def test_a_copy_goes_its_own_way():
    registry = SponsorRegistry(NUMBERS)
    registry.add(span(10), None)
    other = registry.copy()
    other.decay()
    other.add(span(30), None)
    assert registry.vouchers(np.array([11, 31])).tolist() == [12.0, 0.0]


def test_a_value_recognised_by_its_shape_has_no_anchor_status():
    registry = SponsorRegistry(NUMBERS)
    registry.add(span(10), None)
    registry.add(span(30, label=0), None)
    assert registry.anchor_positions().tolist() == [10]


def test_vouchers_outlive_the_tokens_of_their_anchor(tokenizer):
    """PAPER_GAPS A8: most anchor tokens are evicted at the first cut."""
    flow = RetentionFlow(Retention(budget=16, preset="paper"), tokenizer, rows=1)
    ids = np.array([tokenizer(TEXTS[0])["input_ids"]])
    flow.read(ids, np.ones_like(ids, bool), final=True)
    (table,) = flow.tables.values()
    flow.cut(table)
    registry = flow.sequences[0].registry
    gone = [s for s in registry.spans if s.label.start not in table.positions[0]]
    assert gone
    before = registry.vouchers(np.array([gone[0].anchor + 1]))
    flow.decode(evict=True)
    assert registry.vouchers(np.array([gone[0].anchor + 1])) == pytest.approx(0.9 * before)
