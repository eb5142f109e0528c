"""ARKV's formulas beside a transcription in plain loops: scores, OQ, and the shares that follow."""

import math

import numpy as np
import pytest
import torch

from scenes import TEXTS, encode
from ta_lab.baselines.arkv import ARKV, GAMMA, OQ, TEMPERATURES
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.methods.observation import Seen
from window_states import (
    GROUP,
    KV_HEADS,
    PADDING,
    QUERY_HEADS,
    ROWS,
    attention,
    random_states,
    window_seen,
)

LENGTH, W = 40, 6
PAST = LENGTH - W


@pytest.fixture(scope="module")
def states():
    return random_states(3, LENGTH)


def seen_of(query, key, order=slice(None)):
    return window_seen(query, key, W, order)


def test_scores(states):
    """Mean + gamma x unbiased variance, an average of 5 neighbours of the past, group mean."""
    scores = ARKV(W).measure(seen_of(*states))
    assert scores.shape == (ROWS, KV_HEADS, LENGTH)
    for row in range(ROWS):
        lines = []
        for head in range(QUERY_HEADS):
            columns = list(zip(*attention(*states, row, head, W), strict=True))
            mean = [sum(column) / W for column in columns]
            variance = [
                sum((a - m) ** 2 for a in column) / (W - 1)
                for column, m in zip(columns, mean, strict=True)
            ]
            line = [m + GAMMA * v for m, v in zip(mean, variance, strict=True)]
            past = [0.0, 0.0, *line[PADDING[row] : PAST], 0.0, 0.0]
            lines.append([sum(past[j : j + 5]) / 5 for j in range(len(past) - 4)])
        for head in range(KV_HEADS):
            group = lines[head * GROUP : (head + 1) * GROUP]
            expected = [sum(pair) / GROUP for pair in zip(*group, strict=True)]
            torch.testing.assert_close(
                scores[row, head, PADDING[row] : PAST], torch.tensor(expected), rtol=1e-4, atol=1e-6
            )


def test_oq(states):
    """Entropy^(1/t1) variance^(1/t2) kurtosis^(1/t3), sums over heads and older tokens."""
    weights = OQ("int8", W).weigh(seen_of(*states))
    for row in range(ROWS):
        entropy = variance = kurtosis = 0.0
        for head in range(QUERY_HEADS):
            window = attention(*states, row, head, W)
            for j in range(PADDING[row], PAST):
                column = [line[j] for line in window]
                entropy -= sum(a * math.log(a + 1e-10) for a in column)
                mean = sum(column) / W
                second = sum((a - mean) ** 2 for a in column)
                fourth = sum((a - mean) ** 4 for a in column)
                variance += second / (W - 1)
                kurtosis += (fourth / W) / max(second / W, 1e-8) ** 2
        parts = zip((entropy, variance, kurtosis), TEMPERATURES, strict=True)
        expected = math.prod(value ** (1 / t) for value, t in parts)
        assert math.isclose(weights[row], expected, rel_tol=1e-4)
    order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(5))
    torch.testing.assert_close(OQ("int8", W).weigh(seen_of(*states, order)), weights)


@pytest.mark.parametrize(
    ("twice", "expected"),
    [(False, [[64, 36], [8, 64], [36, 22]]), (True, [[56, 28], [8, 56], [28, 14]])],
)
def test_shares(twice, expected):
    """K = 64, w = 8: 8 + ratio x 56, ratio = OQ / largest OQ; the authors subtract 8 once more."""
    weights = np.array([[4.0, 1.0], [0.0, 2.0], [2.0, 0.5]])
    shares = OQ("int8", 8, twice).shares(np.array([64, 64, 64]), weights)
    assert shares.tolist() == expected


def test_a_prompt_that_gives_no_oq_lowers_nothing():
    assert OQ("int8", 4).shares(np.array([16, 16]), np.zeros((2, 1))).tolist() == [[16], [16]]


def test_one_query_has_no_variance(states):
    query, key = states
    seen = seen_of(query, key)
    alone = Seen(**{**vars(seen), "queries": query[:, :, -1:], "asking": seen.asking[:, -1:]})
    weights = alone.over_groups(alone.window(1)[:, :, 0])
    torch.testing.assert_close(ARKV(1).measure(alone), alone.pool_older(weights, 1, ARKV(1).pool))
    assert torch.isfinite(OQ("int8", 1).weigh(alone)).all()


@pytest.mark.parametrize("name", ["arkv", "arkv-authors"])
def test_the_worst_of_the_kept_are_low(model, tokenizer, name):
    """Of the kept tokens older than the window, those of lowest score; as many as OQ says."""
    retention = Retention(32, name)
    cache = RetentionCache(model, tokenizer, retention)
    prefill(model, encode(tokenizer, TEXTS[0])[0], cache, keep_last=False)
    shares = []
    for layer in cache.managed:
        table = layer.table
        for lane in range(2):
            older = table.positions[lane] < len(TEXTS[0]) - 8
            low, scores = table.quantised[lane], table.observed[lane]
            assert not low[~older].any()
            kept_full = scores[older & ~low]
            assert not low.any() or not len(kept_full) or scores[low].max() <= kept_full.min()
        assert len(set((~table.quantised).sum(1))) == 1
        shares.append(int((~table.quantised[0]).sum()))
    assert max(shares) == (32 if name == "arkv" else 24)
    assert min(shares) < max(shares)
