"""Every experiment's plan: cells named once, a full cache everywhere, the paper's figures found."""

from collections import defaultdict

import pytest

from ta_lab.cases.encoding import encode_case
from ta_lab.experiments.catalogue import EXPERIMENTS, get_experiment
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.paper import OF_CASES, figures, figures_for
from ta_lab.experiments.plan import READ_MODEL, READ_TEXT, cell_of, with_controls
from transactional_attention import UnknownNameError
from transactional_attention.methods.registry import get_method

OF_THE_PAPER = (
    "needle", "toolcall", "models", "confusers", "variants", "multislot", "formats", "hardmode",
    "abuse", "unstructured",
)  # fmt: skip
ASKING = [name for name, experiment in EXPERIMENTS.items() if experiment.blocks is not None]


@pytest.fixture(params=["quick", "default", "full"])
def context(request, tokenizer):
    return plan_context(tokenizer, size=request.param)


def plan_context(tokenizer, **settings):
    names = ("llama3", "mistral_v3")
    others = {name: lambda: tokenizer for name in names}
    return Context(lambda: (None, tokenizer), tokenizers=others, **settings)


@pytest.mark.parametrize("name", ASKING)
def test_cells_are_named_once_beside_a_full_cache_and_controls_at_each_budget(name, context):
    plain = get_experiment(name).blocks(context)
    blocks = with_controls(context, plain)
    cells = [cell_of(block.key(arm)) for block in blocks for arm in block.arms]
    assert len(cells) == len(set(cells))
    ran = defaultdict(set)
    for block in blocks:
        assert block.contexts >= 1
        for arm in block.arms:
            assert get_method(arm.method).unlimited is (arm.budget is None)
            ran[block.name, block.protocol].add((arm.method, arm.budget))
    for block in plain:
        assert "full" in {arm.method for arm in block.arms}
        budgets = {arm.budget for arm in block.arms if arm.budget}
        asked = block.answered and block.tokenizer is None
        names = (*READ_TEXT, *READ_MODEL) if asked else READ_TEXT
        controls = {(m, b) for m in names for b in budgets if context.size != "quick"}
        assert controls <= ran[block.name, block.protocol]
    assert context.size != "quick" or blocks == list(plain)


@pytest.mark.parametrize("name", OF_THE_PAPER)
def test_every_figure_of_the_paper_stands_beside_a_cell(name, tokenizer):
    rows = []
    for model in ("Llama-3.2-1B", "Mistral-7B-v0.3", "embedded"):
        for block in get_experiment(name).blocks(plan_context(tokenizer, size="full", model=model)):
            for arm in block.arms:
                rows += [block.key(arm) | {"block": b} for b in (block.name, *block.groups)]
    assert figures(name)
    lonely = [f"{f.name}, line {f.line}" for f in figures(name) if not any(map(f.about, rows))]
    assert lonely == []


@pytest.mark.parametrize("name", ASKING)
def test_trials_are_new_cases_and_the_same_for_the_same_seed(name, tokenizer):
    block = get_experiment(name).blocks(plan_context(tokenizer, size="quick"))[-1]
    again = get_experiment(name).blocks(plan_context(tokenizer, size="quick"))[-1]
    other = get_experiment(name).blocks(plan_context(tokenizer, size="quick", seed=1))[-1]
    first = block.make(tokenizer, 0)
    assert first == again.make(tokenizer, 0)
    assert first[0].context != block.make(tokenizer, 1)[0].context
    assert first[0].context != other.make(tokenizer, 0)[0].context
    assert encode_case(tokenizer, first[0]).values


@pytest.mark.parametrize(
    ("model", "values"),
    [
        ("embedded", [80, 35, 45, 0]),
        ("Llama-3.1-8B-Instruct", [75, 30, 40, 0]),
        ("Mistral-7B-v0.3", [60, 0, 25, 0]),
    ],
)
def test_a_run_stands_beside_the_column_of_its_model(model, values):
    model_figures = figures_for("confusers", model)
    assert [figure.value for figure in model_figures if figure.table == "Table 7"] == values
    assert len([figure for figure in model_figures if figure.table == "Table 8"]) == 6
    shares = tuple(figure for figure in figures("needle") if figure.unit == OF_CASES)
    assert figures_for("needle", model) == shares


def test_every_experiment_exposes_itself():
    for name in EXPERIMENTS:
        experiment = get_experiment(name)
        assert experiment.name == name and experiment.place and experiment.summary
    assert set(OF_THE_PAPER) <= set(EXPERIMENTS)
    with pytest.raises(UnknownNameError, match="needle"):
        get_experiment("needel")
