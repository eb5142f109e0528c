"""Where the error rises most; unlabelled values beside the paper's figure."""

from ta_lab.experiments import get_experiment
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.paper import figures


def test_budgets_reach_from_half_to_the_papers_compression(tokenizer):
    (block,) = get_experiment("cliff").blocks(Context(lambda: (None, tokenizer), size="full"))
    budgets = {arm.budget for arm in block.arms} - {None}
    assert len(budgets) == 13 and (max(budgets), min(budgets)) == (2048, 16)


def test_a_curve_is_run_over_one_prefill(model, tokenizer):
    found = get_experiment("cliff").run(Context(lambda: (model, tokenizer), size="quick"))
    kept = {(r["method"], r["preset"], r["budget"]): r["retained"] for r in found["rows"]}
    assert kept["full", "default", None] == 1 and kept["ta", "default", 102] == 1
    assert kept["streaming-llm", "default", 102] == 0
    quick = {"provenance": {"arguments": {"size": "quick"}}}
    assert "90.04% (K=102)" in get_experiment("cliff").render({**found, **quick})


def test_the_papers_unlabelled_figure_stands_beside_its_variants(tokenizer):
    (figure,) = figures("unstructured")
    context = Context(lambda: (None, tokenizer), size="default")
    keys = [b.key(arm) for b in get_experiment("unstructured").blocks(context) for arm in b.arms]
    beside = [key for key in keys if figure.about(key)]
    assert {key["method"] for key in beside} == {"ta-fast-regex", "ta-fast-semantic"}
    assert {key["preset"] for key in beside} == {"paper", "default"}
