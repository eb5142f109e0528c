"""Arms are timed in one run beside their peer; the judgement compares ratios, never seconds."""

import random

import pytest
import torch

from ta_lab.benchmarks import decode, prefill
from ta_lab.benchmarks.timing import median_interval
from ta_lab.experiments import latency
from ta_lab.experiments.experiment import Context


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


def arm(name, low, high, **others):
    middle = (low + high) / 2
    return {"name": name, "median_ms": 1.0, "range_ms": [1.0, 1.0], "ratio": middle,
            "ratio_range": [low, high], "rounds": 25, **others}  # fmt: skip


def judged(own):
    row = {"part": "prefill", "tokens": 4096, "budget": 16, "rounds": 25, "threads": 1,
           "arms": [arm("plain cache", 1.0, 1.0), own]}  # fmt: skip
    return latency.render({"rows": [row]}).splitlines()[-1]


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ([0.99, 1.006], "+2.0% [-1.0, +0.6] (95% interval of the median of 25 rounds), under 1%"),
        ([1.01, 1.03], "+2.0% [+1.0, +3.0] (95% interval of the median of 25 rounds), not under 1"),
        ([1.0, 1.03], "+2.0% [+0.0, +3.0] (95% interval of the median of 25 rounds), not shown to"),
    ],
)
def test_the_measured_interval_stands_beside_the_papers_bound(interval, said):
    last = judged(arm("ta-fast-regex", 0.9, 1.14, ratio_ci95=interval))
    assert f"prefill, ta-fast-regex: {said}" in last
    assert "the paper has less than 1% (0.361 s against 0.358 s, +0.84%)" in last


def test_the_interval_of_a_median_holds_it_in_95_percent_of_samples():
    assert median_interval([5, 1, 4, 2, 3]) is None
    assert median_interval(range(6)) == [0, 5]
    assert median_interval(range(1, 26)) == [8, 18]  # the 8th and the 18th of 25
    rng = random.Random(0)
    samples = [median_interval([rng.random() for _ in range(15)]) for _ in range(2000)]
    share = sum(low <= 0.5 <= high for low, high in samples) / len(samples)
    assert 0.95 <= share < 0.99
