"""Ceilings: cells are run once, a record resumes, targets and checks are derived from counts."""

import re
from pathlib import Path

import pytest

from ta_lab.cases.runner import FULL as EVERYTHING
from ta_lab.cases.runner import CaseRunner
from ta_lab.cases.sweep import counts
from ta_lab.experiments.ceilings import (
    FULL,
    LOST,
    PLAN,
    Group,
    Reading,
    Sample,
    check_ceilings,
    groups_for,
    key_of,
    measure,
    stated_ceilings,
    target_of,
)
from ta_lab.generators import make
from ta_lab.generators.placing import Setting
from ta_lab.report.tables import SHORTFALLS
from transactional_attention import InputError, load_embedded

PAGE = Path(__file__).parents[2] / "docs" / "embedded-model.md"
ORACLE = Reading("oracle", 16)
SMALL = [Group("needle", "", 256, 0.99, (FULL, ORACLE)), Group("multislot", "3", 400, 0.97)]


@pytest.fixture(scope="module")
def loaded():
    return load_embedded()


def row(task, correct, trials=100, reading=FULL, variant="", tokens=4096):
    key = Group(task, variant, tokens, 0.0).key(reading)
    names = ("task", "variant", "tokens", "method", "budget", "ledger")
    return dict(zip(names, key)) | counts(trials=trials, correct=correct)


def record(*rows):
    return {"provenance": {"commit": "abc"}, "weights_sha256": "0", "rows": list(rows)}


def test_the_plan_names_each_cell_once():
    keys = [group.key(reading) for group in PLAN for reading in group.readings]
    assert len(keys) == len(set(keys))
    tasks = {group.task for group in PLAN}
    assert {"needle", "formats", "toolcall", "languages", "corrections"} <= tasks


def test_groups_can_be_chosen(loaded):
    groups = groups_for(loaded[1], tasks=("needle", "similar"), quick=True)
    assert {group.task for group in groups} == {"needle", "similar"}
    assert max(group.tokens for group in groups) == 4096
    (group,) = groups_for(loaded[1], tasks=("needle",), tokens=300)
    assert group.tokens == 300 and len(group.readings) > 5
    with pytest.raises(InputError, match="similar"):
        groups_for(loaded[1], tasks=("simile",))


def test_a_finished_cell_is_not_run_again(loaded, monkeypatch):
    sample, saved = Sample(trials=1), []
    rows = measure(*loaded, SMALL[:1], sample, [], save=saved.append)
    assert [key_of(r) for r in rows] == [SMALL[0].key(FULL), SMALL[0].key(ORACLE)]
    assert saved == [rows]
    monkeypatch.setattr(CaseRunner, "__init__", None)  # a prefill would raise
    assert measure(*loaded, SMALL[:1], sample, rows) == rows


def test_only_missing_readings_are_run_and_shares_add_up(loaded):
    sample, shares = Sample(trials=2), []
    first = [r for r in measure(*loaded, SMALL[:1], sample, []) if r["budget"] is None]
    rows = measure(*loaded, SMALL, sample, first, progress=shares.append)
    assert len(rows) == 3 and rows[0] is first[0]
    assert sum(shares) == pytest.approx(2)
    assert (rows[2]["contexts"], rows[2]["trials"]) == (1, 3)
    assert rows[2]["all_correct"] <= rows[2]["contexts"]


def test_a_shared_prefill_answers_as_its_own_would(loaded):
    cases = make("multislot", loaded[1], Setting(400, 0.5, 1, "pydoc", "3"))
    first = CaseRunner(*loaded, cases[0], "hidden")
    shared, own = first.asking(cases[2]), CaseRunner(*loaded, cases[2], "hidden")
    assert shared.run(EVERYTHING) == own.run(EVERYTHING)
    assert first.encoded.case is cases[0]
    (other,) = make("needle", loaded[1], Setting(400))
    with pytest.raises(InputError, match="hidden questions"):
        first.asking(other)


def test_targets():
    full = row("needle", 99)
    assert target_of(full, [full]) == ("99%", True)
    assert target_of(row("needle", 95, tokens=8128), []) == ("95%", True)
    near, far = (row("needle", c, reading=Reading("oracle", 24)) for c in (97, 96))
    assert target_of(near, [full, near])[1] and not target_of(far, [full, far])[1]
    assert target_of(row("needle", 95, reading=ORACLE), [full])[1]
    assert target_of(row("needle", 0, reading=LOST[0]), [full]) == ("under 1%", True)
    assert not target_of(row("needle", 1, reading=LOST[0]), [full])[1]
    assert target_of(row("unheard", 1), []) is None


def test_every_task_has_a_cause_and_three_tries_that_the_page_tells():
    assert SHORTFALLS.keys() == {group.task for group in PLAN}
    tries = PAGE.read_text(encoding="utf-8").split("## Tries")[1]
    told = {int(number) for number in re.findall(r"^(\d+)\. ", tries, re.MULTILINE)}
    for task, shortfall in SHORTFALLS.items():
        assert len(set(shortfall.tries)) >= 3 and told.issuperset(shortfall.tries), task
        assert all(cell and "|" not in cell for cell in shortfall.cells())


def test_the_check_compares_with_what_is_stated():
    stated = stated_ceilings(record(row("needle", 99), row("formats", 98, variant="ini")))

    def check(needles, formats, of=5):
        sample = record(row("needle", needles, of), row("formats", formats, of, variant="ini"))
        return check_ceilings(sample, stated)

    assert check(5, 5) == []
    assert check(4, 5) == []  # a single miss of ten
    assert any("formats" in problem for problem in check(5, 1))
    assert check(4, 4) == []  # eight of ten may be chance, 160 of 200 are not
    assert any(problem.startswith("full:") for problem in check(80, 80, 100))
    assert any(problem.startswith("full:") for problem in check(3, 2))


def test_a_card_without_ceilings_is_refused():
    with pytest.raises(InputError, match="states no ceilings"):
        check_ceilings(record(row("needle", 5, 5)), {"task": "something older"})
