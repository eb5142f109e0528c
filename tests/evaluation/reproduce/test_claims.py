"""The paper's claims over their grids: what the committed record says of them comes out again."""

import json
from pathlib import Path

import pytest

from ta_lab.experiments import theorems
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.theorems import Instance, checked

RECORD = Path(__file__).parents[3] / "docs" / "report" / "records" / "theorems.json"
OWN = ("commit", "commits", "dirty")


@pytest.fixture(scope="module")
def rows():
    return theorems.run(Context(lambda: pytest.fail("no model is needed")))["rows"]


def test_a_run_gives_the_rows_of_the_record_and_resumes(rows):
    """Each claim's counterexample, and that no corrected form has one; the paper's numbers."""
    found, known = (
        [{name: value for name, value in row.items() if name not in OWN} for row in some]
        for some in (json.loads(json.dumps(rows)), json.loads(RECORD.read_text())["rows"])
    )
    assert found == known
    claims = [row for row in rows if row["part"] == "claim"]
    assert claims and not any(row["corrected"]["broken"] for row in claims)
    assert all(0 < row["stated"]["met"] <= row["stated"]["tried"] for row in claims)
    saves = []
    again = Context(lambda: None, rows=rows, save=saves.append)
    assert theorems.run(again)["rows"] == rows and not saves


def test_a_corrected_form_that_breaks_would_be_told(rows):
    claims = [row for row in rows if row["part"] == "claim"]
    wrong = [{**claims[0], "corrected": {**claims[0]["corrected"], "broken": 1}}, *claims[1:]]
    assert "broken for Theorem 1" in theorems.judgement(wrong)


def test_sponsored_tokens_that_exceed_the_budget_are_no_instance(monkeypatch):
    monkeypatch.setattr(theorems, "WINDOW", 14)
    assert not any(case.met for case in theorems.span_kept_later())


def test_only_instances_that_meet_the_condition_can_break_a_claim():
    cases = [Instance({"n": n}, *told) for n, told in enumerate(
        ((False, False), (True, True), (True, False), (True, False)), 1
    )]  # fmt: skip
    assert checked(iter(cases)) == {
        "tried": 4, "met": 3, "broken": 2, "counterexample": {"n": 3},
    }  # fmt: skip
