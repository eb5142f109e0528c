"""Golden vectors: each scorer beside its published formula in plain loops, on random tensors."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ta_lab.baselines.h2o import H2O
from ta_lab.baselines.keys import KeyDiff, KeyNorm
from ta_lab.baselines.snap_kv import SnapKV
from ta_lab.baselines.tova import TOVA
from transactional_attention import Weights
from transactional_attention.engines.transformers.observe import column_sums
from transactional_attention.methods.observation import AttentionRule, attend
from transactional_attention.methods.scorers import TokenView
from transactional_attention.methods.scorers.ta import FullTA
from window_states import (
    DIM,
    GROUP,
    KV_HEADS,
    PADDING,
    QUERY_HEADS,
    ROWS,
    places,
    random_states,
    window_seen,
)

LENGTH = 301
RULES = {
    "plain": AttentionRule(DIM**-0.5),
    "softcap": AttentionRule(0.7, softcap=3.0),
    "sinks": AttentionRule(0.5, sinks=torch.tensor([0.3, -1.0, 2.0, 0.0])),
}


@pytest.fixture(scope="module")
def states():
    return *random_states(3, LENGTH), places(LENGTH)


def eager(states, rule, row):
    """The attention matrix [query_head, query, key] of one row, by loops over heads; no padding."""
    query, key, _ = states
    first = PADDING[row]
    weights = torch.zeros(QUERY_HEADS, LENGTH, LENGTH)
    for head in range(QUERY_HEADS):
        scores = query[row, head] @ key[row, head // GROUP].T * rule.scale
        if rule.softcap is not None:
            scores = rule.softcap * (scores / rule.softcap).tanh()
        for i in range(first, LENGTH):
            line = scores[i, first : i + 1].exp()
            total = line.sum() + (0 if rule.sinks is None else rule.sinks[head].exp())
            weights[head, i, first : i + 1] = line / total
    return weights


def seen_of(states, rule, window=1):
    query, key, positions = states
    seen = window_seen(query, key, window)
    sums = column_sums(query, key, positions[:, None], positions, rule)
    saw = (seen.length[:, None] - positions).clamp(min=1)[:, None]
    received = sums / (GROUP * saw)
    return replace(seen, rule=rule, sums=sums, received=received, pension=0.5 * received)


@pytest.mark.parametrize("name", RULES)
def test_attention_equals_loops(states, name):
    query, key, positions = states
    weights = attend(query, key, positions[:, None], positions, RULES[name])
    for row in range(ROWS):
        torch.testing.assert_close(weights[row], eager(states, RULES[name], row))


@pytest.mark.parametrize("name", RULES)
def test_h2o(states, name):
    scores = H2O().measure(seen_of(states, RULES[name]))
    for row in range(ROWS):
        weights = eager(states, RULES[name], row)
        for head in range(KV_HEADS):
            expected = sum(weights[h].sum(0) for h in range(head * GROUP, (head + 1) * GROUP))
            torch.testing.assert_close(scores[row, head], expected)


def test_column_sums_are_added_up_over_forwards(states):
    query, key, positions = states
    rule, at = RULES["plain"], 200
    whole = column_sums(query, key, positions[:, None], positions, rule)
    first = column_sums(
        query[:, :, :at], key[:, :, :at], positions[:, None, :at], positions[:, :at], rule
    )
    second = column_sums(query[:, :, at:], key, positions[:, None], positions[:, at:], rule)
    second[..., :at] += first
    torch.testing.assert_close(second, whole)


@pytest.mark.parametrize("name", RULES)
def test_tova(states, name):
    scores = TOVA().measure(seen_of(states, RULES[name]))
    for row in range(ROWS):
        last = eager(states, RULES[name], row)[:, -1]
        torch.testing.assert_close(scores[row, 0], sum(last) / QUERY_HEADS)


@pytest.mark.parametrize("window", [1, 8, 32])
@pytest.mark.parametrize(("kernel", "maximum"), [(5, False), (7, True)])
def test_snapkv(states, window, kernel, maximum):
    rule = RULES["plain"]
    scores = SnapKV(window, kernel, maximum).measure(seen_of(states, rule, window=40))
    for row in range(ROWS):
        votes = eager(states, rule, row)[:, -window:].sum(1)
        for head in range(KV_HEADS):
            line = votes[head * GROUP : (head + 1) * GROUP].mean(0)
            for j in range(PADDING[row], LENGTH - window):
                near = [
                    float(line[i])
                    for i in range(j - kernel // 2, j + kernel // 2 + 1)
                    if 0 <= i < LENGTH - window
                ]
                expected = max(near) if maximum else sum(near) / kernel
                assert math.isclose(scores[row, head, j], expected, rel_tol=1e-4, abs_tol=1e-6)


def test_keydiff(states):
    _, key, _ = states
    scores = KeyDiff().measure(seen_of(states, RULES["plain"]))
    for row in range(ROWS):
        for head in range(KV_HEADS):
            keys = key[row, head, PADDING[row] :]
            mean = sum(k / k.norm() for k in keys) / len(keys)
            for j, k in enumerate(keys, start=PADDING[row]):
                expected = -float(k @ mean / (k.norm() * mean.norm()))
                assert math.isclose(scores[row, head, j], expected, abs_tol=1e-5)


def test_knorm(states):
    scores = KeyNorm().measure(seen_of(states, RULES["plain"]))
    torch.testing.assert_close(scores, -(states[1] ** 2).sum(-1).sqrt())


def test_full_ta(states):
    """Equation 1 with A divided by heads x queries that saw the token; P is half of A here."""
    scorer, weights = FullTA(), Weights()
    observed = scorer.measure(seen_of(states, RULES["plain"]))[:, 0].numpy()
    anchor = np.arange(LENGTH) % 7 == 0
    frequency = np.linspace(0, 1, LENGTH)
    for row in range(ROWS):
        n = LENGTH - PADDING[row]
        matrix = eager(states, RULES["plain"], row)
        places = states[2][row].numpy()
        view = TokenView(places, np.array(n), anchor, frequency, np.array(row), observed[row])
        scores = scorer.score(view)
        for j in range(PADDING[row], LENGTH):
            i = int(places[j])
            received = float(matrix[:, :, j].sum()) / (QUERY_HEADS * (n - i))
            expected = weights.attention * received + weights.pension * received / 2
            expected += weights.recency * i / n + weights.anchor * anchor[j]
            expected -= weights.frequency * frequency[j]
            assert math.isclose(scores[j], expected, abs_tol=1e-5)
