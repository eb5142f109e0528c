"""Small runs of the benchmarks of speed: which rows there are, what they read; no time."""

import pytest

from bench_requests import names, request
from ta_lab.benchmarks import agent, decode, detection, prefill
from ta_lab.benchmarks.prefill import PARTS
from transactional_attention import InputError


def test_prefill_shows_the_parts_beside_the_bare_forward(model, tokenizer):
    rows = prefill.run(request(model, tokenizer)).rows
    assert names(rows)[0] == prefill.BARE
    for method in ("streaming-llm", "ta"):
        times = {row["name"]: row for row in rows if row["name"].startswith(f"{method}: ")}
        expected = (prefill.WHOLE, *PARTS, prefill.PATH)
        assert list(times) == [f"{method}: {part}" for part in expected]
        spent = {part: times[f"{method}: {part}"]["median_ms"] for part in PARTS}
        assert all(ms > 0 for ms in spent.values())
        assert times[f"{method}: {prefill.PATH}"]["median_ms"] == pytest.approx(sum(spent.values()))
        assert times[f"{method}: {prefill.WHOLE}"]["median_ms"] > sum(spent.values())


def test_decode_has_peers_of_k_and_of_n_tokens(model, tokenizer, monkeypatch):
    monkeypatch.setattr(decode, "STEPS", 2)
    outcome = decode.run(request(model, tokenizer, budgets=(32, 400)))
    row_names = names(outcome.rows)
    assert row_names[0] == "DynamicCache, 32 tokens"
    assert "DynamicCache, 300 random tokens" in row_names
    assert "sliding window with sinks, 32 random tokens" in row_names
    assert row_names[-4:] == ["streaming-llm", "ta", "ta, compact positions", "ta, memory"]
    assert {row["budget"] for row in outcome.rows} == {32}
    assert any("evict nothing" in note for note in outcome.notes)


def test_decode_needs_something_to_evict(model, tokenizer):
    with pytest.raises(InputError, match="nothing to evict"):
        decode.run(request(model, tokenizer, budgets=(300,)))


def test_detection_runs_without_the_model(tokenizer):
    rows = detection.run_detection(request(None, tokenizer)).rows
    assert names(rows)[:3] == ["tokenising", "streaming-llm", "ta"]
    assert names(rows)[3:] == [
        f"{name}, {kind}"
        for kind in ("source code", "configuration")
        for name in ("tokenising", "ta")
    ]
    assert {row["tokens"] for row in rows} == {300}


def test_a_session_loses_the_first_turn_where_nothing_protects_it(model, tokenizer):
    asked = request(model, tokenizer, tokens=(800,), turns=5, budgets=(80,))
    rows = {row["name"]: row for row in agent.run(asked).rows}
    assert {name: row["held"] for name, row in rows.items()} == {
        agent.FULL: 3, "streaming-llm": 0, "ta": 3
    }  # fmt: skip
    assert all((row["turns"], row["values"], row["sessions"]) == (2, 3, 1) for row in rows.values())
    assert all(len(row["first_ms"]) == 2 for row in rows.values())
    assert rows["ta"]["kv_bytes"] < rows[agent.FULL]["kv_bytes"] / 5


def test_all_arms_of_a_session_read_the_same_tokens(model, tokenizer):
    asked = request(model, tokenizer, tokens=(1200,), turns=6, budgets=(96,), rounds=2)
    one, same = (agent.transcript(asked, tokenizer, 1200, 5) for _ in range(2))
    other = agent.transcript(asked, tokenizer, 1200, 6)
    assert one.turns == same.turns != other.turns
    dialogue_tokens = sum(map(len, (*one.turns, *one.replies)))
    asking = sum(len(value.question) + agent.ANSWER for value in one.values)
    assert 1200 - 6 < dialogue_tokens + asking <= 1200
    for value, span in zip(one.values, one.spans, strict=True):
        assert tokenizer.decode(one.turns[0][span.start : span.end]) == value.answer


@pytest.mark.parametrize("sizes", [{"tokens": (200,), "turns": 6}, {"tokens": (900,), "turns": 3}])
def test_a_session_too_small_to_state_and_ask_is_refused(model, tokenizer, sizes):
    with pytest.raises(InputError, match="use more tokens"):
        agent.run(request(model, tokenizer, **sizes))


@pytest.mark.parametrize("name", ["tokens", "budgets", "methods", "rounds", "chunk", "turns"])
def test_sizes_below_one_are_refused(model, tokenizer, name):
    value = () if name == "methods" else (0,) if name in ("tokens", "budgets") else 0
    with pytest.raises(InputError, match=f"--{name.removesuffix('s')}"):
        request(model, tokenizer, **{name: value})
