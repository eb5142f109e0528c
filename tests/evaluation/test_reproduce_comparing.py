"""Verdicts, the order of methods and the judgement follow from rows and the paper's figures."""

import pytest

from report_records import row
from ta_lab.experiments.comparing import compare, judgement
from ta_lab.experiments.paper import Figure
from ta_lab.experiments.plan import FULL, Arm
from ta_lab.experiments.rendering import render, share
from ta_lab.experiments.verdicts import ABOVE, BELOW, REPRODUCED, SAME, incomparable, overall

PRINTED = Arm("ta-fast-regex", 16, preset="paper")
OURS = Arm("ta-fast-regex", 16)
TOVA = Arm("tova", 16)
ALL, NONE = 20 * "b", 20 * "-"


def figure(method, value, **others):
    match = {"methods": [method], "budget": 16, "sponsored": True}
    return Figure("Table 1", 1, method, "Llama", value, match, **others)


def one(marks, value, full=ALL, **others):
    rows = [row("needle", full, FULL), row("needle", marks, OURS)]
    (found,) = compare(rows, [figure("ta-fast-regex", value, **others)])
    return found


@pytest.mark.parametrize(
    ("marks", "value", "verdict"),
    [(ALL, 100, SAME), (ALL, 35, ABOVE), (NONE, 35, BELOW), (10 * "b" + 10 * "-", 60, SAME)],
)
def test_the_papers_figure_lies_in_our_interval_or_beside_it(marks, value, verdict):
    found = one(marks, value)
    assert (found.kept, found.answers) == (verdict, verdict)


@pytest.mark.parametrize(("right", "comparable"), [(19, True), (18, False)])
def test_a_model_that_fails_with_everything_says_nothing_of_methods(right, comparable):
    found = one(ALL, 100, full=right * "b" + (20 - right) * "k")
    assert found.kept == SAME
    assert found.answers is not None
    assert (found.answers == SAME) is comparable
    assert comparable or "90%" in found.answers


FULL_CACHE = row("needle", ALL, FULL)


def test_a_reversed_order_is_not_reproduced():
    rows = [FULL_CACHE, row("needle", 15 * "b" + 5 * "-", PRINTED),
            row("needle", 7 * "b" + 13 * "-", TOVA)]  # fmt: skip
    known = [figure("ta-fast-regex", 55), figure("tova", 54)]
    assert [c.answers for c in compare(rows, known)] == [SAME, SAME]
    assert judgement(rows, known).startswith("Judgement: reproduced: 2 of 2")
    known = [figure("ta-fast-regex", 54), figure("tova", 55)]
    said = judgement(rows, known)
    assert said.startswith("Judgement: mixed, the order of methods does not hold: 2 reproduced")
    assert "by answers holds in 0 of 1 pairs, 1 reversed, 0 not told apart" in said


def test_a_verdict_needs_half_of_the_figures():
    why = incomparable("K unstated")
    assert overall([REPRODUCED, why]) == (
        "reproduced: 1 of 2 figures of the paper, 1 not comparable (K unstated)"
    )
    assert overall([REPRODUCED, why, why]) == (
        "not comparable (K unstated): 2 of 3 figures of the paper, 1 reproduced"
    )


def test_what_is_no_performance_has_words_of_its_own():
    words = ("holds", "false")
    assert overall(["false", "holds", "false"], "claims", words=words) == (
        "mixed: 1 holds, 2 false of 3 claims"
    )
    assert overall(["holds"], "claims", words=words) == "holds: 1 of 1 claims"
    held = overall(["holds"], "claims", words=words, reversed_order=True)
    assert held.startswith("mixed, the order of methods does not hold")


def test_a_quick_run_is_shown_beside_the_paper_and_not_judged():
    rows = [row("needle", 10 * "b" + 10 * "k", FULL), row("needle", ALL, PRINTED)]
    quick = {"experiment": "needle", "rows": rows, "provenance": {"arguments": {"size": "quick"}}}
    text = render(quick)
    assert text.endswith("Judgement: none, a quick run.")
    assert "| ta-fast-regex, as printed | 16 | 100 [84, 100] | 100 [84, 100] | 100 | 100 |" in text
    judged = ("kept is", "answers are", "as in the paper", "comparable", "above", "below")
    assert not [word for word in judged if word in text]
    assert "kept is" in render({**quick, "provenance": {}})


def test_all_and_none_are_said_of_all_and_none_alone():
    assert share(200, 200) == "100 [98, 100]"
    assert share(199, 200) == "99.5 [97, 99.9]"
    assert share(1, 1000) == "0.1 [0.02, 1]"
    assert share(0, 2000) == "0 [0, 0.2]"
