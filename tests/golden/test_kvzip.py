"""KVzip beside its formula: eager attention over context and repetition, in plain loops."""

import math

import numpy as np
import pytest
import torch

from scenes import TEXTS, prefilled
from ta_lab.baselines import repetition
from ta_lab.baselines.kvzip import KVzip
from ta_lab.baselines.repetition import OVERLAP, SINKS
from ta_lab.baselines.threshold import Threshold
from teacher_forced import tiny_llama
from transactional_attention import Retention
from transactional_attention.engines.transformers.passes import run_pass
from transactional_attention.methods.registry import METHODS
from transactional_attention.selection.slot_table import SlotTable

SIZE, GROUP = 40, 2


def naive(model, ids, request, chunk):
    """S of a chunk's tokens [layer][kv head][token], one weight at a time."""
    fed = request + ids[max(chunk.start - OVERLAP, 0) : chunk.stop]
    with torch.no_grad():
        matrices = model(torch.tensor([ids + fed]), output_attentions=True).attentions
    fed_positions = range(len(ids), len(ids) + len(fed))
    compared = [*range(min(SINKS, chunk.start)), *chunk, *fed_positions]
    layers = []
    for matrix in matrices:
        heads = []
        for head in range(matrix.shape[1] // GROUP):
            best = dict.fromkeys(chunk, 0.0)
            for line in matrix[0, head * GROUP : (head + 1) * GROUP, len(ids) :].flatten(0, 1):
                total = sum(float(line[j]) for j in compared)
                best = {j: max(v, float(line[j]) / total) for j, v in best.items()}
            heads.append(list(best.values()))
        layers.append(heads)
    return layers


@pytest.mark.parametrize("text", TEXTS[:1])
def test_kvzip(tokenizer, monkeypatch, text):
    monkeypatch.setattr(repetition, "CHUNK", SIZE)
    model = tiny_llama(vocab_size=len(tokenizer), layers=2)
    source = prefilled(model, tokenizer, [text])
    before = [layer.keys.clone() for layer in source.managed]
    scoring = run_pass(KVzip(), source)
    eager = tiny_llama(vocab_size=len(tokenizer), layers=2, attn_implementation="eager")
    ids, fed = tokenizer(text)["input_ids"], 0
    for start in range(0, len(ids), SIZE):
        request = tokenizer(repetition.NEXT if start else repetition.FIRST)["input_ids"]
        chunk = range(start, min(start + SIZE, len(ids)))
        fed += len(request) + len(chunk) + (OVERLAP if start else 0)
        for scores, layer in zip(scoring.scores, naive(eager, ids, request, chunk), strict=True):
            for line, expected in zip(scores[0, :, start : chunk.stop], layer, strict=True):
                for value, wanted in zip(line.tolist(), expected, strict=True):
                    assert math.isclose(value, wanted, rel_tol=1e-3, abs_tol=1e-6)
    assert scoring.tokens == fed
    assert all(torch.equal(k, la.keys) for k, la in zip(before, source.managed, strict=True))


def test_the_threshold_is_one_over_all_layers_and_heads():
    generator, retention = np.random.default_rng(0), Retention(16, "kvzip")
    tables = [SlotTable.empty(16, rows=1, heads=2) for _ in range(3)]
    for table in tables:
        table.append(np.arange(50)[None], np.zeros((1, 50), np.int64))
    scores = [generator.random((2, 50)) ** (layer + 1) for layer in range(3)]
    allocation = METHODS["kvzip"].allocation(retention)
    assert isinstance(allocation, Threshold)
    budgets = allocation.together(tables, scores)
    inside = range(1, 46)  # not the first one and not the newest 4
    ranked = sorted((float(s[h, j]) for s in scores for h in (0, 1) for j in inside), reverse=True)
    least = ranked[3 * 2 * 11 - 1]
    for limits, line in zip(budgets, scores, strict=True):
        expected = [5 + sum(float(line[h, j]) >= least for j in inside) for h in (0, 1)]
        assert list(limits) == expected
    assert sum(map(sum, budgets)) == 3 * 2 * 16
