"""Verdicts, the order of methods and the judgement follow from rows and the paper's figures."""

from __future__ import annotations

import pytest

from reproduce_rows import row
from transactional_attention.evaluation.reproduce.comparing import (
    ABOVE,
    BELOW,
    SAME,
    ablations,
    compare,
    judged,
    judgement,
)
from transactional_attention.evaluation.reproduce.paper import Figure
from transactional_attention.evaluation.reproduce.plan import FULL, Arm
from transactional_attention.evaluation.reproduce.rendering import render

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


def test_the_judgement_counts_verdicts_and_orders():
    known = [figure("ta-fast-regex", 100), figure("tova", 0)]
    full = row("needle", ALL, FULL)
    good = [full, row("needle", ALL, PRINTED), row("needle", NONE, TOVA)]
    assert judgement(good, known) == (
        "Judgement, 2 figures of the paper: answers 2 as in the paper; whole values kept 2 as in "
        "the paper; the order of methods by values kept holds in 1 of 1 pairs."
    )
    reversed_ = [full, row("needle", NONE, PRINTED), row("needle", ALL, TOVA)]
    assert "0 of 1 pairs" in judgement(reversed_, known)
    assert "none" in judgement([full], known)


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
    assert text.splitlines()[-1].startswith("Judgement, 1 figures")
    quick = {"experiment": "needle", "rows": rows, "provenance": {"arguments": {"size": "quick"}}}
    assert render(quick).endswith("Judgement: none, a quick run.")
