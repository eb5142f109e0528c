"""Dormant literals: which turns need what an earlier one said, and what methods keep of it."""

import gzip
import json
from pathlib import Path

import pytest

from ta_lab.experiments import bfcl
from ta_lab.experiments.bfcl import (
    FILES,
    Dialogue,
    literals,
    moments,
    occurrences,
    read_dialogues,
    tool_texts,
)
from ta_lab.experiments.experiment import Context
from transactional_attention import InputError

DATA = Path(__file__).parents[3] / "shared" / "data" / "bfcl"
TURNS = [
    "Open 'notes_2024.txt' in the folder archive_west.",
    "How many lines does it have?",
    "Copy it next to summary.md, please.",
]
CALLS = [
    ["cat(file_name='notes_2024.txt')"],
    ["wc(mode='l')"],
    ["cp(source='notes_2024.txt', destination='archive_west')", "no python("],
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "answers").mkdir()
    (tmp_path / "func_doc").mkdir()
    for name in FILES:
        file = f"BFCL_v4_multi_turn_{name}.json"
        turns = [[{"role": "user", "content": text}] for text in TURNS]
        entry = {"id": f"{name}_0", "question": turns, "involved_classes": ["GorillaFileSystem"]}
        (tmp_path / file).write_text(json.dumps(entry) + "\n")
        answer = json.dumps({"id": f"{name}_0", "ground_truth": CALLS}).encode()
        (tmp_path / "answers" / f"{file}.gz").write_bytes(gzip.compress(answer))
    tool = {"name": "cat", "description": "Shows a file.", "parameters": {}, "response": {}}
    (tmp_path / "func_doc" / "gorilla_file_system.json").write_text(json.dumps(tool) + "\n")
    return tmp_path


def test_literals_of_calls():
    assert literals(["f(a='long_one', b=12345, c=['other'], d='tiny')", "f(", "g('long_one')"]) == [
        "long_one",
        "other",
    ]


def test_a_part_of_a_word_states_nothing():
    assert occurrences("report", "final_report report reports") == [(13, 19)]


def test_moments_are_turns_that_need_what_they_do_not_say():
    (moment,) = moments(Dialogue("x", TURNS, CALLS), "")
    case = moment.case
    assert case.question == f"User: {TURNS[2]}\n"
    stated = [[case.context[a:b] for a, b in places] for places in moment.statements]
    assert stated == [["notes_2024.txt"] * 2, ["archive_west"]]  # the first call says it again
    roles = [(s.source, case.context[s.start : s.end].split(":")[0]) for s in case.sources]
    assert roles == [("user", "User"), ("assistant", "Assistant")] * 2


def test_tools_stand_before_and_state_nothing(folder):
    tools = tool_texts(folder, ["GorillaFileSystem", "NoSuchClass"])
    assert json.loads(tools) == {"name": "cat", "description": "Shows a file.", "parameters": {}}
    (moment,) = moments(Dialogue("x", TURNS, CALLS), tools + " notes_2024.txt")
    begin = moment.case.context.index("User:")
    assert all(a >= begin for places in moment.statements for a, _ in places)
    assert moment.case.sources[0].source == "system"


def test_a_run_counts_what_is_kept(model, tokenizer, folder, monkeypatch):
    monkeypatch.setattr(bfcl, "BUDGETS", (40, 512))
    methods = ["oracle", "streaming-llm", "ta"]
    monkeypatch.setattr(bfcl, "attention_free", lambda: methods)
    record = bfcl.run(Context(lambda: (model, tokenizer), data=folder))
    assert len(record["rows"]) == len(FILES) * 2 * len(methods)
    for row in record["rows"]:
        assert row["literals"] == 2
        assert row["kept"]["512"] == 2 and row["far"]["512"] == 0
    alone = {r["method"]: r for r in record["rows"] if r["context"] == bfcl.ALONE}
    assert alone["streaming-llm"]["kept_far"]["40"] == 0 < alone["streaming-llm"]["far"]["40"]
    assert alone["oracle"]["kept"]["40"] == 2  # 26 characters, a token each
    assert all(total["entries"] == 1 and total["literals"] == 2 for total in record["totals"])
    shown = bfcl.tables(record)
    assert "| dialogue | all | oracle | 8 | 100 " in shown
    assert "notes_2024" not in json.dumps(record) + shown


def test_every_method_that_needs_no_attention_is_there():
    methods = bfcl.attention_free()
    assert {"ta", "ta-fast-regex", "ta-fast-semantic", "streaming-llm", "random"} <= set(methods)
    assert not {"tova", "h2o", "snapkv", "full", "ta-full", "keydiff"} & set(methods)


def test_missing_and_broken_files_are_named(folder):
    for data in (None, folder / "none"):
        with pytest.raises(InputError, match="--data"):
            read_dialogues(data, "base")
    file = folder / "BFCL_v4_multi_turn_base.json"
    file.write_text("{canary")
    with pytest.raises(InputError, match=r"base\.json cannot be read") as caught:
        read_dialogues(folder, "base")
    assert "canary" not in str(caught.value)
    file.unlink()
    with pytest.raises(InputError, match=r"lacks BFCL_v4_multi_turn_base\.json"):
        read_dialogues(folder, "base")


@pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared: the files of BFCL are not here")
def test_entries_of_the_real_files():
    entries = {}
    for name in FILES:
        moment_lists = [list(moments(dialogue, "")) for dialogue in read_dialogues(DATA, name)]
        entries[name] = sum(map(bool, moment_lists))
    assert entries == {"base": 55, "long_context": 55, "miss_func": 118, "miss_param": 99}
