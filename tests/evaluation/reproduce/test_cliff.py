"""Where the error rises most; unlabelled values beside the paper's figure."""

from reproduce_rows import row
from ta_lab.experiments import cliff, get_experiment
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.paper import figures
from ta_lab.experiments.plan import FULL, Arm


def record(**curves):
    rows = [row("needle", "bbbb", FULL)]
    for method, marks in curves.items():
        for budget, answered in marks.items():
            rows.append(row("needle", answered, Arm(method.replace("_", "-"), budget)))
    return {"rows": rows}


def test_the_steepest_rise_is_found_and_the_cited_one_recognised():
    shown = cliff.render(record(tova={1024: "bbbb", 205: "----"}, ta={1024: "bbbb", 205: "bbbb"}))
    assert "- tova: by 100 points between 75% and 95%, a cliff" in shown
    assert "- ta: it rises nowhere between these budgets" in shown
    assert shown.splitlines()[-1] == (
        "Judgement: not comparable (the protocol of the work that the paper cites is unstated); "
        "a cliff across its 90% is seen for tova."
    )


def test_a_rise_elsewhere_is_no_support():
    shown = cliff.render(record(tova={2048: "----", 205: "----"}, h2o={410: "bbb-", 205: "bb--"}))
    assert "- tova: by 100 points between 0% and 50%, a cliff" in shown
    assert "none of the methods" in shown.splitlines()[-1]


def test_a_model_that_fails_with_everything_is_not_compared():
    found = record(tova={205: "----"})
    found["rows"][0] = row("needle", "bk--", FULL)
    assert "not comparable" in cliff.render(found).splitlines()[-1]


def test_errors_are_shares_of_what_is_wrong():
    shown = cliff.render(record(tova={205: "bk--"}))
    assert "| tova | answers wrong | 0 [0, 49] | 75 [30, 95] |" in shown
    assert "| tova | value cut or gone | 0 [0, 49] | 50 [15, 85] |" in shown


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
