"""``ta bench peers`` beside the real kvpress: its rows, and that KVzip's marks stay its own."""

import pytest

kvpress = pytest.importorskip("kvpress", reason="needs kvpress: run .ci/parity")

from bench_requests import names, request
from ta_lab.benchmarks import decode, peers
from ta_lab.experiments.footprint import shape_of_model


def test_every_press_has_a_prefill_and_a_step(llama, tokenizer, monkeypatch):
    monkeypatch.setattr(peers, "STEPS", 2)
    rows = peers.run(request(llama, tokenizer, tokens=(160,), budgets=(70,))).rows
    arms = [peers.BARE, *(f"kvpress {name}" for name in peers.PRESSES), "ours: streaming-llm"]
    assert names(row for row in rows if row["what"] == peers.PREFILL) == [*arms, "ours: ta"]
    steps = names(row for row in rows if row["what"] == peers.DECODE)
    assert steps == ["DynamicCache, 70 tokens", *arms, "ours: ta"]
    held = {row["name"]: row["kv_bytes"] for row in rows if "kv_bytes" in row}
    cached = shape_of_model(llama).cached
    assert held.pop("kvpress KVzipPress") >= cached(160)  # every token stays in the cache
    assert held.pop(peers.BARE) == cached(160)
    assert held == dict.fromkeys(held, cached(70)) and len(held) == len(arms) - 1


def test_what_kvzip_hides_is_hidden_in_its_own_steps_only(llama, tokenizer):
    subject = request(llama, tokenizer).subject()
    ids = list(range(3, 163))
    hidden = peers._pressed(subject, ids, 70, "KVzipPress")
    plain = peers._plain(subject, ids)
    assert any(marks is not None for marks in hidden.hidden)
    assert all(marks is None for marks in plain.hidden)
    peers._step(subject, hidden, 160)
    peers._step(subject, plain, 160)
    assert all(m.masked_key_indices is None for m in peers._attentions(subject))
    assert decode.STEPS == peers.STEPS
