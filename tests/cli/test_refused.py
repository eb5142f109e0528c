"""What `refused.toml` lists: one line, exit status 2, no value in it, nothing left behind."""

import json
import shlex
import tomllib
from pathlib import Path

import pytest

VALUE = "AB12CD34"
GOOD = {"id": "good", "context": f"The key is: {VALUE}\n", "answer": VALUE}
CASES = tomllib.loads(Path(__file__).with_name("refused.toml").read_text())["refused"]
RUNS = [(run, case) for case in CASES for run in case["run"]]


@pytest.mark.parametrize(("run", "case"), RUNS, ids=[run for run, _ in RUNS])
def test_one_line_names_what_is_wrong(ta, tmp_path, monkeypatch, run, case):
    monkeypatch.chdir(tmp_path)
    contents = {name: text.encode() for name, text in case.get("files", {}).items()}
    contents |= {name: bytes.fromhex(text) for name, text in case.get("hex", {}).items()}
    if "case" in case:
        contents["c.jsonl"] = json.dumps(GOOD | case["case"]).encode() + b"\n"
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    done = ta(*shlex.split(run), stdin=bytes.fromhex(case.get("stdin", "61")))
    assert done.status == 2
    (line,) = (line for line in done.err.splitlines() if line.strip())
    assert all(words in line for words in case["says"]), line
    assert VALUE not in line
    assert {path.name for path in tmp_path.iterdir()} == contents.keys()
