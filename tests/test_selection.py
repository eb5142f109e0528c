"""Whole values or nothing: properties for any tokens, values, sinks, recent tokens and budgets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candidates import candidates, held, span, tokens
from transactional_attention.config import Choices
from transactional_attention.detection.detector import EVEN
from transactional_attention.selection.guarantee import certify
from transactional_attention.selection.selection import SpanSelection
from transactional_attention.types import GUESS, UNLIKELY


@st.composite
def scenes(draw):
    """(selection, candidates, budget): a first cut, or a later one with tokens gone."""
    length = draw(st.integers(1, 50))
    present = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    present[-1] = True
    positions = [p for p in range(length) if present[p]]
    count = draw(st.integers(0, 6))
    spans = []
    for _ in range(count):
        start = draw(st.integers(0, length - 1))
        spans.append(
            span(
                start,
                draw(st.integers(1, 12)),
                label=draw(st.integers(0, min(start, 4))),
                rank=draw(st.integers(0, 9)),
                confidence=draw(st.sampled_from([0.4, 0.9])),
            )
        )
    sinks, recent = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    budget = draw(st.integers(max(sinks + recent, 2), 40))
    numbers = st.lists(
        st.floats(-1, 1, allow_nan=False), min_size=len(positions), max_size=len(positions)
    )
    return (
        SpanSelection(sinks, recent),
        candidates(length, spans, utility=draw(numbers), positions=positions),
        budget,
    )


@given(scenes())
def test_a_value_is_refused_only_when_it_does_not_fit_beside_better_ones(scene):
    """The greedy rule, worked out on sets of positions instead of arrays."""
    selection, live_tokens, budget = scene
    present, length = set(live_tokens.positions.tolist()), live_tokens.length
    least = {0} if selection.sinks else set()
    newest = {length - 1} if selection.recent else set()
    ends = set(range(selection.sinks)) | set(range(length - selection.recent, length))
    taken, admitted = set(), []
    for item in sorted(live_tokens.spans, key=lambda s: s.rank, reverse=True):
        value = tokens(item.value)
        if not value <= present:
            continue
        sure = item.confidence >= EVEN
        beside = (least | newest if sure else ends) & present
        fits = len(taken | value | beside) <= budget
        if fits and len(taken | value | (least & present)) < budget:
            taken |= value
            admitted.append(item)
    assert list(selection.select(live_tokens, budget).admitted) == admitted


@given(scenes())
def test_mandatory_tokens_are_kept_unless_they_yield(scene):
    selection, live_tokens, budget = scene
    selected = selection.select(live_tokens, budget)
    kept = held(live_tokens, selected.keep)
    sinks = selection.sinks - (selected.yielded - (selection.recent - selected.recent))
    present = set(live_tokens.positions.tolist())
    assert set(range(sinks)) & present <= kept
    assert set(range(live_tokens.length - selected.recent, live_tokens.length)) & present <= kept


@given(scenes())
def test_recent_tokens_yield_before_sinks_and_one_of_each_stays(scene):
    selection, live_tokens, budget = scene
    selected = selection.select(live_tokens, budget)
    sinks = selection.sinks - (selected.yielded - (selection.recent - selected.recent))
    assert selected.recent >= min(selection.recent, 1)
    assert sinks >= min(selection.sinks, 1)
    if not selected.admitted and selection.mandatory < budget:
        assert selected.yielded == 0


@given(scenes())
def test_other_slots_go_to_the_largest_utilities(scene):
    selection, live_tokens, budget = scene
    selected = selection.select(live_tokens, budget)
    sinks = selection.sinks - (selected.yielded - (selection.recent - selected.recent))
    forced = selected.held | (live_tokens.positions < sinks)
    forced |= live_tokens.positions >= live_tokens.length - selected.recent
    free = np.flatnonzero(~forced)
    best = sorted(free, key=lambda slot: (-live_tokens.utility[slot], -slot))
    expected = best[: budget - int(forced.sum())]
    assert set(np.flatnonzero(selected.keep & ~forced)) == set(expected)


def test_the_newest_of_equal_tokens_is_kept():
    selected = SpanSelection(0, 0).select(candidates(9, utility=np.zeros(9)), 4)
    assert np.flatnonzero(selected.keep).tolist() == [5, 6, 7, 8]


def test_a_label_is_kept_while_there_is_room():
    live_tokens = candidates(40, [span(20, 6, label=3)])
    with_label = SpanSelection(1, 4).select(live_tokens, 16)
    assert {17, 18, 19} <= held(live_tokens, with_label.keep & with_label.held)
    without = SpanSelection(1, 4).select(live_tokens, 12)
    assert not {17, 18, 19} & held(live_tokens, without.held)


def test_what_is_below_every_detector_does_not_push_mandatory_tokens_out():
    unsure, sure = span(20, 9, confidence=0.4), span(20, 9, confidence=0.5)
    assert not SpanSelection(1, 4).select(candidates(40, [unsure]), 12).admitted
    assert SpanSelection(1, 4).select(candidates(40, [sure]), 12).admitted


def test_decoys_leave_one_whole_value():
    """Per-token vouchers would cut every one of three values at K = 16."""
    spans = [span(10, 7, rank=1), span(30, 7, rank=3), span(50, 7, rank=2)]
    live_tokens = candidates(80, spans)
    selected = SpanSelection(1, 4).select(live_tokens, 16)
    assert selected.admitted == (spans[1], spans[2])
    assert selected.refused == (spans[0],)


def test_what_is_hardly_a_value_leaves_half_to_the_newest_tokens_unless_a_question_rides_on_top():
    unlikely = [span(20 * i, 6, rank=5.0 - i, doubtful=UNLIKELY) for i in range(1, 9)]
    live_tokens = candidates(300, unlikely)
    assert SpanSelection(1, 2).select(live_tokens, 60).admitted == tuple(unlikely[:4])
    assert SpanSelection(1, 2, on_top=True).select(live_tokens, 60).admitted == tuple(unlikely)
    assert SpanSelection(1, 2).select(live_tokens, 20).admitted == tuple(
        unlikely[:2]
    )  # 16 tokens are free


@pytest.mark.parametrize("doubtful", [GUESS, UNLIKELY])
def test_a_doubtful_value_that_stands_alone_may_take_all_of_it(doubtful):
    first, second = (span(100 * i, 70, rank=5.0 - i, doubtful=doubtful) for i in (1, 2))
    certificate = certify(SpanSelection(1, 2), 300, [first, second], 80)[0]
    assert certificate.status == "guaranteed" and certificate.least < 80
    for spans in ([first], [first, second]):
        assert SpanSelection(1, 2).select(candidates(300, spans), 80).admitted == (first,)
    short = span(250, 6, rank=9.0)
    assert SpanSelection(1, 2).select(candidates(300, [short, first]), 80).admitted == (short,)


def test_doubtful_values_and_their_labels_leave_half_of_the_budget():
    doubtful = [span(20 * i, 6, label=6, rank=5.0 - i, doubtful=True) for i in range(1, 9)]
    sure = span(200, 6, label=6, rank=0.0)
    selected = SpanSelection(1, 2, doubtful=10).select(candidates(300, [*doubtful, sure]), 40)
    # three hold 18 of 20 tokens, a sure one goes on
    assert selected.admitted == (*doubtful[:3], sure)
    assert selected.refused == tuple(doubtful[3:])
    whole = tokens(sure.value) | tokens(sure.label)
    assert whole <= held(candidates(300), selected.keep)
    labels = set().union(*(tokens(item.label) for item in doubtful))
    assert not labels & held(candidates(300), selected.keep)
    assert selected.keep.sum() == 40


def kept_of(spans, budget, length=100, **choices):
    selection = SpanSelection(1, 4, choices=Choices(**choices))
    live_tokens = candidates(length, spans)
    selected = selection.select(live_tokens, budget)
    return held(live_tokens, selected.keep & selected.held), selected


def test_a_value_is_kept_with_the_token_that_closes_it():
    kept, _ = kept_of([span(40, 7, label=3)], 16)
    assert {*range(37, 48)} <= kept
    kept, _ = kept_of([span(40, 7)], 16, keep_closing_token=False)
    assert 47 not in kept
    kept, selected = kept_of([span(93, 7)], 16)
    assert {*range(93, 100)} <= kept and selected.admitted  # the text ends with it


def test_the_closing_token_comes_before_labels_and_recent_tokens_and_yields_to_the_value():
    value = span(40, 7, label=5)
    assert kept_of([value], 10)[0] == {0, *range(40, 48)}
    assert kept_of([value], 9)[0] == {0, *range(40, 47)}


def test_no_sure_value_goes_for_the_closing_token_of_another():
    first, second = span(20, 7, rank=2), span(40, 7, rank=1)
    kept, selected = kept_of([first, second], 17)
    assert selected.admitted == (first, second)
    assert kept == {0, *range(20, 28), *range(40, 47)}


def test_where_some_must_go_values_that_end_are_worth_more():
    """Of ten, at 44: six without closing tokens are worth 3, five with them 5."""
    spans = [span(10 * i, 7, rank=10 - i) for i in range(1, 10)]
    kept, selected = kept_of(spans, 44)
    assert selected.admitted == tuple(spans[:5])
    assert {s.value.end for s in spans[:5]} <= kept
    assert len(kept_of(spans, 44, keep_closing_token=False)[1].admitted) == 6


def test_doubtful_values_leave_the_labels_of_sure_ones_their_room():
    sure, doubtful = span(20, 7, label=6, rank=2), span(60, 7, rank=1, doubtful=True)
    kept, selected = kept_of([sure, doubtful], 20)
    assert selected.admitted == (sure,) and {*range(14, 28)} <= kept
    assert kept_of([sure, doubtful], 24)[1].admitted == (sure, doubtful)
    assert kept_of([sure, doubtful], 20, labels=False)[1].admitted == (sure, doubtful)


def test_words_before_a_value_stand_for_its_label_where_a_question_rides_on_top():
    live_tokens = candidates(100, [span(20, 7, rank=2), span(60, 7, rank=1, doubtful=True)])
    sure, doubtful = live_tokens.spans
    on_top = SpanSelection(1, 4, on_top=True).select(live_tokens, 20)
    assert on_top.admitted == (sure,) and {*range(13, 28)} <= held(live_tokens, on_top.held)
    assert SpanSelection(1, 4).select(live_tokens, 20).admitted == (sure, doubtful)


def test_of_the_words_before_a_value_the_nearest_are_held():
    live_tokens = candidates(100, [span(20, 7)])
    kept = held(live_tokens, SpanSelection(1, 4, on_top=True).select(live_tokens, 16).held)
    assert kept == {0, *range(17, 28)}
