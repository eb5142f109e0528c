"""Arms are timed in one run beside their peer; the judgement compares ratios, never seconds."""

from __future__ import annotations

import pytest
import torch

from transactional_attention.benchmarks import decode, prefill
from transactional_attention.evaluation.reproduce import latency
from transactional_attention.evaluation.reproduce.experiment import Context


def test_every_part_is_timed_beside_its_peer_and_resumes(model, tokenizer, monkeypatch):
    monkeypatch.setattr(decode, "STEPS", 2)
    monkeypatch.setattr(latency, "STEPS", 2)
    monkeypatch.setattr(Context, "pick", lambda self, q, d, f: 300 if q == 512 else q)
    context = Context(lambda: (model, tokenizer), size="quick", trials=1)
    rows = latency.run(context)["rows"]
    assert [row["part"] for row in rows] == ["prefill", "answer", "decode", "detection"]
    for row in rows:
        peer, own, *_ = row["arms"]
        assert peer["ratio"] == 1 and own["name"] == "ta-fast-semantic"
        assert own["rounds"] == row["rounds"] == 1 and own["ratio"] > 0
    again = Context(lambda: pytest.fail("run again"), size="quick", trials=1, rows=rows)
    assert latency.run(again)["rows"] == rows
    shown = latency.render({"rows": rows, "provenance": {"arguments": {"size": "quick"}}})
    assert "### Prefill of the whole prompt" in shown and shown.endswith("a quick run.")


def test_the_peer_runs_without_our_hooks_and_ours_is_cut(model, tokenizer, monkeypatch):
    seen = []
    whole = prefill._fed

    def watched(model_, prompt, cache, steps):
        whole(model_, prompt, cache, steps)
        seen.append((type(cache).__name__, max(layer.keys.shape[-2] for layer in cache.layers)))

    monkeypatch.setattr(prefill, "_fed", watched)
    ids = torch.arange(3, 103).tolist()
    prefill.forwards(model, tokenizer, ids, ["streaming-llm"], 16, 1, steps=2)
    assert set(seen) == {("DynamicCache", 102), ("RetentionCache", 16)}


def arm(name, low, high):
    middle = (low + high) / 2
    return {"name": name, "median_ms": 1.0, "range_ms": [1.0, 1.0], "ratio": middle,
            "ratio_range": [low, high], "rounds": 3}  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "where"),
    [(1.0, 1.02, "within"), (0.9, 1.0, "below"), (1.1, 1.3, "above")],
)
def test_ratios_stand_beside_the_papers(low, high, where):
    row = {"part": "prefill", "tokens": 4096, "budget": 16, "rounds": 3, "threads": 1,
           "arms": [arm("plain cache", 1.0, 1.0), arm("ta-fast-regex", low, high)]}  # fmt: skip
    last = latency.render({"rows": [row]}).splitlines()[-1]
    assert f"prefill, ta-fast-regex: {100 * ((low + high) / 2 - 1):+.1f}%, {where}" in last
