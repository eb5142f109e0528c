"""Counts from marks, sums over blocks, and cells beside the paper's figures."""

import pytest

from report_records import row
from ta_lab.cases.runner import Outcome
from ta_lab.experiments.beside import (
    LOOSER,
    Count,
    cells_of,
    count_of,
    figures_beside,
    measures,
    tables,
)
from ta_lab.experiments.exact_tests import fisher
from ta_lab.experiments.marks import mark
from ta_lab.experiments.plan import FULL, Arm
from ta_lab.markdown import share


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


def test_answers_that_are_not_exact_are_told_where_there_are_some():
    marks = "".join(mark(told(kept, best)) for kept in (1, 0) for best in (3, 2, 1, 0))
    record = row("needle", marks)
    counted = [record[name] for name in ("retained", "correct", "wrapped", "contains")]
    assert counted == [4, 2, 4, 6] and (record["trials"], record["correct_of_retained"]) == (8, 1)
    assert record["ci95"][0] < 0.25 < record["ci95"][1]
    assert measures(record) == ("answers",)
    assert count_of(record) == Count(8, 4, 2, 4, 6)
    shown = tables({"experiment": "alike", "rows": [record]})
    assert "| 25 [7, 59] / 50 / 75 | 50 [22, 78] |" in shown and LOOSER in shown
    exact = tables({"experiment": "alike", "rows": [row("needle", "bk-")]})
    assert LOOSER not in exact


def test_a_sum_has_every_block_of_its_group():
    other = Arm("tova", 16)
    rows = [
        row("12", "b-", groups=("overall",)),
        row("32", "bbb", groups=("overall",)),
        row("12", "--", other, groups=("overall",)),  # lacks the block "32"
    ]
    (added,) = [r for r in cells_of({"rows": rows}) if r["block"] == "overall"]
    assert (added["method"], count_of(added)) == ("ta", Count(5, 4, 4, 4, 4))
    assert (added["contexts"], added["trials"]) == (5, 5)


PRINTED, BUILT, TOVA = (
    Arm("ta-fast-regex", 16, preset="paper"),
    Arm("ta-fast-regex", 16),
    Arm("tova", 16),
)
ALONE = Arm("ta-fast-regex", 16, preset="paper", sponsored=False)
ROWS = [row("needle", 18 * "b" + "--", FULL), row("needle", 9 * "b" + 11 * "k", PRINTED),
        row("needle", 20 * "b", BUILT), row("needle", 20 * "-", ALONE),
        row("needle", 20 * "-", TOVA)]  # fmt: skip


def test_cells_stand_beside_the_papers_figures_and_what_the_full_cache_answers():
    shown = tables({"experiment": "needle", "rows": ROWS})
    assert (
        "| needle | ta-fast-regex, as printed | 16 | 100 (Table 1) | 45 [26, 66] | 100 [84, 100] "
        "| 90 | 20 |" in shown
    )
    assert "| needle | tova | 16 | 0 (Table 1) | 0 [0, 16] | 0 [0, 16] | 90 | 20 |" in shown
    assert "| [93%, 100%] | ta-fast-regex keeps 100 [84, 100], 0 of 20 without" in shown
    assert "DynamicKV" not in shown and "| dynamickv | needle, K=16 | 0 |" in shown  # no line of it


def test_every_figure_of_a_page_is_of_the_method_as_printed_if_that_was_run():
    lines = list(figures_beside({"experiment": "needle", "rows": ROWS}))
    assert [(line[0], line[2], line[4]) for line in lines] == [
        ("Table 1", "ta-fast-regex, as printed", "100"),
        ("section 4.2", "ta-fast-regex, as printed, without sponsorship", "0"),
        ("Table 1", "tova", "0"),
    ]
    built = [row for row in ROWS if row["preset"] != "paper"]
    lines = figures_beside({"experiment": "needle", "rows": built})
    assert [line[2] for line in lines] == ["ta-fast-regex", "tova"]


def test_all_and_none_are_said_of_all_and_none_alone():
    assert share(200, 200) == "100 [98, 100]"
    assert share(199, 200) == "99.5 [97, 99.9]"
    assert share(1, 1000) == "0.1 [0.02, 1]"
    assert share(0, 2000) == "0 [0, 0.2]"
