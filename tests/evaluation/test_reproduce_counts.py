"""Fisher's test against published tables; counts from marks; sums over blocks."""

import pytest

from report_records import row
from ta_lab.cases.runner import Outcome
from ta_lab.experiments.counting import Count, count_of, measures, with_sums
from ta_lab.experiments.exact_tests import fisher
from ta_lab.experiments.plan import Arm
from ta_lab.experiments.rendering import LOOSER_TOLD, render
from ta_lab.experiments.running import mark


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ((3, 4), (1, 4), 0.4857),  # Fisher's lady tasting tea
        ((1, 12), (9, 12), 0.002759),  # dieting and gender, a common worked example
        ((5, 10), (5, 10), 1.0),
        ((0, 10), (0, 10), 1.0),
    ],
)
def test_fisher_agrees_with_worked_examples(first, second, p):
    assert fisher(*first, *second) == pytest.approx(p, rel=2e-4)
    assert fisher(*second, *first) == pytest.approx(p, rel=2e-4)


def told(retained, best):
    """An outcome; ``best``: 3 exact, 2 in its wrapping, 1 contained, 0 none of them."""
    levels = {"correct": best == 3, "wrapped": best >= 2, "contains": best >= 1}
    return Outcome([], bool(retained), 0, 0, 0, **levels)


def test_answers_that_are_not_exact_have_columns_of_their_own_where_there_are_some():
    marks = "".join(mark(told(kept, best)) for kept in (1, 0) for best in (3, 2, 1, 0))
    found = row("needle", marks)
    counted = [found[name] for name in ("retained", "correct", "wrapped", "contains")]
    assert counted == [4, 2, 4, 6] and (found["trials"], found["correct_of_retained"]) == (8, 1)
    assert found["ci95"][0] < 0.25 < found["ci95"][1]
    assert measures(found) == ("answers",)
    assert count_of(found) == Count(8, 4, 2, 1, 4, 6)
    shown = render({"experiment": "needle", "rows": [found]})
    line = next(part for part in shown.splitlines() if part.startswith("| ta |"))
    shares = [cell.split()[0] for cell in line.split("|")[3:8]]
    assert shares == ["50", "25", "50", "75", "25"]
    assert "contained, %" in shown and LOOSER_TOLD in shown
    exact = render({"experiment": "needle", "rows": [row("needle", "bk-")]})
    assert "contained" not in exact


def test_a_sum_has_every_block_of_its_group():
    other = Arm("tova", 16)
    rows = [
        row("12", "b-", groups=("overall",)),
        row("32", "bbb", groups=("overall",)),
        row("12", "--", other, groups=("overall",)),  # lacks the block "32"
    ]
    (added,) = [r for r in with_sums(rows) if r["block"] == "overall"]
    assert (added["method"], count_of(added)) == ("ta", Count(5, 4, 4, 4, 4, 4))
    assert (added["contexts"], added["trials"]) == (5, 5)
