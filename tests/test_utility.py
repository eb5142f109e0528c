"""Equations 1 and 3 against numbers worked out by hand."""

import numpy as np
import pytest

from transactional_attention import Weights
from transactional_attention.selection.utility import frequency, recency, utility


def test_recency_is_the_original_position_over_the_tokens_seen():
    assert recency(np.array([0, 25, 99]), 100).tolist() == [0.0, 0.25, 0.99]


def test_frequency_is_relative_to_the_most_frequent_token():
    counts = np.array([0, 4, 1, 8])
    assert frequency(np.array([1, 2, 3, 0]), counts).tolist() == [0.5, 0.125, 1.0, 0.0]


def test_tokens_outside_the_context_have_no_frequency():
    assert frequency(np.array([-1, 1]), np.array([0, 3])).tolist() == [0.0, 1.0]
    assert frequency(np.array([3, -1]), np.zeros(0, np.int64)).tolist() == [0.0, 0.0]


def test_equation_1():
    found = utility(
        recency=np.array([0.5]),
        anchor=np.array([True]),
        frequency=np.array([0.4]),
        voucher=np.array([9.6]),
        weights=Weights(),
        attention=np.array([0.2]),
        pension=np.array([0.1]),
    )
    assert found == pytest.approx([0.2 + 0.25 + 0.3 + 0.02 - 0.04 + 9.6])


def test_equation_3_reads_no_attention():
    found = utility(np.array([0.5]), np.array([False]), np.array([0.4]), 12.0, Weights())
    assert found == pytest.approx([0.25 - 0.04 + 12.0])


def test_every_weight_scales_its_own_term():
    terms = dict(recency=np.array([1.0]), anchor=np.array([True]), frequency=np.array([1.0]))
    weights = Weights(attention=2, recency=3, anchor=5, pension=7, frequency=11)
    found = utility(**terms, voucher=0.0, weights=weights, attention=1.0, pension=1.0)
    assert found.tolist() == [2 + 3 + 5 + 7 - 11]
