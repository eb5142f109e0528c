"""lm-evaluation-harness: our model in its own run of a local task, and its figures by hand."""

import json
import sys
from importlib.util import find_spec

import pytest
import torch

from ta_lab.generators.needle import needle_case
from transactional_attention.errors import UnsupportedError
from transactional_attention.models.embedded import load_embedded

NEEDS = pytest.mark.skipif(find_spec("lm_eval") is None, reason="needs lm-eval: run .ci/extras")
pytestmark = pytest.mark.filterwarnings("ignore")
TASK = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: "{data}"}}}}
test_split: test
output_type: {kind}
doc_to_text: "{{{{text}}}}"
target_delimiter: " "
"""
GENERATE = """
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\\n"], max_gen_toks: 24, do_sample: false}
metric_list: [{metric: exact_match}]
filter_list: [{name: none, filter: [{function: remove_whitespace}, {function: take_first}]}]
"""
CHOOSE = """
doc_to_choice: "{{choices}}"
doc_to_target: 0
metric_list: [{metric: acc}]
"""


def test_without_it_one_clear_line(monkeypatch):
    name = "transactional_attention.engines.lm_eval"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "lm_eval", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UnsupportedError, match="lm-eval is not installed: in a clone"):
        __import__(name, fromlist=["RetentionLM"])


@pytest.fixture
def wrapper(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "datasets"))
    from transactional_attention.engines import lm_eval  # noqa: PLC0415  (an extra)

    return lm_eval.RetentionLM


@pytest.fixture(scope="module")
def cases():
    _, tokenizer = load_embedded()
    return [needle_case(tokenizer, context=300, depth=0.3, seed=seed) for seed in (2, 3)]


@pytest.fixture
def run(tmp_path, cases):
    """Results of both tasks with a model."""
    from lm_eval import simple_evaluate  # noqa: PLC0415  (an extra)
    from lm_eval.tasks import TaskManager  # noqa: PLC0415

    data = tmp_path / "cases.jsonl"
    lines = [
        {"text": case.context + case.question, "answer": case.answer,
         "choices": [case.answer, case.answer[::-1], other.answer]}
        for case, other in zip(cases, reversed(cases), strict=True)
    ]  # fmt: skip
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name, kind, rest in (
        ("ta_asked", "generate_until", GENERATE), ("ta_chosen", "multiple_choice", CHOOSE)
    ):  # fmt: skip
        head = TASK.format(name=name, data=data, kind=kind)
        (tmp_path / f"{name}.yaml").write_text(head + rest)
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)

    def results(model):
        scores = simple_evaluate(
            model=model, tasks=["ta_asked", "ta_chosen"], task_manager=manager,
            bootstrap_iters=0, log_samples=False,
        )["results"]  # fmt: skip
        return scores["ta_asked"]["exact_match,none"], scores["ta_chosen"]["acc,none"]

    return results


@NEEDS
def test_a_local_task_under_retention_and_without_the_value(wrapper, run):
    assert run(wrapper(budget=48, batch_size=2)) == (1.0, 1.0)
    assert run(wrapper(budget=16, method="streaming-llm"))[0] == 0.0


@NEEDS
def test_the_registry_knows_it(wrapper):
    from lm_eval.api.registry import get_model  # noqa: PLC0415  (an extra)

    made = get_model("transactional-attention").create_from_arg_string("budget=32,method=tova")
    assert isinstance(made, wrapper)
    assert (made.retention.budget, made.retention.method) == (32, "tova")


@NEEDS
def test_scores_of_a_full_cache_are_those_of_the_model(wrapper, cases):
    lm = wrapper(budget=None, method="full")
    context = lm.tok_encode(cases[0].context)
    given = [lm.tok_encode(f" {case.answer}", add_special_tokens=False) for case in cases]
    requests = [(("context", "x"), context, ids) for ids in given]
    requests.append((None, context[:1], context[1:40]))
    scores = lm._loglikelihood_tokens(requests)
    for (_, before, after), (nats, greedy) in zip(requests, scores, strict=True):
        with torch.no_grad():
            logits = lm.model(torch.tensor([before + after])).logits[0].float()
        chances = torch.log_softmax(logits[len(before) - 1 : -1], -1)
        expected = chances.gather(1, torch.tensor(after)[:, None])[:, 0]
        assert nats == pytest.approx(float(expected.sum()), abs=1e-3)
        assert greedy == (chances.argmax(-1).tolist() == after)


@NEEDS
def test_a_context_that_is_shared_scores_as_one_alone(wrapper, cases):
    lm = wrapper(budget=48)
    context = lm.tok_encode(cases[0].context + cases[0].question)
    given = [lm.tok_encode(f" {case.answer}", add_special_tokens=False)[:n]
             for case, n in zip(cases, (9, 4), strict=True)]  # fmt: skip
    requests = [(("context", "x"), context, ids) for ids in given]
    together = lm._loglikelihood_tokens(requests)
    alone = [lm._loglikelihood_tokens([request])[0] for request in requests]
    assert [nats for nats, _ in together] == pytest.approx([n for n, _ in alone], abs=1e-4)
    assert [g for _, g in together] == [g for _, g in alone]
