"""The paper's formal claims (docs/guarantees.md): what a committed record says of each is so.

The forms that hold instead are tested for any text in ``test_guarantee.py``."""

import json
from itertools import count, permutations
from pathlib import Path

import numpy as np
import pytest

from candidates import candidates, span
from transactional_attention.config import Choices, Sponsorship
from transactional_attention.selection.selection import PartitionSelection, SpanSelection, top
from transactional_attention.sponsorship.vouchers import vouchers

RECORD = Path(__file__).parents[1] / "docs" / "report" / "records" / "theorems.json"
ROWS = {(row["name"], row.get("budget")): row for row in json.loads(RECORD.read_text())["rows"]}
NUMBERS = Sponsorship()
LENGTH, SINKS, WINDOW, SPAN = 400, 1, 2, NUMBERS.span_length  # of a text; of the paper


def scene(spans, *, faded=1.0, utility=None):
    """All tokens of a text, recency at its weight unless said; ``faded``: what is left of B."""
    voucher = vouchers(np.arange(LENGTH), spans, [faded * s.budget for s in spans], NUMBERS)
    utilities = 0.5 * np.arange(LENGTH) / LENGTH if utility is None else utility
    return candidates(LENGTH, spans, utility=utilities, voucher=voucher)


def equal(number, length=SPAN):
    """Values evenly spread, alike."""
    return [span(LENGTH * (i + 1) // (number + 1), length) for i in range(number)]


def whole(live_tokens, selection, budget):
    """How many values of a scene are kept whole."""
    keep = selection.select(live_tokens, budget).keep
    return sum(bool(keep[s.value.start : s.value.end].all()) for s in live_tokens.spans)


def partition(name, window=WINDOW):
    return PartitionSelection(SINKS, window, name)


def example(name):
    """The first counterexample of a claim in the record; the paper's condition is met in it."""
    row = ROWS[name, None]
    assert row["stated"]["broken"] > 0 == row["corrected"]["broken"]
    return row["stated"]["counterexample"]


def test_a_dormant_token_may_be_kept_where_theorem_1_bounds_its_chance():
    one = example("Theorem 1")
    attention = np.zeros(one["n"])
    attention[0], attention[one["n"] // 2] = one["n"], 0.01
    assert attention[one["n"] // 2] < one["epsilon"] and one["K"] / (one["epsilon"] * one["n"]) < 1
    assert top(attention, one["K"], np.ones(one["n"], bool))[one["n"] // 2]


@pytest.mark.parametrize(("budget", "low", "high"), [(3, 5, 2), (2, 4, 0), (4, 6, 3)])
def test_exchangeable_dormant_tokens_are_kept_with_k_of_m_at_most(budget, low, high):
    kept = [
        top(np.array([*order, *[9.0] * high], float), budget, np.ones(low + high, bool))[0]
        for order in permutations(range(low))
    ]
    assert np.mean(kept) <= budget / low


def test_a_span_that_fits_alone_is_lost_beside_others():
    one = example("Theorem 2, body")
    assert one["K"] >= SINKS + WINDOW + SPAN
    kept = whole(scene(equal(one["anchors"])), partition(one["partition"]), one["K"])
    assert kept == one["whole"] < one["anchors"]


def test_protected_slots_for_a_span_do_not_keep_it_against_attention():
    one = example("Theorem 2, appendix")
    spans, selection = equal(one["anchors"]), partition("quarter")
    inside = {p for s in spans for p in range(s.value.start, s.value.end)}
    utility = [0.0 if p in inside else 50.0 for p in range(LENGTH)]
    assert selection.num_protected(one["K"]) == one["K_p"] >= SPAN
    assert whole(scene(spans, utility=utility), selection, one["K"]) == one["whole"]


def test_a_sponsored_span_goes_when_its_budget_has_faded():
    one, selection = example("Theorem 2, over time"), partition("strict")
    scenes = [scene(equal(1), faded=0.9**steps) for steps in (one["steps"] - 1, one["steps"])]
    assert all(selection.mandatory + (f.voucher > 0).sum() <= 16 for f in scenes)
    assert [whole(f, selection, 16) for f in scenes] == [1, 0]


def test_the_least_budget_of_theorem_3_cuts_a_value():
    one = example("Theorem 3")
    assert one["K*"] == SINKS + WINDOW + one["value"]
    assert whole(scene(equal(1, one["value"])), partition(one["partition"]), one["K*"]) == 0


@pytest.mark.parametrize("name", ["quarter", "strict"])
def test_the_first_half_of_theorem_4_holds(name):
    assert ROWS["Theorem 4, first half", None]["stated"]["broken"] == 0
    for number in range(1, 10):
        live_tokens, least = scene(equal(number)), SINKS + WINDOW + number * SPAN
        assert all(whole(live_tokens, partition(name), k) == number for k in (least, least + 9))


def test_the_second_half_of_theorem_4_is_no_lottery():
    one = example("Theorem 4, second half")
    assert one["K"] < SINKS + WINDOW + (one["decoys"] + 1) * SPAN
    live_tokens = scene(equal(one["decoys"] + 1))
    assert whole(live_tokens, partition(one["partition"]), one["K"]) == one["whole"] != 1


@pytest.mark.parametrize("length", [3, 6, 11])
def test_whole_spans_are_counted(length):
    """The best min(m + 1, floor((K - 2) / l)) of values alone are kept."""
    selection = SpanSelection(1, 4, choices=Choices(keep_closing_token=False))
    for budget in (9, 12, 16, 24, 32, 64):
        for number in range(1, 10):
            spans = [span(s.value.start, length, rank=i) for i, s in enumerate(equal(number))]
            admitted = selection.select(scene(spans), budget).admitted
            assert len(admitted) == min(number, (budget - 2) // length)


def test_numbers_that_the_paper_works_out_are_what_its_selection_does():
    """Its corollaries have W = 4, where section 3.3 keeps the newest two."""
    selection, value = partition("quarter", 4), scene(equal(1, 10))
    voucher = scene(equal(1)).voucher
    made = {
        ("least voucher of a span", None): voucher[voucher > 0].min(),
        ("least K", None): next(k for k in count(5) if whole(value, selection, k)),
        ("protected slots", 16): selection.num_protected(16),
        ("protected slots", 64): selection.num_protected(64),
        ("decoys tolerated", 64): next(
            n for n in count() if whole(scene(equal(n + 2)), selection, 64) < n + 2
        ),
    }
    assert made == pytest.approx({key: ROWS[key]["printed"] for key in made})
