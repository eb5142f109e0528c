"""Documents of ours with questions, and what of a session is had at its end by its label."""

import json

import pytest

from chat_templates import chat_tokenizer
from session_runs import recorded, refusal
from ta_lab.sessions.deciding import DecidingEngine
from ta_lab.sessions.documents import EACH, FACT, VALUE, document, write
from ta_lab.sessions.files import AgentSession
from ta_lab.sessions.playing import Arm
from ta_lab.sessions.survival import kind_of, labelled, survived
from ta_lab.sessions.talks import read_talks
from transactional_attention import InputError


def test_every_answer_stands_once_in_a_document_and_in_its_evidence():
    for number in range(12):
        for short in (True, False):
            talk = document(number, 7, short=short)
            text = talk["messages"][1]["content"]
            assert 9_300 < len(text) < 16_800 if short else 37_000 < len(text) < 70_500
            kinds = [question["kind"] for question in talk["questions"]]
            assert kinds == [FACT] * EACH + [VALUE] * EACH
            for question in talk["questions"]:
                (evidence,) = question["evidence"]
                assert text.casefold().count(question["answer"].casefold()) == 1
                assert question["answer"] in evidence and f"\n{evidence}\n" in f"{text}\n"


def test_a_seed_gives_the_same_documents_and_another_gives_others(tmp_path):
    path = tmp_path / "documents.jsonl"
    write(path, 3, 0, short=True)
    known = path.read_text()
    write(path, 3, 0, short=True)
    assert path.read_text() == known
    talks = read_talks(path)
    assert len({talk.messages[1]["content"] for talk in talks}) == 3
    assert talks[0].questions[0].kind == FACT
    with pytest.raises(InputError, match="other documents"):
        write(path, 3, 1, short=True)
    assert path.read_text() == known
    assert document(0, 0, short=True) != document(0, 1, short=True)


def test_the_command_makes_documents_and_tells_facts_from_values(tmp_path):
    path, out = tmp_path / "documents.jsonl", tmp_path / "out.json"
    options = ("--documents", 2, "--short", "--held-only", "--budgets", 1024)
    methods = ("--methods", "streaming-llm,context-shift,bm25,ta")
    recorded(out, path, *methods, *options, "--limit", 1)
    record = recorded(out, path, *methods, *options)
    held = {(row["method"], row["bucket"]): (row["n"], row["held"]) for row in record["rows"]}
    names = ("streaming-llm", "context-shift", "bm25", "ta")
    assert list(held) == [(name, kind) for name in names for kind in ("all", FACT, VALUE)]
    for name in names:
        assert held[name, "all"] == tuple(
            map(sum, zip(held[name, FACT], held[name, VALUE], strict=True))
        )
        assert held[name, FACT][0] == 2 * EACH
    assert held["ta", VALUE][1] > held["streaming-llm", VALUE][1]
    questions = [q for talk in read_talks(path) for q in talk.questions if q.kind == VALUE]
    assert not any(question.answer in out.read_text() for question in questions)
    assert record["provenance"]["seed"] == 0
    assert refusal(path, "--documents", 2, "--held-only", "--json", out)


WALK = "We walked along the river. " * 40
RESULT = {
    "booking": "QX7K2P",
    "price": 1423,
    "on": "2024-05-17",
    "file": "/srv/a.csv",
    "to": "Ann B",
}
SESSION = {
    "id": "s1",
    "messages": [
        {"role": "user", "content": 'Find it. Say "booking": "ZZ9ZZ9" if you can.'},
        {"role": "tool", "content": json.dumps(RESULT)},
        {"role": "user", "content": WALK},
        {"role": "tool", "content": '{"other": [1], "n": 12, "late": "QX7K2P"}'},
    ],
}


def test_values_of_tool_results_are_found_with_their_labels():
    tokenizer = chat_tokenizer("tools")
    session = AgentSession("s", SESSION["messages"], [])
    text = tokenizer.apply_chat_template(
        session.messages, add_generation_prompt=True, tokenize=False
    )
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    values = {
        (one.label, one.kind): [tokenizer.decode(ids[p.start : p.end]) for p in one.places]
        for one in labelled(session, tokenizer)
    }
    assert values == {
        ("booking", "id"): ["QX7K2P"],
        ("price", "number"): ["1423"],
        ("on", "date"): ["2024-05-17"],
        ("file", "path"): ["/srv/a.csv"],
        ("to", "name"): ["Ann B"],
        ("late", "id"): ["QX7K2P"],
    }
    assert [kind_of(v) for v in ("09:30:00", "mia_li_3668", "-3.5", "a/b.py", "oak")] == [
        "date", "id", "number", "path", "name",
    ]  # fmt: skip


def test_what_survives_comes_back_when_its_label_asks():
    tokenizer = chat_tokenizer("tools")
    session = AgentSession("s", SESSION["messages"], [])
    engine = DecidingEngine(tokenizer, chunk=64)
    held = {}
    for arm in (Arm("full", None), Arm("streaming-llm", 200), Arm("ta", 200, memory=True)):
        entries = list(survived(arm, engine, session, tokenizer, 0, "strict"))
        held[arm.method] = {value.label: whole for value, _, whole in entries}
        assert all(back > 0 for _, back, _ in entries)
    assert all(held["full"].values())
    assert [label for label, whole in held["streaming-llm"].items() if whole] == ["late"]
    assert held["ta"]["booking"] and held["ta"]["late"]


def test_the_command_counts_what_survives(tmp_path):
    (path := tmp_path / "s.jsonl").write_text(json.dumps(SESSION))
    out = tmp_path / "out.json"
    options = ("--survival", "--budgets", 200)
    record = recorded(out, path, "--methods", "streaming-llm,context-shift,memory", *options)
    (all_of_them, *_), kinds = record["rows"], {row["bucket"]: row["n"] for row in record["rows"]}
    assert kinds == {"all": 6, "date": 1, "id": 2, "name": 1, "number": 1, "path": 1}
    assert all_of_them["held"] == 1 and "answered" not in all_of_them
    assert "QX7K2P" not in out.read_text()
    assert "--survival" in refusal(path, "--methods", "truncate", *options, "--json", out)
