"""The runner: what it measures is what a cache of its own would do."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from made_tokenizers import build
from scenes import half
from ta_lab.cases import runner as runner_module
from ta_lab.cases.cases import Case, CaseSource, Value
from ta_lab.cases.encoding import encode_case
from ta_lab.cases.runner import CaseRunner, TextRunner, forward, observed_by
from ta_lab.generators.needle import needle_case
from transactional_attention import Retention, RetentionCache, load_embedded
from transactional_attention.detection.paper.learned import Probe
from transactional_attention.engines.transformers.decoder import find_decoder
from transactional_attention.engines.transformers.reading import ModelReader
from transactional_attention.errors import NumericsError, RetentionError
from transactional_attention.models.embedded.derived import write_detector
from transactional_attention.retention.flow import RetentionFlow


@pytest.fixture(scope="module")
def loaded():
    torch.set_num_threads(1)
    return load_embedded()


@pytest.fixture(scope="module")
def case(loaded):
    return needle_case(loaded[1], context=600, depth=0.5, seed=2, filler_name="anchor-free")


@pytest.mark.parametrize(
    ("method", "preset"),
    half(["streaming-llm", "oracle", "random", "ta-fast-semantic"], ["default", "paper"]),
)
def test_one_prefill_serves_all_as_their_own_prefill_would(loaded, case, method, preset):
    model, tokenizer = loaded
    runner = CaseRunner(model, tokenizer, case, "hidden")
    retention = Retention(budget=24, method=method, preset=preset)
    shared = runner.compress(retention)
    if method == "oracle":
        for span in runner.encoded.values:
            retention = retention.protect(span.start, span.end, unit="tokens")
    cache = RetentionCache(model, tokenizer, retention)
    forward(model, cache, runner.encoded.ids)
    expected = forward(model, cache, runner.encoded.question)
    logits = forward(model, shared, runner.encoded.question)
    assert (cache.flow.tables[24].positions == shared.flow.tables[24].positions).all()
    torch.testing.assert_close(logits, expected, atol=2e-5, rtol=0)


@pytest.mark.parametrize(
    ("protocol", "methods"),
    [
        ("hidden", ("ta", "streaming-llm", "tova", "ada-kv", "kvzip")),
        ("visible", ("ta", "ta+h2o", "ada-kv", "trim-kv", "ta-learned")),
    ],
)
def test_questions_that_share_forwards_are_answered_as_alone(
    loaded, case, protocol, methods, monkeypatch
):
    monkeypatch.setattr(runner_module, "ROWS", 3)
    asked = [Retention(k, m, ledger=ledger) for m, (k, ledger) in half(methods, LEDGERS)]
    asked += [Retention(16, "ta", positions="compact"), Retention(budget=None, method="full")]
    runner = CaseRunner(*loaded, case, protocol, observed_by(asked))
    together = runner.run_each(asked)
    refused = [i for i, outcome in enumerate(together) if isinstance(outcome, RetentionError)]
    assert [asked[i].positions for i in refused] == ["compact"]  # of one prefill
    alone = CaseRunner(*loaded, case, protocol, observed_by(asked))
    for i, retention in enumerate(asked):
        if i not in refused:
            assert plain(together[i]) == plain(alone.run(retention)), retention
    with pytest.raises(RetentionError, match="original positions"):
        runner.run_all(asked)


def test_one_that_cannot_answer_costs_the_others_nothing(loaded, case, monkeypatch):
    runner, answers = CaseRunner(*loaded, case, "hidden"), CaseRunner.answers

    def fails(self, caches, whole=True):
        if any(cache.retention.budget == 24 for cache in caches):
            raise NumericsError("not finite")
        return answers(self, caches, whole)

    monkeypatch.setattr(CaseRunner, "answers", fails)
    asked = [Retention(k, "ta") for k in (16, 24, 32)]
    first, second, third = runner.run_each(asked)
    assert isinstance(second, NumericsError)
    assert [plain(first), plain(third)] == [plain(runner.run(asked[i])) for i in (0, 2)]


LEDGERS = ((16, "strict"), (40, "on-top"))


def plain(outcome):
    """What does not depend on the machine's speed."""
    return replace(outcome, pass_seconds=0.0)


SAID = (
    "Notes first.\nThe api key is: QX81-77K2-MM4P\nMail bob@example.org about it.\n" + "So. " * 40
)


def test_a_text_read_once_is_kept_as_one_that_was_read_for_its_method_alone(loaded):
    _, tokenizer = loaded
    value = Value(SAID.index("QX81"), SAID.index("\nMail"), "api key")
    sources = (CaseSource(0, 30, "tool"), CaseSource(30, len(SAID), "user"))
    encoded = encode_case(tokenizer, Case("x", SAID, values=(value,), sources=sources))
    runner = TextRunner(tokenizer, encoded)
    for name in ("full", "random", "random-spans", "streaming-whitelist", "ta-fast-regex", "ta"):
        for preset in ("default", "paper"):
            for budget in (16, 20, 40):
                limit = None if name == "full" else budget
                retention = Retention(limit, name, preset=preset, seed=1)
                flow = RetentionFlow(retention, tokenizer, 1)
                flow.set_sources([encoded.sources])
                ids = np.array([encoded.ids])
                flow.read(ids, np.ones_like(ids, dtype=bool), final=True)
                (table,) = flow.tables.values()
                flow.cut(table)
                outcome = runner.run(retention)
                assert outcome.kept == sorted(table.positions[0].tolist())
                assert outcome.anchors == len(flow.sequences[0].registry.spans)
    assert runner.run(Retention(40)).retained and not runner.run(Retention(16, "random")).retained


