"""The paper's claims over their grids: which are false, and that every corrected form holds."""

from __future__ import annotations

import pytest

from ta_lab.experiments import theorems
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.paper import IN_WORDS, figures
from ta_lab.experiments.theorems import CLAIMS, Instance, checked

HOLDS = {"Theorem 4, first half"}


@pytest.fixture(scope="module")
def record():
    return theorems.run(Context(lambda: pytest.fail("no model is needed")))["rows"]


@pytest.fixture(scope="module")
def rows(record):
    return [row for row in record if row["part"] == "claim"]


def test_the_papers_numbers_follow_from_its_formulas_and_not_from_its_selection(record):
    numbers = {(r["name"], r["budget"]): r for r in record if r["part"] == "number"}
    for figure in figures("theorems"):
        if figure.unit == IN_WORDS:
            continue
        found = numbers[figure.measure, figure.match.get("budget")]
        assert found["result"] == pytest.approx(figure.value, rel=0.02)
    assert numbers["least voucher of a span", None]["printed"] == pytest.approx(15 * 0.8**6)
    assert numbers["least K", None]["printed"] > 100  # L = 6 sponsors six of its ten tokens
    assert [numbers["protected slots", k]["printed"] for k in (16, 64)] == [4, 16]
    shown = theorems.render({"rows": record})
    assert "| dormant tokens kept (Corollary of Theorem 1, line 464) | 16 | <0.4 |" in shown
    assert "| protected slots (Theorem 4, line 400) | 16 | 11 | K - 1 - W | 11 | 4 |" in shown


def test_decoys_are_tolerated_up_to_the_number_that_is_counted():
    number = int(theorems.decoys(64))
    assert theorems._all_whole(number, 64)
    assert not theorems._all_whole(number + 1, 64)


def test_every_claim_but_one_has_a_counterexample(rows):
    assert {row["name"] for row in rows if not row["stated"]["broken"]} == HOLDS
    for row in rows:
        stated = row["stated"]
        assert 0 < stated["met"] <= stated["tried"]
        assert (stated["counterexample"] is None) is (row["name"] in HOLDS)


def test_every_corrected_form_holds_wherever_its_condition_does(rows):
    for row in rows:
        assert row["corrected"]["met"] > 0 and row["corrected"]["broken"] == 0, row["name"]


def test_counterexamples_are_those_of_the_documents(rows):
    found = {row["name"]: row["stated"]["counterexample"] for row in rows}
    assert found["Theorem 2, over time"]["steps"] == 27  # of the strict partition
    assert found["Theorem 3"]["value"] == 7  # the first that a span of six cuts
    assert found["Theorem 4, second half"]["whole"] == 0


def test_conditions_are_asked_of_the_instance():
    dormant = list(theorems.dormant_survives())
    assert {case.what["epsilon"] for case in dormant if not case.met} >= {0.005}
    assert all(case.what["epsilon"] > 0.01 for case in dormant if case.met)


def test_sponsored_tokens_that_exceed_the_budget_are_no_instance(monkeypatch):
    monkeypatch.setattr(theorems, "WINDOW", 14)
    assert not any(case.met for case in theorems.span_kept_later())


def test_a_record_is_rendered_and_resumes(rows, record):
    shown = theorems.render({"rows": record})
    assert shown.count("\n| Theorem") == len(CLAIMS)
    last = shown.splitlines()[-1]
    assert last.startswith(
        "Judgement: mixed: 1 holds, 6 false as stated of 7 claims; counterexamples"
    )
    assert shown.endswith("the corrected forms: all hold.")
    wrong = [{**rows[0], "corrected": {**rows[0]["corrected"], "broken": 1}}, *rows[1:]]
    assert "broken for Theorem 1" in theorems.judgement(wrong)
    saves = []
    again = Context(lambda: None, rows=record, save=saves.append)
    assert theorems.run(again)["rows"] == record and not saves


def test_only_instances_that_meet_the_condition_can_break_a_claim():
    cases = [
        Instance({"n": 1}, False, False),
        Instance({"n": 2}, True, True),
        Instance({"n": 3}, True, False),
        Instance({"n": 4}, True, False),
    ]
    assert checked(iter(cases)) == {
        "tried": 4, "met": 3, "broken": 2, "counterexample": {"n": 3},
    }  # fmt: skip
