"""Running blocks: resumed context by context, refused cells named, values counted one by one."""

import json
from dataclasses import replace

import pytest

from ta_lab.cases.runner import CaseRunner
from ta_lab.experiments import running
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.plan import FULL, Arm, Block, task_cases
from ta_lab.experiments.running import run_blocks

TOKENS = 700  # bytes are tokens here
ORACLE, NEWEST = Arm("oracle", 60), Arm("streaming-llm", 24)


@pytest.fixture
def context(model, tokenizer):
    return Context(lambda: (model, tokenizer), tokenizers={"bytes": lambda: tokenizer})


def block(context, task="needle", variant="", arms=(FULL, ORACLE, NEWEST), **settings):
    make = task_cases(context, task, variant, tokens=TOKENS, depths=(0.3, 0.6))
    return Block(task, make, settings.pop("contexts", 2), arms, **settings)


def test_rows_count_what_is_kept(context):
    rows = run_blocks(context, [block(context)])["rows"]
    assert [row["method"] for row in rows] == ["full", "oracle", "streaming-llm"]
    assert [row["retained"] for row in rows] == [2, 2, 0]
    assert all(row["contexts"] == row["trials"] == len(row["marks"][""]) == 2 for row in rows)
    assert all(row["commits"] and "accuracy" in row for row in rows)


def test_an_interrupted_run_goes_on_where_it_stopped(context, monkeypatch):
    whole = run_blocks(context, [block(context, contexts=3)])["rows"]
    saved = []
    context.save = lambda rows: saved.append(json.loads(json.dumps(rows)))
    run_blocks(context, [block(context, contexts=1)])
    prefills = []

    class Counted(running.CaseRunner):
        def __init__(self, *arguments):
            prefills.append(1)
            super().__init__(*arguments)

    monkeypatch.setattr(running, "CaseRunner", Counted)
    resumed = replace(context, rows=saved[-1])
    assert run_blocks(resumed, [block(context, contexts=3)])["rows"] == whole
    assert len(prefills) == 2 and len(saved) == 3


def test_a_finished_record_runs_nothing_and_loses_nothing(context, monkeypatch):
    rows = run_blocks(context, [block(context)])["rows"]
    monkeypatch.setattr(CaseRunner, "__init__", None)  # a prefill would raise
    again = replace(context, rows=rows)
    assert run_blocks(again, [block(context)])["rows"] == rows
    assert run_blocks(again, [block(context, arms=(ORACLE,))])["rows"] == [
        rows[1], rows[0], rows[2],
    ]  # fmt: skip


def test_a_finished_row_takes_the_groups_of_the_plan_without_a_run(context, monkeypatch):
    rows = run_blocks(context, [block(context, groups=("all",))])["rows"]
    monkeypatch.setattr(CaseRunner, "__init__", None)  # a prefill would raise
    planned = [block(context, arms=(ORACLE,), groups=("all", "new"))]
    later_rows = run_blocks(replace(context, rows=rows), planned)["rows"]
    assert [row["groups"] for row in later_rows] == [["all", "new"], ["all"], ["all"]]
    assert later_rows[0]["marks"] == rows[1]["marks"]


def test_an_arm_that_is_new_is_run_alone(context):
    rows = run_blocks(context, [block(context, arms=(FULL,))])["rows"]
    again = replace(context, rows=rows)
    later_rows = run_blocks(again, [block(context, arms=(FULL, ORACLE))])["rows"]
    assert later_rows[:1] == rows and later_rows[1]["contexts"] == 2


def test_a_method_that_cannot_run_is_named_and_the_others_run(context):
    learned = Arm("ta-learned", 60)  # no detector was trained for this model
    rows = run_blocks(context, [block(context, arms=(FULL, learned))])["rows"]
    assert rows[0]["contexts"] == 2
    assert "detector" in rows[1]["refused"] and rows[1]["contexts"] == 0
    assert "/" not in rows[1]["refused"]
    again = replace(context, rows=rows)
    assert run_blocks(again, [block(context, arms=(FULL, learned))])["rows"] == rows


def test_values_of_one_context_are_counted_apart(context):
    slots = block(context, "multislot", "3", (FULL, Arm("streaming-llm", 200)), slots=True)
    full, newest = run_blocks(context, [slots])["rows"]
    assert set(full["marks"]) == {"api key", "endpoint", "auth token"}
    assert (full["contexts"], full["trials"], full["all_retained"]) == (2, 6, 2)
    assert 0 < newest["retained"] < 6 and newest["all_retained"] == 0
    (unasked,) = run_blocks(context, [replace(slots, arms=slots.arms[1:], answered=False)])["rows"]
    kept = {label: marks.replace("b", "k") for label, marks in newest["marks"].items()}
    assert unasked["marks"] == {label: marks.replace("a", "-") for label, marks in kept.items()}


def test_visible_questions_and_retention_alone(context):
    blocks = [
        block(context, protocol="visible"),
        block(context, answered=False, tokenizer="bytes"),
        block(context, answered=False),
    ]
    blocks[2] = replace(blocks[2], name="own tokenizer")
    rows = run_blocks(context, blocks)["rows"]
    assert [row["retained"] for row in rows] == 3 * [2, 2, 0]
    assert ["correct" in row for row in rows] == 3 * [True] + 6 * [False]


def test_only_the_labels_of_the_case_sponsor_under_an_allowlist(context, tokenizer):
    (case,) = block(context).make(tokenizer, 0)
    assert Arm("ta", 16, allow=True).retention(case, 0).allow == ("secret code",)
    assert Arm("ta", 16).retention(case, 0).allow == ()
    assert Arm("ta", 16, sponsored=False).retention(case, 0).sponsorship.strength == 0


def test_a_refused_cell_is_tried_again_by_a_later_run(context, monkeypatch):
    rows = run_blocks(context, [block(context, contexts=1)])["rows"]
    refused = {**rows[1], "contexts": 0, "marks": {}, "refused": "no detector"}
    again = replace(context, rows=[rows[0], refused, rows[2]])
    later_rows = run_blocks(again, [block(context, contexts=1)])["rows"]
    assert later_rows == rows
