"""The canary: the text of a value is in no output, log, record, repr or traceback."""

import json
import logging
import stat
import sys
import tomllib
import traceback
from pathlib import Path

import numpy as np
import pytest

import transactional_attention as ta_package
from ta_lab.cases.cases import Case, Value
from ta_lab.cases.runner import CaseRunner
from ta_lab.cli import reproduce
from ta_lab.experiments.plan import FULL, Arm, Block, task_cases
from ta_lab.experiments.running import case_experiment
from ta_lab.generators import needle
from transactional_attention.cli import demo_text

CANARY = "Zx81Qw77Lm"
TEXT = "Some words come first.\nThe access token is: " + CANARY + "\nAnd more words follow here.\n"


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


COMMANDS, SPEAKING = tomllib.loads(Path(__file__).with_name("canary.toml").read_text()).values()
ANSWERS = "answers.jsonl"


@pytest.fixture
def made(monkeypatch):
    """Commands that make values make this one, in short contexts."""
    monkeypatch.setattr(needle, "characters", lambda rng, length: CANARY)
    monkeypatch.setattr(demo_text, "drawn", lambda rng: CANARY)
    monkeypatch.setattr(demo_text, "CONTEXT", 300)
    known = reproduce.get_experiment

    def blocks(context):
        make = task_cases(context, "needle", tokens=200)
        return [Block("needle", make, 1, (FULL, Arm("ta", 24)))]

    def small(name):
        return case_experiment(name, known(name).place, known(name).summary, blocks)

    monkeypatch.setattr(reproduce, "get_experiment", small)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)  # figures have tests of their own


def written(folder):
    """The bytes of every file that a command wrote; of results all but the answers."""
    content = b""
    for path in folder.rglob("*"):
        if path.name == ANSWERS:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            results = [json.loads(line) for line in path.read_text().splitlines()]
            content += json.dumps([{**result, "answer": ""} for result in results]).encode()
        elif path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                content += "".join(f"{name} {file[name].tolist()}" for name in file.files).encode()
        elif path.is_file():
            content += path.read_bytes()
    return content


@pytest.mark.parametrize(
    "command", [*COMMANDS, *SPEAKING], ids=lambda text: text.split(" --json")[0]
)
def test_commands_keep_values_to_themselves(ta, made, command, prompt, cases, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    out = tmp_path / "out"
    out.mkdir()
    done = ta(*command.format(prompt=prompt, cases=cases, out=out).split())
    refused = "--budget 2 " in command
    assert done.status == (2 if refused else 0), done.err
    assert written(out) or refused
    assert CANARY not in done.err + caplog.text
    assert CANARY.encode() not in written(out)
    if command not in SPEAKING:
        assert CANARY not in done.out


@pytest.mark.parametrize("method", ["ta-fast-regex", "streaming-llm"])
def test_what_a_method_does_not_look_for_is_masked_too(ta, tmp_path, method):
    path = tmp_path / "prompt.txt"
    path.write_text("ドアの暗証番号は48213です。日本語です。\n")
    done = ta("inspect", path, "--method", method, "--budget", 64)
    assert "ドアの暗証番号は•••••です。日本語です。" in done.out.replace("\n", "")


@pytest.mark.parametrize("command", ["plan", "inspect"])
def test_values_are_shown_when_revealed_and_then_only_to_the_owner(ta, prompt, tmp_path, command):
    out = tmp_path / "out.json"
    for flags, mode in (((), 0o644), (("--reveal",), 0o600)):
        done = ta(command, prompt, "--budget", 64, "--json", out, *flags)
        assert done.status == 0 and (CANARY in done.out) == bool(flags)
        assert stat.S_IMODE(out.stat().st_mode) == mode
        assert (CANARY in out.read_text()) == bool(flags)


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
