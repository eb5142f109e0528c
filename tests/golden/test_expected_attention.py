"""Expected Attention beside its formula in plain loops, rotation included, on a real layer."""

import math
from functools import cache

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from scenes import TEXTS, encode
from ta_lab.baselines.expected_attention import ExpectedAttention
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, UnsupportedError, prefill
from transactional_attention.engines.transformers.observe import QueryMoments

AHEAD, DROPPED = 512, 4


def rotated(x, position, theta):
    """RoPE of one vector at one position: pairs (i, i + d/2) turn by position / theta^(2i/d)."""
    half, out = len(x) // 2, list(map(float, x))
    for i in range(half):
        angle = position * theta ** (-2 * i / len(x))
        a, b = float(x[i]), float(x[i + half])
        out[i] = a * math.cos(angle) - b * math.sin(angle)
        out[i + half] = b * math.cos(angle) + a * math.sin(angle)
    return out


def mean_of(vectors):
    return [sum(column) / len(vectors) for column in zip(*vectors, strict=True)]


@cache
def mean_turn(length, dim, theta):
    """The mean rotation over the positions ahead of a text; a row vector times this."""
    unit = torch.eye(dim, dtype=torch.float64)
    turns = [mean_of([rotated(row, length + t, theta) for t in range(AHEAD)]) for row in unit]
    return torch.tensor(turns).double()


def naive(queries, keys, values, theta):
    """s [token] of one kv head; ``queries`` [head of the group, token, dim], keys are rotated."""
    dim, length = keys.shape[-1], len(keys)
    turn, total = mean_turn(length, dim, theta), [0.0] * length
    for head in queries.double():
        plain = torch.tensor([rotated(q, -t, theta) for t, q in enumerate(head)]).double()[DROPPED:]
        mean = plain.mean(0)
        covariance = sum(torch.outer(q - mean, q - mean) for q in plain) / len(plain)
        mean, covariance = mean @ turn, turn.T @ covariance @ turn
        weights = {}
        for j in range(DROPPED, length):
            k = keys[j].double()
            weights[j] = math.exp(float(k @ mean) / dim**0.5 + float(k @ covariance @ k) / dim / 2)
        for j, weight in weights.items():
            share = weight / sum(weights.values()) / len(queries)
            total[j] += share * float(values[j].double().norm())
    return total


def test_expected_attention(tokenizer, monkeypatch):
    model = tiny_llama(vocab_size=len(tokenizer), layers=2)
    retention, seen, asked = Retention(16, "expected-attention"), [], []
    reader = RetentionCache(model, tokenizer, retention)
    measure = ExpectedAttention.measure

    def note(self, layer):
        seen.append((layer, measure(self, layer)))
        return seen[-1][1]

    monkeypatch.setattr(ExpectedAttention, "measure", note)
    ids, mask = encode(tokenizer, *TEXTS[1:])
    add = QueryMoments.add
    monkeypatch.setattr(
        QueryMoments, "add", lambda self, q, *rest: asked.append(q) or add(self, q, *rest)
    )
    prefill(model, ids, reader, attention_mask=mask, keep_last=False)
    theta = 10_000.0
    for (layer, scores), query in zip(seen, asked, strict=True):
        heads = layer.keys.shape[1]
        for row in range(len(ids)):
            first = int((mask[row] == 0).sum())
            for head, group in enumerate(query[row].chunk(heads)):
                expected = naive(
                    group[:, first:],
                    layer.keys[row, head, first:],
                    layer.values[row, head, first:],
                    theta,
                )
                for j in range(DROPPED, len(expected)):
                    assert math.isclose(scores[row, head, first + j], expected[j], rel_tol=1e-3)


def test_a_rotation_that_cannot_be_undone_is_refused(tokenizer):
    config = GPT2Config(vocab_size=len(tokenizer), n_embd=16, n_layer=1, n_head=2)
    with pytest.raises(UnsupportedError, match="moments of queries"):
        RetentionCache(GPT2LMHeadModel(config), tokenizer, Retention(16, "expected-attention"))
