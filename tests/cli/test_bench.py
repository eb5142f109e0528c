"""``ta bench``: what it records, what it refuses."""

import hashlib
import json

import torch

from ta_lab.benchmarks import decode
from ta_lab.benchmarks.benchmark import Outcome
from ta_lab.benchmarks.registry import BENCHMARKS
from ta_lab.cli import bench
from transactional_attention.models.embedded import folder


def test_a_record_says_what_was_run_and_a_page_can_show_it(ta, tmp_path, monkeypatch):
    monkeypatch.setattr(decode, "STEPS", 2)
    path = tmp_path / "b.json"
    sizes = ("--tokens", 200, "--budget", "16,32", "--rounds", 1, "--methods", "ta")
    done = ta("bench", "decode", *sizes, "--json", path)
    record = json.loads(path.read_text())
    assert done.status == 0 and "DynamicCache, 32 tokens" in done.out
    asked = record["provenance"]["arguments"]
    sizes = {"tokens": [200], "budgets": [16, 32], "methods": ["ta"], "rounds": 1}
    assert asked["sizes"] == {"decode": sizes}
    weights = (folder() / "model.safetensors").read_bytes()
    assert record["weights_sha256"] == hashlib.sha256(weights).hexdigest()
    assert (asked["dtype"], asked["device"], asked["threads"]) == ("float32", "cpu", 1)
    assert {row["budget"] for row in record["rows"]} == {16, 32}
    assert record["notes"] and all(note in done.err for note in record["notes"])


def test_random_weights_have_no_checksum(ta, tmp_path, monkeypatch):
    pretend(monkeypatch)
    path = tmp_path / "b.json"
    assert ta("bench", "prefill", "--shape", "smollm-135m", "--dtype", "float32", "--json", path)
    assert json.loads(path.read_text())["weights_sha256"] is None


def test_all_goes_on_after_the_benchmark_that_was_interrupted(ta, tmp_path, monkeypatch):
    path, command = tmp_path / "b.json", ("bench", "all", "--rounds", 1, "--json")
    ran = pretend(monkeypatch, ends_at=3)
    assert ta(*command, path).status == 130
    first = json.loads(path.read_text())
    assert [row["benchmark"] for row in first["rows"]] == ran[:2] and first["unfinished"]
    for changed, word in ((("--seed", 1), "seed"), (("--budget", 8), "sizes")):
        refused = ta(*command, path, *changed)
        assert refused.status == 2 and f"with another {word}: go on" in refused.err
    ran = pretend(monkeypatch)
    assert ta(*command, path).status == 0
    record = json.loads(path.read_text())
    everything = [item.name for item in BENCHMARKS.values() if item.in_all]
    assert [row["benchmark"] for row in record["rows"]] == everything
    assert ran == everything[2:] and record["rows"][:2] == first["rows"]
    assert "unfinished" not in record and record["notes"] == everything
    assert ta(*command, path).status == 0 and len(ran) == len(everything) - 2 + len(everything)


def pretend(monkeypatch, ends_at=None):
    """Benchmarks that measure nothing; the names of those that ran. The ``ends_at``th stops."""
    ran = []

    def run(item, request, profile):
        ran.append(item.name)
        if len(ran) == ends_at:
            raise KeyboardInterrupt
        return Outcome([{"name": "ta", "budget": 8}], [item.name])

    monkeypatch.setattr(bench, "_run", run)
    monkeypatch.setattr(bench, "_show", lambda record, seconds: None)
    return ran


def test_a_profile_says_what_dominates_and_gives_no_figures(ta, tmp_path):
    path = tmp_path / "profile.txt"
    sizes = ("--tokens", 200, "--methods", "ta", "--profile", path)
    done = ta("bench", "prefill", *sizes)
    assert done.status == 0 and "ms" not in done.out
    written = path.read_text()
    assert "aten::" in written and "bare forward" in written  # an arm is there by its name
    assert "function calls" in written and "tottime" in written


def test_without_a_card_nothing_is_measured(ta, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    done = ta("bench", "prefill", "--device", "cuda")
    assert done.status == 2 and "no CUDA device on this machine" in done.err


def test_kvpress_has_an_environment_of_its_own(ta, monkeypatch):
    monkeypatch.setattr("ta_lab.benchmarks.peers.find_spec", lambda name: None)
    done = ta("bench", "peers")
    assert done.status == 2 and ".ci/parity" in done.err
