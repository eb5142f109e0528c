"""StructKV beside its formulas: eager attention of a plain forward, in plain loops."""

import math
from itertools import pairwise

import pytest
import torch

from scenes import TEXTS, encode
from ta_lab.baselines.struct_kv import StructKV
from teacher_forced import tiny_llama
from transactional_attention import InputError, Retention, RetentionCache, prefill
from transactional_attention.engines.transformers.passes import run_pass
from transactional_attention.methods.observation import Observation

LAYERS, WINDOW, DECAY, WEIGHTS = 6, 8, 0.9, (0.2, 0.3, 0.5)


def naive_scores(matrices):
    """S [layer][token]: over the heads of all groups, the mean of the last 8 queries."""
    layers = []
    for matrix in matrices:
        rows = [matrix[0, head, -WINDOW:].tolist() for head in range(matrix.shape[1])]
        length = matrix.shape[-1]
        layers.append(
            [sum(sum(line[j] for line in head) / WINDOW for head in rows) for j in range(length)]
        )
    return layers


def naive_measures(line, k):
    """(minus the entropy, mass of the top k, variance) of one layer's S."""
    total, mean = sum(line), sum(line) / len(line)
    share = [value / total for value in line]
    order = sum(p * math.log(p) for p in share if p > 0)
    mass = sum(sorted(share, reverse=True)[:k])
    return order, mass, sum((value - mean) ** 2 for value in line) / len(line)


def naive_pivot(layers, k):
    """The upper end of the steepest step."""
    measures = [naive_measures(line, k) for line in layers]
    steps = [
        sum(w * (b - a) for w, a, b in zip(WEIGHTS, low, high, strict=True))
        for low, high in pairwise(measures)
    ]
    return steps.index(max(steps)) + 1


def naive_centrality(layers, pivot):
    """C [token]."""
    return [
        sum(DECAY ** (pivot - depth) * layers[depth][j] for depth in range(pivot + 1))
        for j in range(len(layers[0]))
    ]


def naive_structure(centrality, k):
    """The top k outside the window, and the window."""
    older = range(len(centrality) - WINDOW)
    best = sorted(older, key=lambda j: centrality[j], reverse=True)[:k]
    return sorted([*best, *range(len(older), len(centrality))])


@pytest.mark.parametrize("text", TEXTS[:2])
def test_scores_pivot_centrality_and_structure(tokenizer, text):
    model = tiny_llama(vocab_size=len(tokenizer), layers=LAYERS)
    observe = StructKV().observes
    source = RetentionCache(model, tokenizer, Retention(None, "full"), observe=observe)
    ids = encode(tokenizer, text)[0]
    prefill(model, ids, source, chunk=32, keep_last=False)
    eager = tiny_llama(vocab_size=len(tokenizer), layers=LAYERS, attn_implementation="eager")
    with torch.no_grad():
        layers = naive_scores(eager(ids, output_attentions=True).attentions)
    k = round(0.2 * ids.shape[1])
    pivot = naive_pivot(layers, k)
    assert pivot < LAYERS - 1, "nothing would be pruned: choose other texts"
    structure = naive_structure(naive_centrality(layers, pivot), k)

    scorer, scores = StructKV(), torch.tensor(layers)
    assert scorer.pivot_of(scores) == pivot
    wanted = torch.tensor(naive_centrality(layers, pivot))
    torch.testing.assert_close(scorer.centrality(scores, pivot), wanted)
    own_pass = run_pass(scorer, source)
    held = [layer.table.positions[0].tolist() for layer in own_pass.cache.managed]
    whole = list(range(ids.shape[1]))
    assert held == [whole] * (pivot + 1) + [structure] * (LAYERS - pivot - 1)
    for layer in range(pivot + 1):
        expected = torch.tensor(layers[layer])[None, None]
        torch.testing.assert_close(own_pass.scores[layer], expected, atol=1e-5, rtol=1e-3)
    assert own_pass.tokens == ids.shape[1]


def test_a_step_of_each_measure_alone_moves_the_pivot():
    flat = torch.full((5, 40), 0.1)
    assert StructKV().pivot_of(flat) == 1
    for weights in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        steep = flat.clone()
        steep[3:, 7] += 1.0
        assert StructKV(weights=weights).pivot_of(steep) == 3
    assert StructKV(pivot=2).pivot_of(flat) == 2
    assert StructKV().pivot_of(flat[:1]) == 0


def test_what_is_needed_is_added_to_the_structure():
    centrality = torch.arange(50.0).flip(0)
    structure = StructKV(window=4).structure(centrality, {20, 21, 49})
    assert structure.tolist() == [*range(10), 20, 21, *range(46, 50)]


def test_options_outside_their_range_are_refused():
    for share in (0.0, 1.5):
        with pytest.raises(InputError, match="structural"):
            StructKV(structural=share)
    with pytest.raises(InputError, match="pivot"):
        StructKV(pivot=-1)
    with pytest.raises(InputError, match="pivot 5"):
        StructKV(pivot=5).pivot_of(torch.ones(3, 10))


def test_a_prefill_that_did_not_collect_the_queries_is_refused(model, tokenizer):
    for observe in (Observation(), Observation(queries=4)):
        source = RetentionCache(model, tokenizer, Retention(None, "full"), observe=observe)
        prefill(model, encode(tokenizer, TEXTS[0])[0], source, keep_last=False)
        with pytest.raises(InputError, match="last 8 queries"):
            run_pass(StructKV(), source)
