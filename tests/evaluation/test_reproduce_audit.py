"""The audit: template, coverage, definitions, attention; long contexts of ``scaling``."""

import itertools
import json
from dataclasses import replace

import pytest
import torch

from ta_lab.benchmarks.footprint import ModelShape
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.runner import CaseRunner
from ta_lab.experiments import audit, scaling
from ta_lab.experiments.audit import answer_ids, answer_probability, definitions
from ta_lab.experiments.experiment import Context
from ta_lab.experiments.running import Job, run_parts
from ta_lab.generators.needle import needle_case
from transactional_attention import Retention, detach, load_embedded


@pytest.fixture
def context(model, tokenizer):
    return Context(lambda: (model, tokenizer), size="quick", trials=1)


def test_the_template_is_the_printed_one(context, tokenizer):
    make = audit.template_cases(context, 380, 20)
    (first,), (second,) = make(tokenizer, 0), make(tokenizer, 1)
    before, statement, after = first.context.split("\n\n")
    assert statement == "The secret code is: XK7M9P2Q"
    assert first.question == "\n\nWhat is the secret code?"
    assert 300 < len(before) <= 380 and len(after) <= 20  # a token is a byte here
    assert first.context[first.values[0].start : first.values[0].end] == first.answer == audit.VALUE
    assert first.context != second.context


def test_coverage_counts_both_ends_and_the_value(model, tokenizer):
    case = needle_case(tokenizer, context=600, depth=0.5, seed=0)
    runner = CaseRunner(model, tokenizer, case, "hidden")
    coverage = audit.covered(runner, Retention(16, "streaming-llm"))
    assert coverage == {"kept": 16, "sinks": 4, "window": 12, "value": 0, "of_value": 8, "lanes": 1}
    kept = audit.covered(runner, Retention(16, "ta"))
    assert kept["value"] == 8 and kept["sinks"] + kept["window"] <= 8


def test_probability_of_an_answer_is_the_product_of_its_tokens(model):
    prompt, answer = [3, 4, 5], [7, 9]
    with torch.inference_mode():
        logs = model(torch.tensor([prompt + answer])).logits[0].double().log_softmax(-1)
    expected = float((logs[2, 7] + logs[3, 9]).exp())
    assert answer_probability(model, prompt, answer) == pytest.approx(expected, rel=1e-4)


def test_definitions_of_a_case(model, tokenizer):
    encoded = encode_case(tokenizer, needle_case(tokenizer, context=300, depth=0.5, seed=1))
    row = definitions(model, tokenizer, encoded)
    ids = torch.tensor([encoded.ids])
    model.set_attn_implementation("eager")
    with torch.inference_mode():
        weights = model(ids, output_attentions=True).attentions
    span = encoded.values[0]
    for layer, seen in enumerate(weights):
        received = seen[0].sum((0, 1))
        largest = received[span.start : span.end].max()
        assert row["epsilon"][layer] == pytest.approx(float(largest), rel=1e-4)
        share = float((received <= largest + 1e-6).double().mean())
        assert row["below"][layer] == pytest.approx(share, abs=0.01)
    answer = answer_ids(model, tokenizer, encoded)
    prompt = encoded.ids + encoded.question
    removed = prompt[: span.start] + prompt[span.end :]
    lost = row["probability"] - answer_probability(model, removed, answer)
    assert row["delta"] == pytest.approx(lost, rel=1e-3, abs=1e-12)
    assert len(row["delta_tokens"]) == len(span)


@pytest.mark.parametrize(("chat", "said"), [(False, " Q7"), (True, "Q7")])
def test_an_answer_in_a_chat_begins_with_its_value(model, tokenizer, chat, said):
    encoded = encode_case(tokenizer, needle_case(tokenizer, context=300, depth=0.5, seed=1))
    case = replace(encoded.case, answer="Q7")
    encoded = replace(encoded, case=case, turns=() if chat else None)
    assert tokenizer.decode(answer_ids(model, tokenizer, encoded)) == said


def test_sums_are_those_of_eager_attention(model, tokenizer):
    ids = torch.randint(0, 90, (1, 40), generator=torch.Generator().manual_seed(1))
    parts = audit.received(model, tokenizer, ids[0, :30].tolist(), ids[0, 30:].tolist())
    detach(model)
    with torch.inference_mode():
        model.set_attn_implementation("eager")
        weights = model(ids, use_cache=False, output_attentions=True).attentions
    for index, layer in enumerate(weights):
        mean = layer[0].mean(0).double()
        for queries, sums in zip((30, 40), parts, strict=True):
            expected = mean[:queries, :queries].sum(0)
            torch.testing.assert_close(sums[index], expected, atol=1e-4, rtol=0)


