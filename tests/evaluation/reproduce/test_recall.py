"""Values asked for one by one: every way in a row, gone on with, judged by way of asking."""

import pytest

from ta_lab.experiments import recall, recall_texts
from ta_lab.experiments.experiment import Context
from ta_lab.generators.recalled import kind_of
from transactional_attention import load_embedded


@pytest.fixture(scope="module")
def record():
    rows = []
    context = Context(load_embedded, size="quick", filler="anchor-free", save=rows.append)
    return recall.EXPERIMENT.run(context)


def test_every_way_answers_every_question_and_a_run_goes_on(record):
    *questions, text = record["rows"]
    names = {"full", *(f"64 {way}" for way in recall.WAYS)}
    assert all(row["cells"].keys() == names for row in questions)
    for row, number in zip(questions, (9,), strict=True):
        assert all(len(m) == len(f) == number for m, f in row["cells"].values())
    assert text["part"] == "context" and text["found"] == text["values"] == 8
    again = Context(lambda: pytest.fail("run again"), size="quick", rows=record["rows"])
    assert recall.EXPERIMENT.run(again) == record
    lost = [row for row in record["rows"] if row["part"] == "context"]
    read = []
    gone_on = Context(lambda: (read.append(1), load_embedded())[1], size="quick",
                      filler="anchor-free", rows=lost)  # fmt: skip
    assert [r["cells"] for r in recall.EXPERIMENT.run(gone_on)["rows"][:-1]] == [
        r["cells"] for r in questions
    ]
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
    assert host["64 repair"] > 0.9 * full and host["full"] == host["64 off"] == 0


def test_the_section_counts_by_way_of_asking(record):
    shown = recall.EXPERIMENT.render(record | {"provenance": {"arguments": {"size": "quick"}}})
    assert "| 64 | off | 8 |" in shown and "| – | full | 8 |" in shown
    assert shown.endswith("a quick run.")
    cells = {"64 lines": ["bb-a", [1, 1, 0, 4]], "full": ["bbbb", [1, 1, 1, 4]]}
    cells |= {"64 told": ["bbb-", [1, 1, 1, 0]], "64 off": ["----", [0] * 4]}
    kinds = [kind_of(i, 3) for i in range(4)]
    assert kinds == ["direct", "paraphrased", "alike", "four"]
    row = {"part": "questions", "context": 0, "first": 0, "kinds": kinds, "cells": cells}
    assert recall.cell([row], "64 lines", recall.KINDS) == ("bb-", 2, 3)
    assert recall.cell([row], "64 lines", ("four",)) == ("a", 4, 4)
    assert recall.compared(recall.GENERATED, [row], "64 lines", "64 off")[:2] == (2, 0)
    judged = recall._judgement(recall.GENERATED, [row])
    assert "K=64, recall answers 2 (67% of told, 67% of the full cache), 0 without" in judged


def test_texts_that_people_wrote_are_asked_about_as_they_marked_them():
    cases = recall_texts.TASK.cases(Context(load_embedded), 0)
    assert len(cases) == recall_texts.TASK.questions(Context(load_embedded)) == 104
    for case in cases:
        places = case.meta["places"]
        assert case.answer == "\n".join(case.context[slice(*place)] for place in places)
        assert set(places) <= {(v.start, v.end) for v in case.values}
    other = recall_texts.TASK.cases(Context(load_embedded), 1)
    assert cases[0].context != other[0].context
    assert sorted(c.question for c in cases) == sorted(c.question for c in other)
    assert len(recall_texts.TASK.free) == 24
