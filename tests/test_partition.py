"""The paper's selection: top-K by utility with slots set apart for sponsored tokens."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import candidates, held, span
from transactional_attention.selection.selection import PartitionSelection
from transactional_attention.types import CALLER


def test_k_protected_of_each_partition():
    assert PartitionSelection(1, 2, "quarter").num_protected(16) == 4
    assert PartitionSelection(1, 2, "strict").num_protected(16) == 0
    assert PartitionSelection(4, 6, "audit").num_protected(16) == 6


def low_vouchers(length=60, start=30):
    """Ten sponsored tokens whose total is below that of every plain one."""
    utility, voucher = np.linspace(0.5, 1.0, length), np.zeros(length)
    utility[start : start + 10], voucher[start : start + 10] = -1.0, 0.1
    return candidates(length, utility=utility, voucher=voucher)


@pytest.mark.parametrize(("partition", "sponsored"), [("quarter", 4), ("strict", 0), ("audit", 7)])
def test_protected_slots_go_to_sponsored_tokens_that_would_lose(partition, sponsored):
    live_tokens = low_vouchers()
    selected = PartitionSelection(1, 2, partition).select(live_tokens, 16)
    assert selected.keep.sum() == 16
    assert (selected.keep & (live_tokens.voucher > 0)).sum() == sponsored


def test_what_overflows_the_protected_slots_competes_in_the_main_pool():
    voucher = np.zeros(60)
    voucher[30:40] = 12.0
    live_tokens = candidates(60, voucher=voucher)
    selected = PartitionSelection(1, 2, "quarter").select(live_tokens, 16)
    assert set(range(30, 40)) <= held(live_tokens, selected.keep)


@given(st.integers(3, 40), st.integers(1, 60), st.sampled_from(["quarter", "strict"]))
def test_the_partition_keeps_exactly_k_and_its_ends(budget, length, partition):
    live_tokens = candidates(length, utility=np.cos(np.arange(length)))
    selected = PartitionSelection(1, 2, partition).select(live_tokens, budget)
    assert selected.keep.sum() == min(budget, length)
    assert {0, length - 1, max(length - 2, 0)} <= held(live_tokens, selected.keep)


def test_the_literal_rule_cuts_the_values_of_two_decoys():
    """At K = 16, offset by offset the spans interleave, and none is whole."""
    voucher = np.zeros(80)
    spans = [span(start, 6) for start in (10, 30, 50)]
    for item in spans:
        voucher[item.value.start : item.value.end] = 15.0 * 0.8 ** np.arange(1, 7)
    selected = PartitionSelection(1, 2, "quarter").select(
        candidates(80, spans, voucher=voucher), 16
    )
    assert selected.admitted == ()
    assert set(selected.refused) == set(spans)


def test_ranges_of_the_caller_are_mandatory_in_the_partition_too():
    named = span(20, 6, rule=CALLER)
    live_tokens = candidates(60, [named])
    selected = PartitionSelection(1, 2, "quarter").select(live_tokens, 16)
    assert selected.admitted == (named,)
    assert set(range(20, 26)) <= held(live_tokens, selected.held)


def test_a_protected_slot_survives_decoding_while_a_plain_one_is_left():
    live_tokens = low_vouchers()
    selection = PartitionSelection(1, 2, "quarter")
    kept = selection.select(live_tokens, 16).keep
    utility, voucher = live_tokens.utility[kept][None], live_tokens.voucher[kept][None]
    nothing = np.zeros_like(utility, bool)
    victim = int(selection.victim(utility, voucher, nothing, nothing)[0])
    assert voucher[0, victim] == 0.0