def test_ranks_and_rows():
    context = Context(load_embedded)
    model, tokenizer = context.loaded
    encoded = encode_case(tokenizer, needle_case(tokenizer, context=256, depth=0.5, seed=0))
    (span,) = encoded.values
    for before, after in audit.value_ranks(model, tokenizer, encoded):
        assert len(before) == len(after) == span.end - span.start
        assert all(1 <= rank <= len(encoded.ids) for rank in (*before, *after))
    rows = audit.dormancy(context, tokens=256, trials=2)["layers"]
    assert [row["layer"] for row in rows] == list(range(model.config.num_hidden_layers))
    for row in rows:
        assert row["trials"] == 2
        assert row["before"]["best"] <= row["before"]["median"] <= row["before"]["worst"]
        assert row["chance"] == pytest.approx(row["positions"] / 2, abs=1)


def test_an_audit_runs_is_rendered_and_goes_on(context, monkeypatch):
    monkeypatch.setattr(audit, "PAPERS", ("ta-fast-semantic",))
    monkeypatch.setattr(audit, "BASELINES", ("streaming-llm", "tova"))
    monkeypatch.setattr(
        Context, "pick", lambda self, quick, default, full: 700 if quick == 1024 else quick
    )
    saved: list = []
    context.save = lambda rows: saved.append(json.loads(json.dumps(rows)))
    record = audit.run(context)
    parts = [row["part"] for row in record["rows"] if "part" in row]
    assert parts == ["coverage"] * 4 + ["rank", "definitions"]
    shown = audit.tables({**record, "experiment": "audit"})
    assert {k["partition"] for k in record["rows"][-5]["kept"]} == {"quarter", "audit"}
    assert "| in the window, question visible | tova | 16 |" in shown
    for text in (
        "depth 0.997",
        "in the window",
        "4, 6, 6",
        "3,847th of 4,000",
        "least epsilon",
        "Critical",
    ):
        assert text in shown
    half = next(rows for rows in saved if any("part" in row for row in rows))
    context.rows, context.save = half, saved.append
    calls = len(saved)
    assert audit.run(context)["rows"] == record["rows"]
    assert len(saved) - calls == sum("part" in row for row in record["rows"]) - 1


def test_jobs_that_a_record_holds_are_not_run_again():
    ran = itertools.count()
    jobs = [Job({"part": "x", "n": n}, lambda: {"value": next(ran)}) for n in range(3)]
    first = run_parts(Context(lambda: None), jobs)
    assert [row["value"] for row in first] == [0, 1, 2]
    assert run_parts(Context(lambda: None, rows=first[:2]), jobs)[2]["value"] == 3


def test_random_weights_in_a_shape(context):
    shape = ModelShape(4, 4, 2, 8, 32, 48, 300, item=2)
    jobs = scaling.shape_jobs(context, 9000, 16, shape)
    assert {(job.key["layers"], job.key["scale"]) for job in jobs} == {(2, 2)}
    scaled = next(job for job in jobs if job.key["method"] == "streaming-llm").run()
    assert 0 < scaled["head_seconds"] < scaled["decode_seconds"]
    jobs = scaling.shape_jobs(context, 300, 16, shape)
    rows = [
        {**job.key, **job.run()}
        for job in jobs
        if job.key["method"] in ("streaming-llm", scaling.EAGER)
    ]
    free, kept = rows
    assert free["layers"] == 4 and free["held_bytes"] == shape.cached(16)
    assert kept["held_bytes"] == shape.attentions(len(scaling._ids(context, 300)))
    shown = scaling.forwards({"rows": rows})
    assert "streaming-llm" in shown and scaling.EAGER in shown


def test_eager_attention_that_would_not_fit_is_not_run():
    row = scaling.eager(None, ModelShape(16, 32, 8, 64, 2048, 8192, 128_256), [0] * 7168)
    assert row["formula_bytes"] > 50e9 and "not_run" in row


def test_scaling_runs_and_is_rendered(context, monkeypatch):
    monkeypatch.setattr(scaling, "METHODS", ("ta-fast-semantic", "streaming-llm"))
    longest = context.loaded[0].config.max_position_embeddings
    monkeypatch.setattr(
        Context,
        "pick",
        lambda self, q, d, f: ((400, 32), (longest + 200, 32)) if d is scaling.LENGTHS else q,
    )
    record = scaling.run(context)
    kinds = [row.get("part", "cells") for row in record["rows"]]
    assert kinds.count("model") == 15 and kinds.count("forward") == 3
    shown = scaling.tables({**record, "experiment": "scaling"})
    for text in ("52.61", ">50", "4.5 GB"):
        assert text in shown
