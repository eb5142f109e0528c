"""Methods that read a model: from the command line they need one."""

from __future__ import annotations

import pytest

METHODS = ["ta-fast-embedding", "ta-learned", "ta-learnrank"]
CASE = (
    '{"id": "a", "family": "f", "context": "The door code is 7301-QX.\\n", "question": "Code?", '
    '"answer": "7301-QX", "values": [{"start": 17, "end": 24, "label": "door code", '
    '"critical": true}]}\n'
)


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(CASE)
    return path


@pytest.mark.parametrize("method", METHODS)
def test_a_tokenizer_without_its_model_is_refused(ta, cases, method):
    done = ta("eval", cases, "--method", method, "--tokenizer", "somewhere")
    assert done.status == 2
    assert "--model" in done.err


@pytest.mark.parametrize("method", METHODS)
def test_a_plan_runs_no_model(ta, tmp_path, method):
    path = tmp_path / "text.txt"
    path.write_text("The door code is 7301-QX.\n")
    done = ta("plan", path, "--method", method)
    assert done.status == 2
    assert "--model" in done.err


def test_embedding_reads_the_embedded_model(ta, cases):
    done = ta("eval", cases, "--method", "ta-fast-embedding", "--budget", "values+5")
    assert done.status == 0
    assert "retention" in done.out
