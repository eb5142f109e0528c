"""``ta needle``: all methods in one run, refused at once or measured case by case."""

from __future__ import annotations

import pytest

from transactional_attention.cli import needle as command
from transactional_attention.evaluation import sweep as sweep_module
from transactional_attention.methods import ALL_METHODS

SMALL = ("--context", 300, "--trials", 1, "--depths", "0.5", "--budgets", 24)


@pytest.fixture
def bare_model(monkeypatch, tmp_path):
    """The embedded model, in a folder of its own that lacks what is trained for methods."""
    load = command.load_model

    def elsewhere(*names):
        model, tokenizer = load(*names)
        model.name_or_path = model.config.name_or_path = str(tmp_path)
        model.get_decoder().embed_tokens.weight.data[0, 0] += 1.0  # shipped files are not of these
        return model, tokenizer

    monkeypatch.setattr(command, "load_model", elsewhere)


def test_every_missing_file_is_named_before_any_case(ta, bare_model, monkeypatch):
    monkeypatch.setattr(sweep_module, "needle_case", lambda *_, **__: pytest.fail("a case"))
    done = ta("needle", "--methods", "all", *SMALL)
    assert done.status == 2 and len(done.err.strip().splitlines()) == 1
    assert "trim-kv, ta+trim-kv: " in done.err and "`ta train gates " in done.err
    assert "ta-learned, ta-learnrank: " in done.err and "`ta train detector " in done.err


def test_all_may_stand_in_a_list():
    assert command._methods("all,ta+ta,random") == (*ALL_METHODS, "ta+ta")
    assert command._methods("full,ta") == ("full", "ta")
