"""Verdicts, the order of methods and the judgement follow from rows and the paper's figures."""

import pytest

from reproduce_rows import row
from ta_lab.experiments.comparing import (
    ABOVE,
    BELOW,
    REPRODUCED,
    SAME,
    ablations,
    compare,
    incomparable,
    judged,
    judgement,
    overall,
)
from ta_lab.experiments.paper import Figure
from ta_lab.experiments.plan import FULL, Arm
from ta_lab.experiments.rendering import render, share

PRINTED = Arm("ta-fast-regex", 16, preset="paper")
OURS = Arm("ta-fast-regex", 16)
TOVA = Arm("tova", 16)
ALL = 20 * "b"
NONE = 20 * "-"


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


def test_values_and_answers_have_verdicts_of_their_own():
    found = one(20 * "k", 100)
    assert (found.kept, found.answers) == (SAME, BELOW)


@pytest.mark.parametrize(("right", "comparable"), [(19, True), (18, False)])
def test_a_model_that_fails_with_everything_says_nothing_of_methods(right, comparable):
    found = one(ALL, 100, full=right * "b" + (20 - right) * "k")
    assert found.kept == SAME
    assert found.answers is not None
    assert (found.answers == SAME) is comparable
    assert comparable or "90%" in found.answers


def test_what_the_paper_does_not_state_makes_a_figure_incomparable():
    found = one(ALL, 100, unstated="K")
    assert found.kept == found.answers == "not comparable (K unstated)"


def test_the_method_as_printed_is_judged_and_on_hidden_questions():
    rows = [
        row("needle", ALL, FULL),
        row("needle", ALL, OURS),
        row("needle", NONE, PRINTED),
        row("needle", NONE, TOVA),
        row("needle", ALL, TOVA, protocol="visible"),
        row("needle", ALL, Arm("tova", 16, ledger="on-top")),
    ]
    chosen = judged(compare(rows, [figure("ta-fast-regex", 100), figure("tova", 0)]))
    assert [(c.row["method"], c.kept) for c in chosen] == [("ta-fast-regex", BELOW), ("tova", SAME)]


FULL_CACHE = row("needle", ALL, FULL)
KNOWN = [figure("ta-fast-regex", 100), figure("tova", 0)]


@pytest.mark.parametrize(
    ("printed", "tova", "says"),
    [
        (ALL, NONE, "reproduced: 2 of 2 figures of the paper by answers; "),
        (NONE, NONE, "mixed: 1 reproduced, 1 worse of 2 figures of the paper by answers; "),
        (NONE, ALL, "mixed: 1 better, 1 worse of 2 figures of the paper by answers; "),
    ],
)
def test_the_judgement_begins_with_a_verdict(printed, tova, says):
    rows = [FULL_CACHE, row("needle", printed, PRINTED), row("needle", tova, TOVA)]
    assert judgement(rows, KNOWN).startswith(f"Judgement: {says}whole values kept: ")


def test_figures_that_our_interval_excludes_on_one_side_have_one_verdict():
    rows = [FULL_CACHE, row("needle", NONE, PRINTED)]
    assert judgement(rows, [figure("ta-fast-regex", 100)]).startswith("Judgement: worse: 1 of 1 ")
    rows = [FULL_CACHE, row("needle", ALL, TOVA)]
    assert judgement(rows, [figure("tova", 0)]).startswith("Judgement: better: 1 of 1 ")


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


def test_ties_count_apart_and_answers_have_an_order_of_their_own():
    tied = [FULL_CACHE, row("needle", NONE, PRINTED), row("needle", NONE, TOVA)]
    assert "by values kept holds in 0 of 1 pairs, 0 reversed, 1 not" in judgement(tied, KNOWN)
    few = [FULL_CACHE, row("needle", 3 * "b" + 17 * "-", PRINTED), row("needle", NONE, TOVA)]
    assert "holds in 0 of 1 pairs, 0 reversed, 1 not told apart" in judgement(few, KNOWN)
    apart = [FULL_CACHE, row("needle", ALL, PRINTED), row("needle", 20 * "k", TOVA)]
    said = judgement(apart, KNOWN)
    assert "order of methods by answers holds in 1 of 1 pairs" in said
    assert "order of methods by values kept holds in 0 of 1 pairs, 0 reversed, 1 not" in said


def test_what_cannot_be_compared_says_why():
    weak = row("needle", 10 * "b" + 10 * "k", FULL)
    said = judgement([weak, row("needle", ALL, PRINTED), row("needle", NONE, TOVA)], KNOWN)
    assert said.startswith(
        "Judgement: not comparable (full cache under 95%): 2 of 2 figures of the paper by answers; "
        "whole values kept: 2 reproduced; the order of methods by values kept holds in 1 of 1"
    )
    unstated = [figure("tova", 0, unstated="K")]
    said = judgement([FULL_CACHE, row("needle", NONE, TOVA)], unstated)
    assert said.startswith("Judgement: not comparable (K unstated): 1 of 1")
    assert judgement([FULL_CACHE], KNOWN) == (
        "Judgement: not comparable (the paper has no number for these cells)."
    )


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


def test_an_ablation_is_tested_against_its_own_method():
    without = Arm("ta-fast-regex", 16, sponsored=False)
    rows = [row("needle", ALL, OURS), row("needle", NONE, without), row("needle", NONE, PRINTED)]
    (line,) = ablations(rows)
    assert line.startswith(
        "needle, question hidden, ta-fast-regex, K=16: kept whole 20/20 and 0/20"
    )
    assert "p = 1.5e-11" in line


def test_a_record_is_rendered_without_a_model():
    refused = row("needle", NONE, Arm("ta-learned", 16)) | {"refused": "no detector"}
    rows = [row("needle", 10 * "b" + 10 * "k", FULL), row("needle", ALL, PRINTED), refused]
    text = render({"experiment": "needle", "rows": rows})
    assert "### needle, n=20" in text
    assert "| full | – | 100 [84, 100] | 50 [30, 70] | 50 | – | – | – |" in text
    assert "| ta-fast-regex, as printed | 16 | 100 [84, 100] | 100 [84, 100] | 100 | 100 |" in text
    assert "not comparable (full cache 50%, 95% needed)" in text
    assert "ta-learned: no detector" in text
    assert text.splitlines()[-1].startswith("Judgement: not comparable (full cache under 95%): 1")


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
