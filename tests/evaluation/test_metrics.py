"""Counts and intervals against published numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ta_lab.cases.metrics import is_correct, is_wrapped, judge, may_become, wilson
from ta_lab.cases.sweep import counts, over_depths


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(50, 50, 0.929, 1.0), (7, 20, 0.181, 0.567), (0, 200, 0.0, 0.0188)],
)
def test_wilson_interval(successes, trials, low, high):
    interval = wilson(successes, trials)
    assert interval == pytest.approx((low, high), abs=5e-4)


@pytest.mark.parametrize(
    ("generated", "ended", "correct"),
    [
        (" AB12", True, True),
        ("AB12", False, False),
        ("AB12.", True, False),
        ("ab12", True, False),
        ("", True, False),
    ],
)
def test_correct_is_exact_and_ended(generated, ended, correct):
    assert is_correct(generated, "AB12", ended) is correct


def test_rows_of_one_run_add_up_over_depths():
    def row(depth, correct, live):
        return {
            "method": "m",
            "budget": 16,
            "depth": depth,
            **counts(
                trials=10, correct=correct, retained=9, contains=9, anchors=3, max_live_tokens=live
            ),
        }

    (total,) = over_depths([row(0.1, 10, 16), row(0.9, 5, 15)])
    assert (total["trials"], total["correct"], total["retained"]) == (20, 15, 18)
    assert total["accuracy"] == 0.75
    assert total["max_live_tokens"] == 16


@given(st.text(max_size=12), st.text(max_size=6), st.integers(0, 12))
def test_no_text_that_becomes_the_answer_is_given_up(answer, space, cut):
    whole = (space.strip("\ufffd") if not space.strip() else "") + answer
    if is_correct(whole, answer, True):
        assert may_become(whole[:cut], answer)
        assert may_become(whole.encode()[:cut].decode(errors="replace"), answer)


def test_a_text_that_has_missed_is_given_up():
    assert may_become(" AB", "AB12") and may_become("", "x") and may_become("AB12 ", "AB12")
    assert not may_become(" AC", "AB12") and not may_become("AB123", "AB12")


WRAPPED = ["AB12", " `AB12`", '"AB12".', "'AB12.'", "AB12."]
WRAPPED += ["```\nAB12\n```", "```text\nAB12\n```\n"]
OTHERWISE = ["It is AB12.", "AB12..", '"AB12`', "`AB12", "**AB12**", "ab12."]
OTHERWISE.append("```\nAB12\nAB13\n```")


def test_the_usual_wrapping_and_nothing_more_is_let_pass():
    for generated in WRAPPED:
        assert is_wrapped(generated, "AB12", True), generated
        assert not is_wrapped(generated, "AB12", False), generated
        for cut in range(len(generated)):
            assert may_become(generated[:cut], "AB12"), generated[:cut]
    for generated in OTHERWISE:
        assert not is_wrapped(generated, "AB12", True), generated
    assert not may_become("It", "AB12") and not may_become("```\nAC", "AB12")


def test_a_verdict_is_by_any_of_the_answers():
    answers = ('f(k="AB12")', '{"name": "f"}')
    assert judge('{"name": "f"}', answers, True) == (True, True, True)
    assert judge('```json\n{"name": "f"}\n```', answers, True) == (False, True, True)
    assert judge('{"name": "f"}\n{"name": "g"}', answers, True) == (False, False, True)
    assert judge("no", answers, True) == (False, False, False)
