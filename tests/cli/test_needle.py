"""``ta needle``: all methods in one run, refused at once or measured case by case."""

import json

import pytest

from ta_lab.cases import sweep as sweep_module
from ta_lab.cases.sweep import on_transformers, refusals
from ta_lab.cli import needle as command
from transactional_attention import Retention, load_embedded
from transactional_attention.methods.registry import all_methods

SMALL = ("--context", 300, "--trials", 1, "--depths", "0.5", "--budgets", 24)


@pytest.fixture
def bare_model(monkeypatch, tmp_path):
    """The embedded model, in a folder of its own that lacks what is trained for methods."""
    load = command.load_model

    def elsewhere(*names, **options):
        model, tokenizer = load(*names, **options)
        model.name_or_path = model.config.name_or_path = str(tmp_path)
        decoder = model.get_decoder()  # shipped files are not of these weights
        decoder.embed_tokens.weight.data[0, 0] += 1.0
        decoder.norm.weight.data[0] += 1.0
        return model, tokenizer

    monkeypatch.setattr(command, "load_model", elsewhere)


def test_every_missing_file_is_named_before_any_case(ta, bare_model, monkeypatch):
    monkeypatch.setattr(sweep_module, "needle_case", lambda *_, **__: pytest.fail("a case"))
    done = ta("needle", "--methods", "all", *SMALL)
    assert done.status == 2 and len(done.err.strip().splitlines()) == 1
    assert "trim-kv, ta+trim-kv: " in done.err and "`ta train gates " in done.err
    assert "ta-learned, ta-learnrank: " in done.err and "`ta train detector " in done.err


def test_all_may_stand_in_a_list():
    assert command._methods("all,ta+ta,random") == (*all_methods(), "ta+ta")
    assert command._methods("full,ta") == ("full", "ta")


CASES = ("needle", "--methods", "random,arkv,ada-kv", *SMALL[:4], "--depths", "0.2,0.8", *SMALL[6:])


def test_an_interrupted_run_goes_on_with_the_same_settings_alone(ta, tmp_path, monkeypatch):
    whole, path = tmp_path / "whole.json", tmp_path / "n.json"
    shown = ta(*CASES, "--json", whole)
    assert "ada-kv (masked)" in shown.out and "masked: kv heads" in shown.out
    assert "bytes, % of pairs" in shown.out and "≤ K" in shown.out
    made, make = [], sweep_module.needle_case

    def interrupted(*given, **settings):
        made.append(settings["depth"])
        if len(made) == 2:
            raise KeyboardInterrupt
        return make(*given, **settings)

    monkeypatch.setattr(sweep_module, "needle_case", interrupted)
    assert ta(*CASES, "--json", path).status == 130
    partial = tmp_path / "n.json.partial"
    assert not path.exists() and len(json.loads(partial.read_text())["rows"]) == 3
    for changed, apart in (
        (("--seed", 1), "seed (0 there, 1 here)"),
        (("--methods", "random,arkv,tova"), "methods (ada-kv there, tova here)"),
        (("--ledger", "on-top"), "ledger (strict there, on-top here)"),
    ):
        refused = ta(*CASES, *changed, "--json", path)
        assert (
            refused.status == 2 and f"n.json.partial was made with another {apart}" in refused.err
        )
    gone_on = ta(*CASES, "--json", path)
    assert gone_on.status == 0 and "1 cases are in" in gone_on.err and made == [0.2, 0.8, 0.8]
    assert json.loads(path.read_text())["rows"] == json.loads(whole.read_text())["rows"]
    assert not partial.exists()


def test_compact_positions_are_measured_and_told(ta, tmp_path):
    sizes = ("--context", 400, "--trials", 1, "--depths", "0.5", "--budgets", 32)
    rows = {}
    for positions in ("original", "compact"):
        path = tmp_path / f"{positions}.json"
        given = ("--methods", "full,ta,snapkv", "--filler", "anchor-free", "--threads", 1)
        done = ta("needle", *sizes, *given, "--positions", positions, "--json", path)
        assert done.status == 0, done.err
        assert ("compact positions" in " ".join(done.out.split())) == (positions == "compact")
        record = json.loads(path.read_text())
        assert record["provenance"]["arguments"].get("positions", "original") == positions
        rows[positions] = {row["method"]: row for row in record["rows"]}
        assert rows[positions]["ta"]["retained"] == rows[positions]["full"]["retained"] == 1
    assert rows["original"]["full"]["correct"] == rows["compact"]["full"]["correct"]
    refused = ta("needle", *sizes, "--methods", "kvzip", "--positions", "compact")
    assert refused.status == 2 and "kvzip" in refused.err


def test_all_methods_run_that_the_model_has_files_for(ta, tmp_path):
    refused = refusals(
        on_transformers(*load_embedded()), [Retention(16, name) for name in all_methods()]
    )
    assert all("train them with `ta train " in reason for reason in refused)
    stopped = {name for names in refused.values() for name in names}
    names = [name for name in all_methods() if name not in stopped]
    path = tmp_path / "all.json"
    given = ("--methods", ",".join(names) if stopped else "all", "--json", path)
    done = ta("needle", *given, *SMALL[:6], "--budgets", 16)
    assert done.status == 0
    rows = json.loads(path.read_text())["rows"]
    assert [row["method"] for row in rows] == names
    for row in rows:
        method = all_methods()[row["method"]]
        assert row["saving"] == method.saving
        if method.exact and not method.unlimited:
            assert row["mean_live_tokens"] <= 16
        if method.saving == "physical" and method.precision is None:
            assert row["stored_bytes"] == row["pair_bytes"]
        assert (row.get("pass_tokens", 0) > 0) >= ("passes" in method.observes)
