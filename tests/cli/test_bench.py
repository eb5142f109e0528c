"""``ta bench``: what it records, what it refuses."""

from __future__ import annotations

import json

import torch

from transactional_attention.benchmarks import decode


def test_a_record_says_what_was_run_and_a_page_can_show_it(ta, tmp_path, monkeypatch):
    monkeypatch.setattr(decode, "STEPS", 2)
    path = tmp_path / "b.json"
    sizes = ("--tokens", 200, "--budget", "16,32", "--rounds", 1, "--methods", "ta")
    done = ta("bench", "decode", *sizes, "--json", path)
    record = json.loads(path.read_text())
    assert done.status == 0 and "DynamicCache, 32 tokens" in done.out
    asked = record["provenance"]["arguments"]
    assert asked["sizes"] == {"decode": {"tokens": [200], "budgets": [16, 32], "rounds": 1}}
    assert (asked["dtype"], asked["device"], asked["threads"]) == ("float32", "cpu", 1)
    assert {row["budget"] for row in record["rows"]} == {16, 32}
    assert record["notes"] and all(note in done.err for note in record["notes"])


def test_a_profile_says_what_dominates_and_gives_no_figures(ta, tmp_path):
    path = tmp_path / "profile.txt"
    sizes = ("--tokens", 200, "--methods", "ta", "--profile", path)
    done = ta("bench", "prefill", *sizes)
    assert done.status == 0 and "ms" not in done.out
    written = path.read_text()
    assert "aten::" in written and "bare forward" in written  # an arm is there by its name
    assert "function calls" in written and "tottime" in written


def test_a_profile_is_no_record(ta, tmp_path):
    done = ta("bench", "decode", "--profile", tmp_path / "p", "--json", tmp_path / "j")
    assert done.status == 2 and "another run" in done.err
    assert not list(tmp_path.iterdir())


def test_without_a_card_nothing_is_measured(ta, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    done = ta("bench", "prefill", "--device", "cuda")
    assert done.status == 2 and "no CUDA device on this machine" in done.err


def test_bad_names_and_sizes_are_one_clear_line(ta):
    for arguments, word in (
        (("nosuch",), "unknown benchmark 'nosuch'"),
        (("prefill", "--shape", "llama"), "llama-3.2-1b"),
        (("decode", "--tokens", "4k"), "--tokens"),
        (("stream", "--tokens", "0"), "at least 1"),
        (("prefill", "--methods", "nosuch", "--tokens", "200", "--rounds", "1"), "nosuch"),
    ):
        done = ta("bench", *arguments)
        assert done.status == 2 and word in done.err and len(done.err.strip().splitlines()) == 1


def test_kvpress_has_an_environment_of_its_own(ta, monkeypatch):
    monkeypatch.setattr("transactional_attention.benchmarks.peers.find_spec", lambda name: None)
    done = ta("bench", "peers")
    assert done.status == 2 and ".ci/parity" in done.err
