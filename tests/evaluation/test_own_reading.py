"""SideQuest and TRIM-KV in a sweep: a turn ends, a prompt streams, and both are charged."""

from dataclasses import replace

import pytest
import torch

from gate_files import write_gates
from ta_lab.baselines.gates import use_gates
from ta_lab.baselines.side_quest import SideBranch
from ta_lab.cases.cases import Case, CaseSource, Value
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.runner import CaseRunner, observed_by, tool_outputs
from ta_lab.cases.sweep import NeedleSweep, on_transformers, run_needle
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill

LINES = [f"On day {day} the plants were watered and lunch was late." for day in range(40)]
LINES[10] = "The secret code is: QX7K93ZP"
CONTEXT = "\n".join(LINES)
VALUE = CONTEXT.index("QX7K93ZP")
CASE = Case(
    "days",
    CONTEXT,
    "\nWhat is the secret code?",
    "QX7K93ZP",
    (Value(VALUE, VALUE + 8, "secret code"),),
)


@pytest.fixture
def model(tokenizer, tmp_path):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=8192)
    use_gates(model, write_gates(model, tmp_path / "gates.safetensors"))
    return model


@pytest.fixture
def reply(monkeypatch):
    """What the model says in a side branch, set by the test; the request is fed all the same."""
    replies, ask = ["none"], SideBranch.__call__

    def answer(branch, request):
        ask(branch, request)
        return replies[0]

    monkeypatch.setattr(SideBranch, "__call__", answer)
    return replies


def run(model, tokenizer, case, *retentions, protocol="hidden"):
    runner = CaseRunner(model, tokenizer, case, protocol, observed_by(retentions))
    return runner, [runner.run(retention) for retention in retentions]


def outputs(tokenizer):
    """Positions of the outputs that the case's text is taken for."""
    spans = [item.span for item in tool_outputs(encode_case(tokenizer, CASE))]
    return [range(span.start, span.end) for span in spans]


def held(outcome):
    return {p for p in outcome.kept if p < len(CONTEXT)}


@pytest.mark.parametrize("protocol", ["hidden", "visible"])
def test_a_turn_ends_after_the_context_and_is_charged(model, tokenizer, reply, protocol):
    retentions = [Retention(budget, "sidequest") for budget in (600, 24)]
    _, (plain, _) = run(model, tokenizer, CASE, *retentions, protocol=protocol)
    reply[0] = "2"
    _, (wide, narrow) = run(model, tokenizer, CASE, *retentions, protocol=protocol)
    second = outputs(tokenizer)[1]
    # what was deleted makes room: the budget reaches further back than the newest alone
    assert len(wide.kept) == len(plain.kept)
    assert not held(wide) & set(second) and held(plain) & set(second)
    assert wide.deleted_tokens == narrow.deleted_tokens == len(second)
    assert plain.deleted_tokens == 0
    assert plain.pass_tokens == wide.pass_tokens == narrow.pass_tokens > 100
    assert narrow.max_live_tokens == 24 and narrow.pass_seconds > 0


def test_one_turn_end_serves_all_budgets_and_the_twin_vetoes(model, tokenizer, reply):
    reply[0] = "1, 2, 3"
    retentions = [Retention(b, m) for m in ("sidequest", "ta+sidequest") for b in (24, 64)]
    runner, outcomes = run(model, tokenizer, CASE, *retentions)
    assert len(runner._judged) == 2
    assert [outcome.retained for outcome in outcomes] == [False, False, True, True]
    base, twin = outcomes[0].deleted_tokens, outcomes[2].deleted_tokens
    assert len(CONTEXT) - 8 < base < len(CONTEXT)  # sinks and the newest stay
    assert 0 < twin <= base - 8  # what holds a value stays


def test_a_judge_without_a_verdict_deletes_nothing_and_is_charged(model, tokenizer, reply):
    reply[0] = "I would rather not say"
    _, (outcome,) = run(model, tokenizer, CASE, Retention(64, "sidequest"))
    _, (newest,) = run(model, tokenizer, CASE, Retention(64, "streaming-llm"))
    assert outcome.kept == newest.kept and outcome.deleted_tokens == 0
    assert outcome.pass_tokens > 0 == newest.pass_tokens


def test_tool_outputs_that_a_case_names_are_the_ones_on_offer(model, tokenizer, reply):
    sources = (CaseSource(0, 100, "user"), CaseSource(100, 400, "tool"))
    case, reply[0] = replace(CASE, sources=sources), "1"
    _, (outcome,) = run(model, tokenizer, case, Retention(None, "sidequest"))
    assert outcome.deleted_tokens == 300
    assert held(outcome).isdisjoint(range(100, 400))


@pytest.mark.parametrize("method", ["trim-kv", "ta+trim-kv"])
@pytest.mark.parametrize("protocol", ["hidden", "visible"])
def test_trim_kv_cuts_while_it_reads(model, tokenizer, method, protocol):
    retention = Retention(48, method)
    runner, (outcome,) = run(model, tokenizer, CASE, retention, protocol=protocol)
    prompt = torch.tensor([runner.prompt])
    original = RetentionCache(model, tokenizer, retention)
    prefill(model, prompt, original, chunk=128)
    with torch.no_grad():
        logits = model(prompt[:, -1:], past_key_values=original, logits_to_keep=1).logits[0, -1]
    cache = runner.compress(retention)
    for ours, theirs in zip(cache.flow.tables.values(), original.flow.tables.values(), strict=True):
        assert (ours.positions == theirs.positions).all()
    assert cache.ledger.between == 48 and cache.ledger.within == 48 + 128
    torch.testing.assert_close(runner._streamed[cache].logits, logits)
    assert outcome.pass_tokens == len(runner.prompt) and outcome.pass_seconds > 0
    assert outcome.max_live_tokens == 48
    assert outcome.retained == (method == "ta+trim-kv")


def test_rows_of_a_sweep_tell_what_both_cost(model, tokenizer, reply):
    methods = ("streaming-llm", "sidequest", "ta+sidequest", "trim-kv")
    base = Retention(budget=None)
    sweep = NeedleSweep(methods, (24,), (0.5,), 1, 1500, "hidden", "anchor-free", 0, base)
    rows = {
        row["method"]: row
        for row in run_needle(on_transformers(model, tokenizer), tokenizer, sweep)
    }
    assert "pass_tokens" not in rows["streaming-llm"]
    assert rows["trim-kv"]["pass_tokens"] > 1400 and "deleted_tokens" not in rows["trim-kv"]
    for name in ("sidequest", "ta+sidequest"):
        assert rows[name]["pass_tokens"] > 100 and rows[name]["deleted_tokens"] == 0
