"""Where the error rises most; unlabelled values beside the paper's figure."""

from ta_lab.experiments import cliff, get_experiment
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.paper import figures


def test_budgets_reach_from_half_to_the_papers_compression():
    ratios = cliff.RATIOS[-1]
    assert [cliff.budget_at(r, 4096) for r in (ratios[0], ratios[-1])] == [2048, 16]


def test_a_curve_is_run_over_one_prefill(model, tokenizer, monkeypatch):
    monkeypatch.setattr(cliff, "OTHERS", (("streaming-llm",),) * 3)
    monkeypatch.setattr(cliff, "LENGTHS", (400, 400, 400))
    monkeypatch.setattr(cliff, "RATIOS", ((0.5, 0.9),) * 3)
    found = cliff.EXPERIMENT.run(Context(lambda: (model, tokenizer), size="quick"))
    kept = {(r["method"], r["preset"], r["budget"]): r["retained"] for r in found["rows"]}
    assert kept["full", "default", None] == 1 and kept["ta", "default", 40] == 1
    assert kept["streaming-llm", "default", 40] == 0
    quick = {"provenance": {"arguments": {"size": "quick"}}}
    assert "90% (K=40)" in cliff.render({**found, **quick})


def test_the_papers_unlabelled_figure_stands_beside_its_variants(tokenizer):
    (figure,) = figures("unstructured")
    context = Context(lambda: (None, tokenizer), size="default")
    keys = [b.key(arm) for b in get_experiment("unstructured").blocks(context) for arm in b.arms]
    beside = [key for key in keys if figure.about(key)]
    assert {key["method"] for key in beside} == {"ta-fast-regex", "ta-fast-semantic"}
    assert {key["preset"] for key in beside} == {"paper", "default"}
