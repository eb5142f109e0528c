"""``--pattern``: values of the caller's own shapes, and what is said when google-re2 is missing."""

import sys
from importlib.util import find_spec

import pytest

TEXT = "Words come first.\nOur mascot is heron-of-the-lake, as ever.\n"
needs_re2 = pytest.mark.skipif(find_spec("re2") is None, reason="needs google-re2: run .ci/extras")


@needs_re2
@pytest.mark.parametrize("command", ["plan", "inspect"])
def test_a_pattern_is_the_rule_that_is_shown_and_the_value_is_not(ta, prompt, command):
    done = ta(command, prompt, "--budget", 64, "--pattern", r"heron(?:-\w+)+")
    assert done.status == 0
    assert "pattern:1" in done.out
    assert "heron-of-the-lake" not in done.out


@needs_re2
def test_a_pattern_that_cannot_be_matched(ta, prompt):
    done = ta("plan", prompt, "--pattern", "fine", "--pattern", "(a)\\1")
    assert done.status == 2
    assert "pattern 2" in done.err


def test_without_google_re2_the_remedy_is_named(ta, prompt, monkeypatch):
    monkeypatch.setitem(sys.modules, "re2", None)
    done = ta("plan", prompt, "--pattern", "heron")
    assert done.status != 0
    assert "pip install '.[re2]'" in done.err
