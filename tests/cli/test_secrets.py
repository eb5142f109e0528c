"""The canary: the text of a value is in no output, log, record, repr or traceback."""

from __future__ import annotations

import json
import logging
import traceback

import numpy as np
import pytest

import transactional_attention as ta_package
from transactional_attention.evaluation.cases import Case, Value
from transactional_attention.evaluation.runner import CaseRunner

CANARY = "Zx81Qw77Lm"
TEXT = "Some words come first.\nThe access token is: " + CANARY + "\nAnd more words follow here.\n"


@pytest.fixture
def prompt(tmp_path):
    path = tmp_path / "prompt.txt"
    path.write_text(TEXT)
    return path


@pytest.fixture
def cases(tmp_path):
    start = TEXT.index(CANARY)
    case = {
        "id": "canary",
        "context": TEXT,
        "question": "\n\nWhat is the access token?",
        "answer": CANARY,
        "values": [{"start": start, "end": start + len(CANARY), "label": "access token"}],
    }
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case) + "\n")
    return path


def records(folder, *allowed):
    read = [p for p in folder.glob("*") if p.is_file() and p.name not in allowed]
    texts = [path.read_text() for path in read if path.suffix != ".npz"]
    for path in (p for p in read if p.suffix == ".npz"):
        with np.load(path, allow_pickle=False) as file:
            texts += [f"{name} {file[name].tolist()}" for name in file.files]
    return "".join(texts)


def test_commands_keep_values_to_themselves(ta, prompt, cases, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    runs = [
        ta("inspect", prompt, "--budget", 32, "--json", tmp_path / "i.json"),
        ta("inspect", prompt, "--budget", 16, "--preset", "paper", "--json", tmp_path / "p.json"),
        ta("eval", cases, "--budget", 24, "--json", tmp_path / "e.json"),
        ta("eval", cases, "--budget", 24, "--trace", tmp_path / "t.npz"),
        ta("eval", cases, "--budget", 24, "--metric", "answer", "--json", tmp_path / "a.json"),
    ]
    spoken = ta("generate", prompt, "--budget", 24, "--report", "--json", tmp_path / "g.json")
    assert all(run.status == 0 for run in [*runs, spoken])
    assert CANARY not in "".join(run.out + run.err for run in runs)
    assert CANARY not in spoken.err
    assert CANARY not in caplog.text
    assert CANARY not in records(tmp_path, prompt.name, cases.name)


def test_reveal_is_an_explicit_request(ta, prompt):
    assert CANARY in ta("inspect", prompt, "--budget", 32, "--reveal").out


def test_broken_cases_are_not_quoted(ta, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "x", "context": "the key is: ' + CANARY + "\n")
    done = ta("eval", path)
    assert done.status == 2
    assert CANARY not in done.out + done.err


def test_reprs_and_reports_hold_no_value():
    model, tokenizer = ta_package.load_embedded()
    cache = ta_package.RetentionCache(model, tokenizer, ta_package.Retention(budget=24))
    inputs = tokenizer(TEXT, return_tensors="pt")
    model.generate(**inputs, past_key_values=cache, max_new_tokens=4, do_sample=False)
    sequence = cache.flow.sequences[0]
    shown = [
        repr(cache), repr(cache.flow), repr(sequence), repr(sequence.text),
        repr(sequence.registry), repr(sequence.registry.spans), str(cache.report()),
        json.dumps(cache.report().to_dict()),
    ]  # fmt: skip
    assert sequence.registry.spans
    assert CANARY not in "".join(shown)
    assert CANARY in str(cache.report(reveal=True))


def test_a_traceback_holds_no_value(monkeypatch):
    model, tokenizer = ta_package.load_embedded()
    start = TEXT.index(CANARY)
    case = Case("c", TEXT, "\n\nWhat?", CANARY, (Value(start, start + len(CANARY)),))
    runner = CaseRunner(model, tokenizer, case, "hidden")

    def fail(*args, **kwargs):
        raise RuntimeError("the device is gone")

    monkeypatch.setattr(model.lm_head, "forward", fail)
    try:
        runner.run(ta_package.Retention(budget=24))
    except RuntimeError:
        assert CANARY not in traceback.format_exc()
    else:
        raise AssertionError("the forward should have failed")
