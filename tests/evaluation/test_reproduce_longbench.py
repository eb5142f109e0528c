"""LongBench: its format, its metric, and a run over a small file of that format."""

import json
import zipfile

import pytest

from ta_lab.experiments import longbench
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.longbench import (
    archive,
    available,
    halves,
    prompt_of,
    read_questions,
    token_f1,
)
from transactional_attention import InputError, Retention

ENTRY = {
    "input": "Who kept the log?",
    "context": "It rained all week. The log was kept by Ada Lovell. " * 4,
    "answers": ["Ada Lovell", "Ada"],
    "length": 40,
    "dataset": "qasper",
    "language": "en",
    "all_classes": None,
    "_id": "0",
}


@pytest.fixture
def folder(tmp_path):
    lines = [ENTRY, {**ENTRY, "input": "What was the weather?", "answers": ["rain"]}]
    (tmp_path / "qasper.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


@pytest.mark.parametrize(
    ("answer", "truth", "expected"),
    [
        ("The Ada Lovell!", "ada lovell", 1.0),
        ("Ada", "Ada Lovell", 2 / 3),
        ("a b b", "b b c", 0.8),  # the article goes: 2 common, precision 1, recall 2/3
        ("nobody", "Ada", 0.0),
        ("the", "a", 0.0),
    ],
)
def test_f1_by_hand(answer, truth, expected):
    assert token_f1(answer, truth) == pytest.approx(expected)


def test_folders_and_archives_are_read_alike(folder, tmp_path):
    packed = tmp_path / "data.zip"
    with zipfile.ZipFile(packed, "w") as opened:
        opened.write(folder / "qasper.jsonl", "data/qasper.jsonl")
    for source in (folder, packed):
        assert available(archive(source)) == ["qasper"]
        first, second = read_questions(source, "qasper")
        assert first.answers == ("Ada Lovell", "Ada") and second.question == "What was the weather?"


def test_prompts_come_from_the_file_beside(folder):
    assert prompt_of(folder, "qasper").startswith("{context}")
    prompts = folder / "dataset2prompt.json"
    prompts.write_text(json.dumps({"qasper": "Read: {context} Then: {input}"}))
    assert prompt_of(folder, "qasper") == "Read: {context} Then: {input}"
    prompts.write_text(json.dumps({"qasper": "{input} about {context}"}))
    with pytest.raises(InputError, match="after"):
        prompt_of(folder, "qasper")


def test_faults_name_the_file_and_the_line_and_quote_nothing(tmp_path):
    with pytest.raises(InputError, match="--data"):
        archive(None)
    with pytest.raises(InputError, match="no such file"):
        archive(tmp_path / "none")
    with pytest.raises(InputError, match="holds no file of LongBench"):
        available(tmp_path)
    (tmp_path / "qasper.jsonl").write_text(json.dumps(ENTRY) + '\n{"context": "canary"}\n')
    with pytest.raises(InputError, match="line 2: lacks input, answers") as caught:
        read_questions(tmp_path, "qasper")
    assert "canary" not in str(caught.value)
    (tmp_path / "x.zip").write_text("no archive")
    with pytest.raises(InputError, match="neither a folder nor an archive"):
        available(tmp_path / "x.zip")


def test_a_long_document_loses_its_middle():
    assert halves(range(10), 5) == [0, 1, 7, 8, 9]
    assert halves(range(4), 5) == [0, 1, 2, 3]


def test_a_run_over_a_small_file(model, tokenizer, folder, monkeypatch):
    monkeypatch.setitem(longbench.TASKS, "qasper", 4)
    monkeypatch.setattr(longbench, "BUDGET", 32)
    monkeypatch.setattr(longbench, "METHODS", (("ta", "default"), ("tova", "default")))
    saved = []
    context = Context(lambda: (model, tokenizer), size="quick", data=folder, save=saved.append)
    record = longbench.run(context)
    (row,) = record["rows"]
    assert row["task"] == "qasper" and row["questions"] == 2 and len(saved) == 1
    assert list(row["f1"]) == ["full", "ta", "tova"]
    assert all(
        len(scores) == 2 and all(0 <= s <= 1 for s in scores) for scores in row["f1"].values()
    )
    shown = longbench.tables(record)
    assert "| tova | – |" in shown
    assert "Lovell" not in json.dumps(record) + shown


def test_answers_are_scored(model, tokenizer, folder, monkeypatch):
    """A model that says the answer gets it right: the text that is decoded is what is scored."""
    (question, _) = read_questions(folder, "qasper")
    monkeypatch.setattr(longbench, "retentions", lambda seed: [("full", Retention(None, "full"))])
    spoken = tokenizer("Ada Lovell.", add_special_tokens=False)["input_ids"]
    monkeypatch.setattr(longbench, "greedy", lambda *args: (spoken, True))
    scores, size = longbench.ask(model, tokenizer, question, "{context} {input}", 8, 0)
    assert scores == {"full": 1.0}
    assert size == len(tokenizer(question.context)["input_ids"])
