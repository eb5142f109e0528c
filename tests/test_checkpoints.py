"""States to go back to, spread over a history."""

import itertools
import math

from hypothesis import given
from hypothesis import strategies as st

from transactional_attention.retention.checkpoints import spread

TURNS = st.lists(st.integers(1, 5000), min_size=1, max_size=60)


def history(turns, begin, most):
    """After every turn: the ends of all turns so far, and of those that are kept."""
    kept = []
    for end in itertools.accumulate(turns, initial=begin):
        if end > begin:
            kept = spread([*kept, end], int, begin, most)
            yield end, kept


def factor(a, b, end):
    """The reading after ``a`` over the least distance of a change before ``b``."""
    return (end - a) / (end - b)


@given(TURNS, st.integers(0, 9000), st.integers(0, 12))
def test_the_last_two_stay_and_nothing_goes_without_need(turns, begin, most):
    ends = []
    for end, kept in history(turns, begin, most):
        ends.append(end)
        assert len(kept) == min(most, len(ends)) and set(kept) <= set(ends)
        assert kept == sorted(kept)
        latest = min(2, most)
        assert kept[len(kept) - latest :] == ends[len(ends) - latest :] or len(ends) < 2


@given(TURNS, st.integers(0, 9000), st.integers(3, 12))
def test_no_reading_is_much_longer_than_its_change_is_far(turns, begin, most):
    """But for a turn that is long itself, after which there never was a state."""
    ends, bound = [], 1.0
    for end, kept in history(turns, begin, most):
        ends.append(end)
        if len(ends) > most:
            spans = (end - begin) / (end - ends[-2])
            bound = max(bound, spans ** (2 / (most - 1)))
        for a, b in itertools.pairwise([begin, *kept]):
            if any(a < other < b for other in ends):
                assert factor(a, b, end) <= bound * (1 + 1e-9)


@given(st.integers(1, 200), st.integers(0, 9000), st.integers(1, 200))
def test_twice_as_far_at_most_with_as_many_as_the_logarithm(turns, begin, size):
    most = 1 + math.ceil(2 * math.log2(turns)) if turns > 1 else 3
    for end, kept in history([size] * turns, begin, max(most, 3)):
        for change in range(begin, end, max(1, size // 3)):
            state = max([begin, *(known for known in kept if known <= change)])
            assert end - state <= 2 * (end - change) + size


def test_four_states_of_sixteen_turns():
    *_, (_, kept) = history([1] * 16, 0, 4)
    assert kept == [10, 14, 15, 16]


def test_states_that_a_file_has_in_any_order_are_counted_alone():
    assert len(spread([5, 5, 3], int, 9, 2)) == 2
