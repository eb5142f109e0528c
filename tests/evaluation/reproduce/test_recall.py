"""Values asked for one by one: every way in a row, gone on with, judged by way of asking."""

import json

import pytest

from ta_lab.experiments import recall
from ta_lab.experiments.experiment import Context
from ta_lab.generators.recalled import kind_of
from transactional_attention import load_embedded
from transactional_attention.detection.scanner import Scanner
from transactional_attention.recall.entries import Entry, words_of
from transactional_attention.recall.recall import Recall
from transactional_attention.types import Span

GENERATED, TEXTS, TOOLS = recall.TASKS.values()


@pytest.fixture(scope="module")
def record():
    rows = []
    context = Context(load_embedded, size="quick", filler="anchor-free", save=rows.append)
    return GENERATED.run(context)


def test_every_way_answers_every_question_and_a_run_goes_on(record):
    *questions, text = record["rows"]
    names = {"full", *(f"64 {way}" for way in recall.WAYS)}
    assert all(row["cells"].keys() == names for row in questions)
    for row, number in zip(questions, (9,), strict=True):
        assert all(len(m) == len(f) == number for m, f in row["cells"].values())
    assert text["part"] == "context" and text["found"] == text["values"] == 8
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=record["rows"])
    assert GENERATED.run(again) == record
    lost = [row for row in record["rows"] if row["part"] == "context"]
    read = []
    gone_on = Context(lambda: (read.append(1), load_embedded())[1], size="quick",
                      only=("on", "repair"), filler="anchor-free", rows=lost)  # fmt: skip
    for row, known in zip(GENERATED.run(gone_on)["rows"][:-1], questions, strict=True):
        assert row["cells"].keys() == {"full", "64 on", "64 repair"}
        assert row["cells"].items() <= known["cells"].items()
    assert read == [1]


def test_what_is_told_comes_back_whole_and_rivals_hold_what_they_hold(record):
    rows = record["rows"][:-1]
    cells = {way: recall.cell(rows, f"64 {way}", recall.KINDS) for way in recall.WAYS}
    assert cells["told"].kept == cells["protected"].kept == 8
    assert cells["off"].kept < cells["on"].kept <= 8
    assert cells["on"].kept > max(cells["repair"].kept, cells["snapkv"].kept)
    host = record["rows"][-1]["host_bytes"]
    full = record["rows"][-1]["full_bytes"]
    assert 0 < host["64 on"] < host["64 lines"] < host["64 exact"] < 0.15 * full
    assert host["64 lines"] < host["64 all"] < 0.6 * full
    assert host["64 repair"] > 0.9 * full and host["full"] == host["64 off"] == 0


def test_the_section_counts_by_way_of_asking(record):
    of_quick = record | {"provenance": {"arguments": {"size": "quick"}}}
    shown = GENERATED.render(of_quick)
    assert "`lines`: " in shown and "`all`: " in shown
    wider = json.loads(json.dumps(of_quick).replace('"64 ', '"128 '))  # by --budgets 128
    assert "| lines | – | " in GENERATED.render(wider) and "RepairKV's way" in shown
    older = [{k: v for k, v in row.items() if k != "false"} for row in record["rows"]]
    older[-1]["false"] = {"on": [0], "lines": [1]}  # of a record before lines were all
    assert "1 of 1 bring one back" in GENERATED.render(of_quick | {"rows": older})
    assert "| 64 | off | 8 |" in shown and "| – | full | 8 |" in shown
    assert shown.endswith("a quick run.")
    cells = {"64 lines": ["bb-a", [1, 1, 0, 4]], "full": ["bbbb", [1, 1, 1, 4]]}
    cells |= {"64 told": ["bbb-", [1, 1, 1, 0]], "64 off": ["----", [0] * 4]}
    kinds = [kind_of(i, answer) for i, answer in enumerate(("a", "b", "c", "a\nb"))]
    assert kinds == ["direct", "paraphrased", "alike", "four"]
    row = {"part": "questions", "context": 0, "first": 0, "kinds": kinds, "cells": cells}
    assert recall.cell([row], "64 lines", recall.KINDS) == ("bb-", 2, 3)
    assert recall.cell([row], "64 lines", ("four",)) == ("a", 4, 4)
    assert recall.compared(GENERATED, [row], "64 lines", "64 off")[:2] == (2, 0)
    judged = recall._judgement(GENERATED, [row])
    assert "K=64, recall answers 2 (67% of told, 67% of the full cache), 0 without" in judged


@pytest.mark.parametrize(("trial", "number"), [(0, 104), (1, 146), (2, 150)])
def test_texts_that_people_wrote_are_asked_about_as_they_marked_them(trial, number):
    context = Context(load_embedded)
    cases = TEXTS.cases(context, trial)
    assert len(cases) == TEXTS.questions(context, trial) == number
    for case in cases:
        places = case.meta["places"]
        assert case.answer == "\n".join(case.context[slice(*place)] for place in places)
        assert set(places) <= {(v.start, v.end) for v in case.values}
    again = TEXTS.cases(context, trial + len(recall.LOCKED))
    assert cases[0].context != again[0].context
    assert sorted(c.question for c in cases) == sorted(c.question for c in again)
    assert len(TEXTS.free) == 80


def test_the_slots_of_a_call_bring_back_its_four_values():
    context = Context(load_embedded, filler="anchor-free")
    cases = TOOLS.cases(context, 0)
    assert len(cases) == TOOLS.questions(context, 0) == 8
    text = cases[0].context
    anchors = Scanner(("values",)).feed(text, final=True)
    values, book = [anchor.value for anchor in anchors], Recall()
    for anchor in anchors:
        words = words_of(anchor, lambda begin, end: text[begin:end], values)
        book.know(Entry(anchor.value, Span(0, 0), "rule", 1.0, "user", words=words))
    brought = 0
    for case in cases:
        arguments = json.loads("{" + case.answer.replace("\n", ", ") + "}")
        assert [text[slice(*place)] for place in case.meta["places"]] == [*arguments.values()]
        assert all(f'"{name}": {{"type": "string"}}' in case.question for name in arguments)
        for line, place in zip(case.answer.split("\n"), case.meta["places"], strict=True):
            found = book.opened("{" + line[: line.rindex('"', 0, -1) + 1])
            brought += [recalled.entry.value for recalled in found] == [Span(*place)]
    assert brought >= 30
