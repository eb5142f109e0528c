"""Pinned ranges, whole pieces and a window without gaps share K."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.selection.admission import LiveTokens
from transactional_attention.selection.segments import SegmentSelection
from transactional_attention.types import ASKED, CALLER, QUESTION, Rank, Span, SponsoredSpan


def span(start, end, rule="found", rank=0.0, doubtful=0):
    none = Span(start, start)
    about = (start, 1.0, 1.0, rule, "user", Rank(rank), doubtful)
    return SponsoredSpan(none, Span(start, end), *about)


def select(positions, length, spans, budget, share=0.25, pieces=None, sinks=1, recent=4):
    positions = np.array(positions)
    flat = np.zeros(len(positions))
    pieces = [[s.value] for s in spans] if pieces is None else pieces
    offered = LiveTokens(positions, length, flat, flat, spans, pieces)
    return SegmentSelection(sinks, recent, share).select(offered, budget)


def kept(positions, selected):
    return set(np.array(positions)[selected.keep].tolist())


def ranges(most, size):
    start = st.integers(0, most - 1)
    return st.lists(st.tuples(start, st.integers(1, size)), max_size=8)


@st.composite
def rows(draw):
    """Live positions with holes, pieces, values in them, and what the caller names."""
    length = draw(st.integers(1, 160))
    gone = draw(st.sets(st.integers(0, length - 1), max_size=40))
    positions = [p for p in range(length) if p not in gone] or [length - 1]
    rules, doubts = st.sampled_from(["found", ASKED, QUESTION]), st.sampled_from([0, 0, 0, 1])
    spans = [
        span(a, a + n, rule=draw(rules), rank=1.0, doubtful=draw(doubts))
        for a, n in draw(ranges(length, 24))
    ]
    around = [[Span(max(0, s.value.start - 8), s.value.end + 8), s.value] for s in spans]
    named = [span(a, a + n, CALLER) for a, n in draw(ranges(length, 8))]
    budget = draw(st.integers(8, 96))
    return positions, length, [*named, *spans], [[s.value] for s in named] + around, budget


@given(rows(), st.sampled_from([0.125, 0.25, 0.5]))
def test_a_window_without_gaps_whole_pieces_and_never_more_than_k(row, share):
    positions, length, spans, pieces, budget = row
    selected = select(positions, length, spans, budget, share, pieces)
    have, live = kept(positions, selected), set(positions)
    assert len(have) == min(budget, len(positions))
    named = {p for s in spans if s.rule == CALLER and s in selected.admitted for p in s.value}
    assert named <= have and 0 not in live - have
    # the newest tokens, all that there are of them beside what is named
    room = budget - len(named | ({0} & live))
    asked = any(s.rule == QUESTION for s in selected.admitted)
    least = room - (room // 2 if asked else int(room * share))
    free = [p for p in positions if p not in named and p != 0]
    assert set(free[-least:]) <= have
    # what no question asks for has its share beside the window, less what a question took
    held = set(np.array(positions)[selected.held].tolist())
    window = next((i for i, p in enumerate(reversed(free)) if p not in have), len(free))
    beside = len(have) - len(named | ({0} & live)) - window
    assert 0 <= beside <= (room // 2 if asked else int(room * share))
    # a value is there with its piece, or both are no better off than any token
    span_ids = {id(s) for s in (*selected.admitted, *selected.refused)}
    for s, (whole, *_) in zip(spans, pieces):
        if s in selected.admitted:
            assert set(s.value) <= have and not s.doubtful
            assert not live.issuperset(whole) or have.issuperset(whole)
        elif live.issuperset(s.value):
            assert id(s) in span_ids
    assert held <= have and (len(held) < budget or not held)


BESIDE = {  # values, the share, which are admitted, and where the window begins
    "in the order that is given while they fit": (
        [span(0, 16), span(16, 32), span(32, 48), span(48, 52)], 0.375, (0, 3), 156,
    ),
    "none is doubtful": ([span(0, 16, doubtful=1), span(16, 32)], 0.25, (1,), 152),
    "beside what is asked for in the window": (
        [span(170, 200, QUESTION), span(0, 16)], 0.25, (0, 1), 152,
    ),
    "after what is named": ([span(30, 60, CALLER), span(0, 16)], 0.5, (0, 1), 182),
}  # fmt: skip


@pytest.mark.parametrize(("spans", "share", "admitted", "window"), BESIDE.values(), ids=BESIDE)
def test_what_has_the_share_beside_the_window(spans, share, admitted, window):
    selected = select(range(200), 200, spans, 64, share, sinks=0)
    held = [s for i, s in enumerate(spans) if i in admitted]
    assert selected.admitted == tuple(held)
    assert selected.refused == tuple(s for s in spans if s not in held)
    values = {p for s in held for p in s.value}
    assert kept(range(200), selected) == {*values, *range(window, 200)}


def test_what_a_question_asks_for_takes_half_and_all_others_their_share():
    for rule, count in ((QUESTION, 4), (ASKED, 2), ("found", 2)):
        spans = [span(a, a + 8, rule) for a in range(0, 80, 8)]
        selected = select(range(200), 200, spans, 64, 0.25, sinks=0)
        assert selected.admitted == tuple(spans[:count])
        assert kept(range(200), selected) == {*range(8 * count), *range(136 + 8 * count, 200)}


@pytest.mark.parametrize(("size", "others"), [(4, 1), (8, 1), (9, 0), (16, 0), (32, 0)])
def test_others_have_what_a_question_leaves_of_their_share(size, others):
    asks, value = span(40, 40 + size, QUESTION), span(0, 8)
    selected = select(range(200), 200, [value, asks], 64, 0.25, sinks=0)
    assert selected.admitted == (asks, value)[: 1 + others]  # the question's stands before
    beside = size + 8 * others
    assert len(kept(range(200), selected)) == 64
    assert kept(range(200), selected).issuperset(range(200 - 64 + beside, 200))


def test_a_value_of_which_a_token_is_gone_is_refused():
    value = span(10, 14)
    selected = select([*range(12), *range(13, 100)], 100, [value], 64)
    assert selected.refused == (value,) and not selected.admitted


def test_a_value_whose_piece_does_not_fit_is_refused_as_a_whole():
    value, pieces = span(40, 44), [[Span(20, 60), Span(40, 44)]]
    selected = select(range(200), 200, [value], 64, 0.25, pieces)
    assert selected.refused == (value,)
    assert kept(range(200), selected) == {0, *range(137, 200)}


def test_a_piece_of_which_a_part_is_gone_leaves_its_value():
    value, pieces = span(40, 44), [[Span(20, 60), Span(40, 44)]]
    positions = [p for p in range(200) if p != 25]
    selected = select(positions, 200, [value], 64, 0.25, pieces)
    assert selected.admitted == (value,) and set(range(40, 44)) <= kept(positions, selected)


def test_in_the_window_a_piece_takes_no_room_and_is_not_held():
    new, old = span(180, 196), span(20, 36)
    selected = select(range(200), 200, [new, old], 64, sinks=0)
    assert selected.admitted == (new, old)
    assert np.flatnonzero(selected.held).tolist() == list(range(20, 36))


def test_a_range_that_is_named_and_leaves_no_room_is_refused():
    whole = span(0, 64, CALLER)
    assert select(range(200), 200, [whole], 64).refused == (whole,)


def test_the_oldest_token_that_is_not_held_gives_way():
    selection = SegmentSelection(1, 4, 0.25)
    positions = np.array([[7.0, 3.0, 9.0, 5.0]])
    hold, recent = np.array([[0, 1, 0, 0]], bool), positions >= 9
    assert selection.victim(positions, positions * 0, hold, recent).tolist() == [3]