def test_a_last_line_break_that_is_a_byte_is_part_of_the_context():
    tokenizer = build("byte-fallback")
    encoded = encode_case(tokenizer, Case("x", "the key is ab\n", values=(Value(11, 13),)))
    assert encoded.text.text.endswith("ab\n") and len(encoded.values[0])


@pytest.mark.parametrize("protocol", ["hidden", "visible"])
def test_an_answer_that_is_no_more_exact_need_not_be_read_to_its_end(loaded, case, protocol):
    runner = CaseRunner(*loaded, case, protocol)
    arms = [Retention(24), Retention(24, "streaming-llm"), Retention(24, preset="paper")]
    for retention in (Retention(None, "full"), *arms):
        whole, part = runner.run(retention), runner.run(retention, whole=False)
        assert whole.answer.startswith(part.answer)
        assert (part.correct, part.kept) == (whole.correct, whole.kept)
    assert runner.run(Retention(None, "full"), whole=False).correct
    other = runner.asking(replace(case, answer="Q")) if protocol == "hidden" else None
    if other is not None:
        assert len(other.run(Retention(24), whole=False).answer) < len(case.answer)


def test_one_pass_of_its_own_serves_a_method_its_twin_and_all_budgets(loaded, case, monkeypatch):
    runs, run_pass = [], runner_module.run_pass
    monkeypatch.setattr(
        runner_module, "run_pass", lambda *args: runs.append(args) or run_pass(*args)
    )
    runner = CaseRunner(*loaded, case, "hidden")
    methods = ("kvzip", "ta+kvzip")
    outcomes = [runner.run(Retention(budget, method)) for method in methods for budget in (16, 64)]
    assert len(runs) == 1
    assert {outcome.pass_tokens for outcome in outcomes} == {outcomes[0].pass_tokens}
    assert outcomes[0].pass_tokens > len(runner.encoded.ids)
    assert [outcome.retained for outcome in outcomes[2:]] == [True, True]
    assert runner.run(Retention(16)).pass_tokens == 0


def test_every_budget_is_told_the_whole_cost_of_reading(loaded, case, monkeypatch, tmp_path):
    model, tokenizer = loaded
    decoder, size = find_decoder(model), model.config.hidden_size
    monkeypatch.setattr(decoder, "name_or_path", str(tmp_path))
    one = np.ones(1, np.float32)
    inner, scale = np.zeros((2 * size, 1), np.float32), np.ones(2 * size, np.float32)
    probe = Probe(inner, one, one, -40 * one, scale, np.array([1]))
    write_detector(tmp_path / "detector.safetensors", decoder, vars(probe))
    runner = CaseRunner(model, tokenizer, case, "hidden")
    asked = [("ta-learned", 16), ("ta-learnrank", 16), ("ta-learned", 64), ("ta-learned", 16)]
    read, forward = [], ModelReader._forward
    monkeypatch.setattr(
        ModelReader,
        "_forward",
        lambda self, rows, *rest: read.extend(rows) or forward(self, rows, *rest),
    )
    costs = [runner.run(Retention(budget, method)).pass_tokens for method, budget in asked]
    assert len(set(costs)) == 1 and costs[0] > len(runner.encoded.question)
    assert sum(map(len, read)) <= costs[0]  # once, for both detectors and all budgets


def test_bytes_tell_low_precision_and_padding_from_pairs(loaded, case):
    cuts = [Retention(64, name) for name in ("snapkv", "arkv", "ada-kv")]
    runner = CaseRunner(*loaded, case, "hidden", observed_by(cuts))
    outcomes = {cut.method: runner.run(cut) for cut in cuts}
    layers = loaded[0].config.num_hidden_layers
    pairs = layers * 2 * 64 * 2 * 64 * 4  # kv heads, K, keys and values, head_dim, fp32
    assert {outcome.pair_bytes for outcome in outcomes.values()} == {pairs}
    assert {outcome.mean_live_tokens for outcome in outcomes.values()} == {64}
    assert outcomes["snapkv"].stored_bytes == pairs > outcomes["arkv"].stored_bytes
    assert outcomes["ada-kv"].stored_bytes > pairs and outcomes["ada-kv"].max_live_tokens > 64


def test_kept_characters_are_merged_ranges_of_the_context(loaded):
    _, tokenizer = loaded
    text = "first words. The access code is: QX81-77\nlast words here"
    start = text.index("QX81")
    values = (Value(start, start + 7, "access code"),)
    sources = (CaseSource(0, 12, "system"), CaseSource(12, len(text), "user"))
    encoded = encode_case(tokenizer, Case("c", text, values=values, sources=sources))
    outcome = TextRunner(tokenizer, encoded).run(Retention(budget=14))
    ranges = encoded.kept_characters(outcome.kept)
    assert any(a <= start and start + 7 <= b for a, b in ranges)
    assert all(b1 < a2 for (_, b1), (a2, _) in pairwise(ranges))
    assert outcome.retained
    assert [s.source for s in encoded.sources] == ["system", "user"]
