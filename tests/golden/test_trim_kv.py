"""TRIM-KV beside its formulas in plain loops: scores, gated attention, losses."""

import math

import pytest
import torch
from transformers import AttentionInterface

from gate_files import random_gates, write_gates
from scenes import TEXTS, encode, kept_positions
from ta_lab.baselines.gates import use_gates
from ta_lab.baselines.trim_kv import TrimKV
from ta_lab.training import gates as gating
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill

HEADS, GROUP = 2, 2


def log_beta_of(gate, x):
    """log sigmoid(down silu(up x + b) + c) of one hidden state, one number a kv head."""
    inner = [float(row @ x + b) for row, b in zip(gate.up, gate.up_bias, strict=True)]
    inner = [v / (1 + math.exp(-v)) for v in inner]
    outer = [
        sum(float(w) * v for w, v in zip(row, inner, strict=True)) + float(c)
        for row, c in zip(gate.down, gate.down_bias, strict=True)
    ]
    return [-math.log1p(math.exp(-z)) for z in outer]


def inputs_of(model, ids):
    """What the attention of every layer reads, [layer][token], from the model's own norms."""
    inputs = []
    handles = [
        layer.input_layernorm.register_forward_hook(lambda _, __, out: inputs.append(out[0]))
        for layer in model.model.layers
    ]
    with torch.no_grad():
        model(ids, use_cache=False)
    for handle in handles:
        handle.remove()
    return inputs


@pytest.fixture
def scene(tokenizer, tmp_path):
    model = tiny_llama(vocab_size=len(tokenizer), layers=2)
    gates = random_gates(model)
    use_gates(model, write_gates(model, tmp_path / "gates.safetensors", gates))
    ids, _ = encode(tokenizer, TEXTS[1])
    return model, gates, ids


def betas(model, gates, ids):
    """Log beta [layer][token][kv head] in plain loops."""
    lines = inputs_of(model, ids)
    return [[log_beta_of(gates[i], x) for x in line] for i, line in enumerate(lines)]


def test_what_the_scores_are_and_what_is_kept(scene, tokenizer):
    model, gates, ids = scene
    expected, budget, last = betas(model, gates, ids), 12, ids.shape[1] - 1
    full = RetentionCache(model, tokenizer, Retention(None, "full"), observe=TrimKV().observes)
    cut = RetentionCache(model, tokenizer, Retention(budget, "trim-kv"))
    for cache in (full, cut):
        prefill(model, ids, cache, keep_last=False)
    for layer, line in enumerate(expected):
        log_betas = full.managed[layer].observer.gates[0]
        for head in range(HEADS):
            for token, wanted in enumerate(line):
                assert math.isclose(
                    log_betas[head, token], wanted[head], rel_tol=1e-3, abs_tol=1e-6
                )
            left = {i: (last - i) * line[i][head] for i in range(last + 1)}
            best = sorted(sorted(left, key=left.__getitem__)[-budget:])
            assert kept_positions(cut, 0, layer, head) == best


def test_a_token_that_arrives_takes_the_place_of_the_least_importance_at_its_own_time(
    scene, tokenizer
):
    model, _, ids = scene
    cache = RetentionCache(model, tokenizer, Retention(12, "trim-kv"))
    prefill(model, ids, cache, keep_last=False)
    for step in range(8):
        now = ids.shape[1] + step
        held = [[kept_positions(cache, 0, i, h) for h in range(HEADS)] for i in range(2)]
        beta = [dict(_by_position(cache, i, h)) for i in range(2) for h in range(HEADS)]
        with torch.no_grad():
            model(torch.tensor([[40 + step]]), past_key_values=cache)
        for i in range(2):
            for h in range(HEADS):
                left = {j: (now - j) * beta[i * HEADS + h][j] for j in held[i][h]}
                victim = min(left, key=left.__getitem__)
                assert kept_positions(cache, 0, i, h) == sorted({*held[i][h], now} - {victim})


def _by_position(cache, layer, head):
    table = cache.flow.table_of(layer)
    values = cache.managed[layer].observer.gates[0, head].tolist()
    return zip(table.positions[head].tolist(), values, strict=True)


