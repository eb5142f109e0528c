"""Values asked for one by one: every way in a row, gone on with, judged by way of asking."""

import json

import pytest

from ta_lab.experiments import recall
from ta_lab.experiments.experiment import Context
from ta_lab.generators.recalled import kind_of
from transactional_attention import load_embedded

GENERATED, TEXTS, TOOLS = recall.TASKS.values()


@pytest.fixture(scope="module")
def record():
    rows = []
    context = Context(load_embedded, size="quick", filler="anchor-free", save=rows.append)
    return GENERATED.run(context)


def test_every_way_answers_every_question_and_a_run_goes_on(record):
    *questions, text = record["rows"]
    names = {"full", *(f"128 {way}" for way in recall.WAYS)}
    assert all(row["cells"].keys() == names for row in questions)
    for row, number in zip(questions, (9,), strict=True):
        assert all(len(m) == len(f) == number for m, f in row["cells"].values())
    assert text["part"] == "context" and text["values"] == 8
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=record["rows"])
    assert GENERATED.run(again) == record
    lost = [row for row in record["rows"] if row["part"] == "context"]
    read = []
    gone_on = Context(lambda: (read.append(1), load_embedded())[1], size="quick",
                      only=("memory", "repair"), filler="anchor-free", rows=lost)  # fmt: skip
    for row, known in zip(GENERATED.run(gone_on)["rows"][:-1], questions, strict=True):
        assert row["cells"].keys() == {"full", "128 memory", "128 repair"}
        assert row["cells"].items() <= known["cells"].items()
    assert read == [1]


def test_what_is_asked_for_comes_back_and_rivals_hold_what_they_hold(record):
    rows = record["rows"][:-1]
    cells = {way: recall.cell(rows, f"128 {way}", recall.KINDS) for way in recall.WAYS}
    # eight values fit K whole, and fewer of the segments around them
    assert 0 < cells["memory"].kept <= cells["off"].kept <= cells["protected"].kept == 8
    assert cells["memory"].kept > max(cells["repair"].kept, cells["snapkv"].kept)
    host = record["rows"][-1]["host_bytes"]
    full = record["rows"][-1]["full_bytes"]
    assert 0 < host["128 memory"] < 0.4 * full
    assert host["128 repair"] > 0.8 * full and host["full"] == host["128 off"] == 0


def test_the_section_counts_by_way_of_asking(record):
    shown = GENERATED.tables(record)
    assert "| 128 | off | 8 |" in shown and "| – | full | 8 |" in shown
    assert "| memory | 128 |" in shown and "| repair | 128 |" in shown
    cells = {"128 memory": ["bb-a", [1, 1, 0, 4]], "full": ["bbbb", [1, 1, 1, 4]]}
    cells |= {"128 off": ["----", [0] * 4]}
    kinds = [kind_of(i, answer) for i, answer in enumerate(("a", "b", "c", "a\nb"))]
    assert kinds == ["direct", "paraphrased", "alike", "four"]
    row = {"part": "questions", "context": 0, "first": 0, "kinds": kinds, "cells": cells}
    assert recall.cell([row], "128 memory", recall.KINDS) == ("bb-", 2, 3)
    assert recall.cell([row], "128 memory", ("four",)) == ("a", 4, 4)
    shown = GENERATED.beside({"rows": [row]})
    assert "| 128 | off | 2 | 0 | 0.5 |" in shown


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


def test_a_call_asks_for_four_arguments_by_their_names():
    context = Context(load_embedded, filler="anchor-free")
    cases = TOOLS.cases(context, 0)
    assert len(cases) == TOOLS.questions(context, 0) == 8
    for case in cases:
        arguments = json.loads("{" + case.answer.replace("\n", ", ") + "}")
        assert [case.context[slice(*at)] for at in case.meta["places"]] == [*arguments.values()]
        assert all(f'"{name}": {{"type": "string"}}' in case.question for name in arguments)
