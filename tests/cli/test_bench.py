"""``ta bench``: what it records, what it refuses."""

import hashlib
import sys

import pytest
import torch

from ta_lab.benchmarks import decode
from ta_lab.benchmarks.benchmark import Outcome
from ta_lab.benchmarks.registry import BENCHMARKS
from ta_lab.cli import bench
from transactional_attention.models.embedded import folder


def test_a_record_says_what_was_run_and_a_page_can_show_it(recorded, monkeypatch):
    monkeypatch.setattr(decode, "STEPS", 2)
    sizes = ("--tokens", 200, "--budget", "16,32,200", "--rounds", 1, "--methods", "ta")
    done, record = recorded("bench", "decode", *sizes)
    assert "DynamicCache, 32 tokens" in done.out
    asked = record["provenance"]["arguments"]
    sizes = {"tokens": [200], "budgets": [16, 32, 200], "methods": ["ta"], "rounds": 1}
    assert asked["sizes"] == {"decode": sizes}
    weights = (folder() / "model.safetensors").read_bytes()
    assert record["weights_sha256"] == hashlib.sha256(weights).hexdigest()
    assert (asked["dtype"], asked["device"], asked["threads"]) == ("float32", "cpu", 1)
    assert {row["budget"] for row in record["rows"]} == {16, 32}
    assert record["notes"] and all(note in done.err for note in record["notes"])


def test_all_runs_every_benchmark_but_the_long_one(recorded, monkeypatch):
    made = lambda item, request: Outcome([{"name": "ta", "budget": 8}], [item.name])  # noqa: E731
    monkeypatch.setattr(bench, "_run", made)
    monkeypatch.setattr(bench, "_show", lambda record: None)
    random = ("--shape", "smollm-135m", "--dtype", "float32")  # such weights have no checksum
    _, record = recorded("bench", "all", *random)
    everything = [item.name for item in BENCHMARKS.values() if item.in_all]
    assert [row["benchmark"] for row in record["rows"]] == record["notes"] == everything
    assert record["weights_sha256"] is None and "stream" not in everything


def test_without_a_card_nothing_is_measured(ta, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    done = ta("bench", "prefill", "--device", "cuda")
    assert done.status == 2 and "no CUDA device on this machine" in done.err


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("serve", "uvicorn"),
        ("beginnings", "uvicorn"),
        ("structured", "ta_lab.benchmarks.structured"),
        ("grammar", "ta_lab.benchmarks.grammar"),
    ],
)
def test_without_an_extra_nothing_is_measured(ta, monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    done = ta("bench", name)
    assert done.status == 2 and f"ta bench {name} needs {package}: in a clone" in done.err