def test_a_prompt_in_chunks_is_cut_as_it_streams_in(scene, tokenizer):
    """Chunks of one token are the paper's algorithm; each evicts at its own time."""
    model, _, ids = scene
    cache = RetentionCache(model, tokenizer, Retention(12, "trim-kv"))
    prefill(model, ids[:, :20], cache, chunk=20, keep_last=False)
    beta = dict(_by_position(cache, 0, 1))
    prefill(model, ids[:, :30], cache, chunk=10, keep_last=False)
    held = kept_positions(cache, 0, 0, 1)
    new = dict(_by_position(cache, 0, 1))
    assert len(held) == 12
    lost = set(beta) - set(held)
    worst = min((29 - i) * new[i] for i in held)
    assert lost and all((29 - i) * beta[i] <= worst for i in lost)


def test_attention_with_the_decay_inside(scene):
    model, gates, ids = scene
    expected = betas(model, gates, ids)
    calls = []
    attend = gating.gated_attention

    def watch(module, query, key, value, *args, **kwargs):
        out = attend(module, query, key, value, *args, **kwargs)
        calls.append((query, key, value, out[0]))
        return out

    AttentionInterface.register("watched", watch)
    model.set_attn_implementation("watched")
    with torch.no_grad(), gating.gated(model.model, gates) as log_betas:
        model(ids, use_cache=False)
    query, key, value, output = calls[0]
    for head in range(HEADS * GROUP):
        kv = head // GROUP
        for t in range(0, ids.shape[1], 7):
            weights = {}
            for i in range(t + 1):
                product = float(query[0, head, t] @ key[0, kv, i]) / query.shape[-1] ** 0.5
                beta = math.exp(expected[0][i][kv])
                weights[i] = beta ** (t - i) * math.exp(product)
            total = sum(weights.values())
            mixed = sum(w / total * value[0, kv, i] for i, w in weights.items())
            torch.testing.assert_close(output[0, t, head], mixed, atol=1e-4, rtol=1e-3)
    assert set(log_betas) == set(gates)


def test_open_gates_are_plain_attention(scene):
    model, _, ids = scene
    with torch.no_grad():
        plain = model(ids, use_cache=False).logits
        model.set_attn_implementation(gating.NAME)
        never = {i: lambda x: torch.zeros(1, HEADS, x.shape[1]) for i in range(2)}
        with gating.gated(model.model, never):
            gated_logits = model(ids, use_cache=False).logits
        again = model(ids, use_cache=False).logits
    torch.testing.assert_close(gated_logits, plain, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(again, plain, atol=1e-4, rtol=1e-4)


def test_the_capacity_loss():
    generator, memory = torch.Generator().manual_seed(3), 4
    log_beta = -torch.rand(1, HEADS, 20, generator=generator) / 4
    total = 0.0
    for head in range(HEADS):
        for t in range(20):
            held = sum(math.exp(float(log_beta[0, head, i])) ** (t - i) for i in range(t + 1))
            total += max(0.0, held - memory) / (t + 1) / 20 / HEADS
    assert math.isclose(gating.capacity_loss(log_beta, memory), total, rel_tol=1e-5)
    assert gating.capacity_loss(log_beta, 20) == 0


def test_the_quality_loss():
    generator = torch.Generator().manual_seed(4)
    student, teacher = torch.randn(2, 3, 5, generator=generator)
    targets = torch.tensor([4, 0, 2])
    divergence = entropy = 0.0
    for line, wanted, target in zip(student.tolist(), teacher.tolist(), targets, strict=True):
        q = [math.exp(v) / sum(map(math.exp, line)) for v in line]
        p = [math.exp(v) / sum(map(math.exp, wanted)) for v in wanted]
        divergence += sum(a * math.log(a / b) for a, b in zip(p, q, strict=True)) / 3
        entropy -= math.log(q[target]) / 3
    losses = gating.quality_loss(student, teacher, targets)
    assert math.isclose(losses[0], divergence, rel_tol=1e-5)
    assert math.isclose(losses[1], entropy, rel_tol=1e-5)
