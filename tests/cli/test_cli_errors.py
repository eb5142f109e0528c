"""Bad input, all of ``refused.toml``: one clear line, exit status 2, no value, nothing lost."""

import json
import shlex
import stat
import tomllib
from pathlib import Path

import pytest
from transformers import BertConfig, BertModel, LlamaConfig, LlamaForCausalLM
from transformers.utils import logging as transformers_logging

UNWRITABLE, CASES = tomllib.loads(Path(__file__).with_name("refused.toml").read_text()).values()
RUNS = [(run, case) for case in CASES for run in case["run"]]
VALUE = "AB12CD34"
GOOD = {"id": "good", "context": f"The key is: {VALUE}\n", "answer": VALUE}


def one_line(done) -> str:
    assert done.status == 2
    lines = [line for line in done.err.splitlines() if line.strip()]
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize(("run", "case"), RUNS, ids=[run for run, _ in RUNS])
def test_one_line_names_what_is_wrong(ta, tmp_path, monkeypatch, run, case):
    monkeypatch.chdir(tmp_path)
    contents = {name: text.encode() for name, text in case.get("files", {}).items()}
    contents |= {name: bytes.fromhex(text) for name, text in case.get("hex", {}).items()}
    if "case" in case:
        contents["c.jsonl"] = json.dumps(GOOD | case["case"]).encode() + b"\n"
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    line = one_line(ta(*shlex.split(run), stdin=bytes.fromhex(case.get("stdin", "61"))))
    assert all(words in line for words in case["says"]), line
    assert VALUE not in line
    assert {path.name for path in tmp_path.iterdir()} == contents.keys()


def ids(out) -> list[str]:
    """Of the cases whose results were written."""
    return [json.loads(line)["id"] for line in out.read_text().splitlines()]


def test_skip_bad_names_lines_and_runs_the_others(ta, tmp_path):
    path, out = tmp_path / "cases.jsonl", tmp_path / "r.jsonl"
    outside = {**GOOD, "id": "outside", "values": [{"start": 5, "end": 500}]}
    lines = [json.dumps(GOOD), "{broken", json.dumps(outside), json.dumps({**GOOD, "id": "last"})]
    path.write_text("\n".join(lines) + "\n")
    done = ta("eval", path, "--skip-bad", "--budget", 16, "--out", out)
    assert done.status == 0
    assert "line 2" in done.err
    assert "line 3" in done.err
    assert ids(out) == ["good", "last"]


@pytest.mark.parametrize(
    ("lacking", "remedies"),
    [
        ({"answer": ""}, ["'answer'", "--metric retention"]),
        ({"question": ""}, ["'question'", "--protocol visible", "--metric retention"]),
    ],
)
def test_a_case_that_cannot_be_asked_is_named(ta, tmp_path, lacking, remedies):
    path = tmp_path / "cases.jsonl"
    asked = {**GOOD, "question": "\n\nWhat is the key?"}
    path.write_text(json.dumps(asked) + "\n" + json.dumps({**asked, **lacking}) + "\n")
    line = one_line(ta("eval", path, "--metric", "answer"))
    assert "line 2" in line and all(words in line for words in remedies)
    assert ta("eval", path, "--budget", 16).status == 0


@pytest.fixture
def unservable(tmp_path):
    """A good case, one past the model's positions, one whose budget is too small, a good one."""
    asked = {**GOOD, "question": "\n\nWhat is the key?", "budget": 16}
    long = {**asked, "id": "long", "context": "The key is: AB12CD34\n" + "word. " * 9000}
    cases = [asked, long, {**asked, "id": "small", "budget": 2}, {**asked, "id": "last"}]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path


def test_a_case_that_cannot_be_served_ends_the_run_and_loses_nothing(ta, unservable, tmp_path):
    out = tmp_path / "r.jsonl"
    line = one_line(ta("eval", unservable, "--metric", "answer", "--out", out))
    assert "line 2" in line and "positions" in line and "ta generate" in line
    assert ids(out) == ["good"]
    out.chmod(0o644)  # results of another program, say
    line = one_line(ta("eval", unservable, "--budget", "case", "--out", out))
    assert "line 3" in line and "budget 2" in line
    assert ids(out) == ["good", "long"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_skip_bad_names_cases_that_cannot_be_served_and_runs_the_others(ta, unservable, tmp_path):
    out, record = tmp_path / "r.jsonl", tmp_path / "e.json"
    flags = ("--metric", "answer", "--budget", "case", "--skip-bad")
    done = ta("eval", unservable, *flags, "--out", out, "--json", record)
    assert done.status == 0
    assert "line 2" in done.err and "line 3" in done.err
    assert ids(out) == ["good", "last"]
    counted = json.loads(record.read_text())
    assert (counted["skipped"], counted["rows"][-1]["cases"]) == (2, 2)


def test_no_servable_case_is_no_success(ta, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(GOOD) + "\n")
    done = ta("eval", path, "--budget", 2, "--skip-bad")
    assert done.status == 2 and "no usable case" in done.err


@pytest.mark.parametrize("command", UNWRITABLE)
def test_a_file_that_cannot_be_written_is_named_before_the_work(ta, tmp_path, monkeypatch, command):
    """No model is read, and nothing is left behind."""
    for module in ("bench", "demo", "generate", "needle", "running", "train"):
        package = "transactional_attention" if module in ("demo", "generate") else "ta_lab"
        monkeypatch.setattr(f"{package}.cli.{module}.load_model", no_model)
    words = command.split() if command.endswith("--out") else [*command.split(), "--json"]
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "no" / "such.json", tmp_path / "folder"):
        if command == "reproduce needle" and path.is_dir():
            continue  # records go into it
        assert f"cannot write {path}: " in one_line(ta(*words, path))
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def no_model(*_):
    pytest.fail("a model is loaded before the output is tried")


def test_without_the_laboratory_its_commands_say_how_to_get_it(ta, monkeypatch):
    assert "needle" in ta("--help").out
    monkeypatch.setattr("transactional_attention.cli.brought", lambda kind: {})
    assert "needle" not in ta("--help").out
    for name in ("needle", "no-such-command"):
        message = one_line(ta(name))
        assert repr(name) in message and "pip install . ./lab" in message


def test_an_encoder_or_a_model_of_another_tokenizer_is_named(ta, tmp_path):
    transformers_logging.disable_progress_bar()
    tiny = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    for model, word in (
        (BertModel(BertConfig(**tiny, vocab_size=4096)), "encoder"),
        (LlamaForCausalLM(LlamaConfig(**tiny, vocab_size=60)), "vocabulary"),
    ):
        model.save_pretrained(tmp_path / word)
        flags = ("--model", tmp_path / word, "--tokenizer", "embedded")
        assert word in one_line(ta("generate", "-", *flags, stdin=b"a"))
