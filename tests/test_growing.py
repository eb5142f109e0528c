"""The check of linear time refuses what is quadratic."""

import re

import pytest

from growing import assert_linear


def test_a_pattern_that_starts_anew_everywhere_is_refused():
    with pytest.raises(AssertionError):
        assert_linear(re.compile("a+b").search, "a", 1_000, rounds=3)


def test_work_that_is_remembered_is_refused():
    seen = {}

    def read(text):
        if text not in seen:
            seen[text] = sum(sum(range(end)) for end in range(len(text)))

    with pytest.raises(AssertionError):
        assert_linear(read, "a", 400, rounds=3)


def test_a_pattern_that_moves_on_is_not():
    assert_linear(re.compile("a++b").findall, "ab", 50_000)
