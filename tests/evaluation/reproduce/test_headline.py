"""The headline: every baseline in its best honest setting, ours in one; the safety cliff."""

import pytest

from ta_lab.cases.cases import Case
from ta_lab.experiments import Context, get_experiment
from ta_lab.experiments.counting import is_baseline
from ta_lab.experiments.plan import CONTROLS, Arm, Block, arms, task_cases
from ta_lab.experiments.running import run_blocks
from transactional_attention import Retention
from transactional_attention.methods.registry import ALL_METHODS

BASELINES = ("tova", "h2o", "snapkv", "streaming-llm", "pyramidkv", "dynamickv")


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


def test_a_curve_is_run_over_one_prefill(model, tokenizer):
    found = get_experiment("cliff").run(Context(lambda: (model, tokenizer), size="quick"))
    kept = {(r["method"], r["preset"], r["budget"]): r["retained"] for r in found["rows"]}
    assert kept["full", "default", None] == 1 and kept["ta", "default", 102] == 1
    assert kept["streaming-llm", "default", 102] == 0
    quick = {"provenance": {"arguments": {"size": "quick"}}}
    assert "90.04% (K=102)" in get_experiment("cliff").render({**found, **quick})
    other = {"provenance": {"arguments": {"tokens": 2048}}}  # by --tokens
    assert "95.02% (K=102)" in get_experiment("cliff").render({**found, **other})
