"""The headline: every baseline in its best honest setting, ours in one."""

from dataclasses import replace

import pytest

from reproduce_rows import row
from ta_lab.cases.cases import Case
from ta_lab.experiments import Context, get_experiment
from ta_lab.experiments.comparing import against_best, is_baseline, main_cells
from ta_lab.experiments.plan import CONTROLS, FULL, Arm, Block, arms, task_cases
from ta_lab.experiments.rendering import headline, render
from ta_lab.experiments.running import run_blocks
from transactional_attention import Retention
from transactional_attention.methods.registry import ALL_METHODS

BASELINES = ("tova", "h2o", "snapkv", "streaming-llm", "pyramidkv", "dynamickv")
TA, TOVA = Arm("ta", 16), Arm("tova", 16)
PRINTED = Arm("ta-fast-semantic", 16, preset="paper")


def first(count, total=20):
    return count * "b" + (total - count) * "-"


def record_rows(full=20):
    return [
        row("needle", full * "b" + (20 - full) * "k", FULL),
        row("needle", first(20), TA),
        row("needle", first(9), PRINTED),
        row("needle", first(0), TOVA),
        row("needle", first(2), replace(TOVA, ledger="on-top")),
        row("needle", first(5), replace(TOVA, tail=True)),
        row("needle", first(11), TOVA, protocol="visible"),
        row("needle", first(18), replace(TOVA, tail=True), protocol="visible"),
        row("needle", first(1), Arm("h2o", 16)),
        row("needle", first(20), Arm("oracle", 16)),
        row("needle", first(20), Arm("ta+tova", 16)),
        row("needle", first(20), TA, protocol="visible"),
    ]


def test_the_best_of_all_settings_stands_beside_ours():
    tova, h2o = against_best(record_rows())
    assert (tova.best["protocol"], tova.best["tail"], tova.settings) == ("visible", True, 5)
    assert {name: word for name, (_, word) in tova.ours.items()} == {
        "ta": "not told apart", "ta-fast-semantic, as printed": "behind",
    }  # fmt: skip
    assert (h2o.best["method"], h2o.settings, h2o.ours["ta"][1]) == ("h2o", 1, "ahead")


def test_the_table_names_the_setting_and_counts_cells():
    text = headline(record_rows())
    line = "| needle | 16 | answers | tova | question visible, strict, 4 sinks and the tail | 90 ["
    assert line in text
    assert "| h2o | question hidden, strict | 5 [" in text
    assert "ta is ahead in 1, not told apart in 1, behind in 0 of 2 cells" in text
    assert "### Each baseline's best setting" in render(
        {"experiment": "needle", "rows": record_rows()}
    )
    one = [r for r in record_rows() if r["method"] != "tova"]
    assert headline(one) == ""  # nothing to choose from


def test_a_model_that_fails_with_everything_is_compared_by_values_kept():
    assert "| needle | 16 | values kept | tova |" in headline(record_rows(full=10))


def test_cells_with_other_ends_are_no_main_cells():
    kept = main_cells(record_rows())
    assert [r["method"] for r in kept if r.get("tail")] == []
    assert len([r for r in kept if r["method"] == "tova"]) == 1


def test_baselines_are_what_is_neither_ours_nor_a_control():
    found = {name for name in ALL_METHODS if is_baseline(name)}
    assert {*BASELINES, "keydiff", "streaming-llm"} <= found
    assert not found & {*CONTROLS, "full", "ta", "ta-full", "ta-fast-regex", "ta+tova"}


@pytest.mark.parametrize(("budget", "recent"), [(16, 4), (64, 8), (256, 8)])
def test_the_third_setting_keeps_sinks_and_the_tail(budget, recent):
    case = Case("a", "text", "?", "text", ())
    given = Arm("tova", budget, tail=True).retention(case, 0)
    assert (given.sinks, given.recent) == (4, recent)
    assert Arm("tova", budget).retention(case, 0) == Retention(budget, "tova")


@pytest.mark.parametrize("size", ["default", "full"])
def test_the_needle_runs_every_baseline_in_three_settings(size):
    for block in get_experiment("needle").blocks(Context(lambda: (None, None), size=size)):
        for method in BASELINES:
            own = [arm for arm in block.arms if arm.method == method and arm.budget in (16, 64)]
            settings = {(arm.ledger, arm.tail) for arm in own}
            hidden = {("on-top", False)} if block.protocol == "hidden" or size == "full" else set()
            assert settings == {("strict", False), ("strict", True), *hidden}


def test_every_baseline_runs_with_sinks_and_the_tail(model, tokenizer):
    context = Context(lambda: (model, tokenizer))
    make = task_cases(context, "needle", tokens=300)
    rows = run_blocks(context, [Block("n", make, 1, arms(BASELINES, (16, 64), tail=True))])["rows"]
    assert [row["refused"] for row in rows if "refused" in row] == []
    assert all(row["tail"] and row["contexts"] == 1 for row in rows)
    by_layer = {"pyramidkv", "dynamickv"}  # some layers hold more than K, others less
    even = [row for row in rows if row["method"] not in by_layer]
    assert all(row["max_live_tokens"] <= row["budget"] for row in even)
