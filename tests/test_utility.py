"""Equations 1 and 3 against numbers worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from transactional_attention import Weights
from transactional_attention.methods.scorers import TokenView
from transactional_attention.methods.scorers.ta import FullTA, TAFast
from transactional_attention.selection.utility import frequency, recency, sponsored


def test_recency_is_the_original_position_over_the_tokens_seen():
    assert recency(np.array([0, 25, 99]), 100).tolist() == [0.0, 0.25, 0.99]


@pytest.mark.parametrize(
    ("ids", "counts", "expected"),
    [
        ([1, 2, 3, 0], [0, 4, 1, 8], [0.5, 0.125, 1.0, 0.0]),
        ([-1, 1], [0, 3], [0.0, 1.0]),  # outside the context
        ([3, -1], [], [0.0, 0.0]),
    ],
)
def test_frequency_is_relative_to_the_most_frequent_token(ids, counts, expected):
    assert frequency(np.array(ids), np.array(counts, np.int64)).tolist() == expected


def view(position, anchor, frequency, observed=None):
    values = (np.array([[value]]) for value in (position, 100, anchor, frequency, 0))
    return TokenView(*values, observed)


def test_equation_3_reads_no_attention():
    utility = sponsored(TAFast().score(view(50, False, 0.4)), np.array([[12.0]]))
    assert utility.item() == pytest.approx(0.25 - 0.04 + 12.0)


def test_every_weight_scales_its_own_term():
    weights = Weights(attention=2, recency=3, anchor=5, pension=7, frequency=11)
    one = torch.ones(1, 1, 1)
    measured = FullTA(weights).measure(SimpleNamespace(received=one, pension=one)).numpy()
    assert FullTA(weights).score(view(100, True, 1.0, measured)).item() == 2 + 3 + 5 + 7 - 11
