"""The needle: every baseline in each of its settings; a curve over compression."""

import pytest

from ta_lab.cases.cases import Case
from ta_lab.experiments.catalogue import get_experiment
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.needle import BASELINES
from ta_lab.experiments.plan import Arm, Block, arms, task_cases
from ta_lab.experiments.running import run_blocks
from transactional_attention import Retention


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
            matches = [arm for arm in block.arms if arm.method == method and arm.budget in (16, 64)]
            settings = {(arm.ledger, arm.tail) for arm in matches}
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


def test_a_curve_is_run_over_one_prefill(model, tokenizer):
    record = get_experiment("cliff").run(Context(lambda: (model, tokenizer), size="quick"))
    kept = {(r["method"], r["preset"], r["budget"]): r["retained"] for r in record["rows"]}
    assert kept["full", "default", None] == 1 and kept["ta", "default", 102] == 1
    assert kept["streaming-llm", "default", 102] == 0
