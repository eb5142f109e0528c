"""What every registered method owes, whatever it scores; its ``ta+`` twin owes the same."""

import numpy as np
import pytest
import torch

from scenes import (
    EXACT,
    TEXTS,
    VALUE,
    encode,
    half,
    kept_positions,
    lanes,
    more_tokens,
    prefilled,
    slots,
    talk_of,
)
from ta_lab.cases.runner import observed_by
from transactional_attention import Retention, RetentionCache, Sponsorship, prefill
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.methods.registry import ALL_METHODS, METHODS, TWIN

# What reads weights trained for one model is in tests/engines/test_reading.py.
SERVED = [n for n, m in ALL_METHODS.items() if "passes" not in m.observes and not m.trained]
BOUNDED = [name for name in SERVED if not ALL_METHODS[name].unlimited]
EXACT_SUM = [name for name in BOUNDED if ALL_METHODS[name].exact]
BASES = [name for name in BOUNDED if TWIN + name in ALL_METHODS]
LAYERS, HEADS = 3, 2
PRESETS = ("default", "paper")  # a method meets one of them, its neighbour the other


def chunk_of(name, size=32):
    return None if ALL_METHODS[name].whole_prompt else size


@pytest.mark.parametrize("name", SERVED)
def test_equals_teacher_forcing(model, tokenizer, name):
    talk = talk_of(model, tokenizer, rows=3, budget=16, method=name)
    talk.turn(chunk=chunk_of(name))
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn()
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", BOUNDED)
def test_holds_what_it_keeps_in_low_precision_too(model, tokenizer, name):
    talk = talk_of(model, tokenizer, rows=3, budget=32, method=name, storage="int8")
    talk.turn(new_tokens=5)
    assert all(table.quantised.any() for table in talk.cache.flow.tables.values())
    assert talk.error() < EXACT


@pytest.mark.parametrize(("name", "preset"), half(EXACT_SUM, PRESETS))
def test_holds_the_budget(model, tokenizer, name, preset):
    talk = talk_of(model, tokenizer, rows=3, budget=16, method=name, preset=preset)
    talk.turn(new_tokens=9)
    live = [len(lane) for row in range(3) for lane in lanes(talk.cache, row)]
    assert sum(live) == 16 * len(live)
    if ALL_METHODS[name].allocation is None:
        assert slots(talk.cache) == [16] * LAYERS
        assert talk.cache.ledger.between == 16


@pytest.mark.parametrize(("length", "budget"), [(17, 16), (100, 13), (100, 57), (777, 16)])
def test_one_prefill_of_any_length_is_cut_to_exactly_k(model, tokenizer, length, budget):
    generator = torch.Generator().manual_seed(length)
    ids = torch.randint(3, len(tokenizer), (1, length), generator=generator)
    cuts = [Retention(budget, name) for name in EXACT_SUM]
    full = RetentionCache(model, tokenizer, Retention(None, "full"), observe=observed_by(cuts))
    prefill(model, ids, full, chunk=length, keep_last=False)
    live = {cut.method: sum(map(len, lanes(compress(full, cut)))) for cut in cuts}
    assert live == dict.fromkeys(EXACT_SUM, budget * LAYERS * HEADS)


@pytest.mark.parametrize("name", SERVED)
def test_a_budget_above_the_length_changes_no_logit(model, tokenizer, name):
    ids, mask = encode(tokenizer, *TEXTS)
    logits = []
    for method in ("full", name):
        budget = None if ALL_METHODS[method].unlimited else 256
        cache = RetentionCache(model, tokenizer, Retention(budget=budget, method=method))
        with torch.no_grad():
            logits.append(model(ids, attention_mask=mask, past_key_values=cache).logits)
            step = model(ids[:, :1], attention_mask=more_tokens(mask, 1), past_key_values=cache)
            logits[-1] = torch.cat([logits[-1][mask.bool()], step.logits[:, 0]])
    for row, text in enumerate(TEXTS):
        assert lanes(cache, row) == [list(range(len(text) + 1))] * LAYERS * HEADS
    torch.testing.assert_close(logits[0], logits[1], atol=0, rtol=0)


@pytest.mark.parametrize(("name", "preset"), half(SERVED, PRESETS))
def test_keeps_what_the_caller_protects(model, tokenizer, name, preset):
    retention = Retention(budget=16, method=name, preset=preset).protect(7, 15, unit="tokens")
    ids, _ = encode(tokenizer, TEXTS[0])
    cache = RetentionCache(model, tokenizer, retention)
    model.generate(ids, past_key_values=cache, max_new_tokens=12, do_sample=False)
    assert all(set(range(7, 15)) <= set(lane) for lane in lanes(cache))


@pytest.mark.parametrize("name", BOUNDED)
def test_keeps_the_mandatory_tokens_in_every_head(model, tokenizer, name):
    cache = prefilled(model, tokenizer, budget=24, method=name, sinks=3, recent=4)
    length = len(TEXTS[0])
    ends = {0, 1, 2} | set(range(length - 4, length))
    assert all(ends <= set(lane) for lane in lanes(cache))


@pytest.mark.parametrize("name", BOUNDED)
def test_scores_are_finite_tokens_in_order_and_padding_leaves_first(model, tokenizer, name):
    cache = prefilled(model, tokenizer, TEXTS, budget=16, method=name)
    for table in cache.flow.tables.values():
        scores = cache.flow.cut_scores(table)
        assert np.isfinite(scores[table.positions >= 0]).all()
        for lane in table.positions:
            live = lane[lane >= 0]
            assert (live[1:] > live[:-1]).all()
        if cache.flow.allocation is None:
            assert (table.positions >= 0).all()


@pytest.mark.parametrize("name", SERVED)
def test_the_report_accounts_for_every_kept_token(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=16, method=name)
    talk.turn()
    report = talk.cache.report()
    covered = [p for item in report.kept for p in range(item.start, item.end)]
    assert covered == kept_positions(talk.cache)
    assert report.tokens_kept == len(covered)
    assert report.tokens_seen == talk.cache.num_columns


@pytest.mark.parametrize("name", BOUNDED)
def test_one_prefill_serves_it_as_its_own_would(model, tokenizer, name):
    retention = Retention(budget=16, method=name, seed=5)  # of which the control keeps the same
    full = prefilled(model, tokenizer, TEXTS, observed_by([retention]))
    cut, expected = compress(full, retention), prefilled(model, tokenizer, TEXTS, **vars(retention))
    question = torch.full((3, 5), 40)
    mask = more_tokens(encode(tokenizer, *TEXTS)[1], 5)
    with torch.no_grad():
        logits = [
            model(question, attention_mask=mask, past_key_values=c).logits for c in (cut, expected)
        ]
    assert [lanes(cut, row) for row in range(3)] == [lanes(expected, row) for row in range(3)]
    assert (logits[0] - logits[1]).abs().max() < EXACT


@pytest.mark.parametrize(
    ("name", "budget"), half([name for name in BOUNDED if "random" not in name], [16, 40])
)
def test_a_row_keeps_what_it_keeps_alone(model, tokenizer, name, budget):
    """Padding has no part in any score, and no row in another's budgets."""
    batch = prefilled(model, tokenizer, TEXTS, budget=budget, method=name)
    for row, text in enumerate(TEXTS):
        alone = prefilled(model, tokenizer, [text], budget=budget, method=name)
        assert lanes(batch, row) == lanes(alone)


@pytest.mark.parametrize("name", ["ta", "h2o", "snapkv", "ta-full", "trim-kv"])
def test_samples_of_one_prompt_carry_what_was_observed(model, tokenizer, name):
    torch.manual_seed(0)
    talk = talk_of(model, tokenizer, rows=2, budget=16, method=name)
    talk.turn(num_return_sequences=3, do_sample=True, temperature=2.0)
    assert talk.error() < EXACT
    assert len({tuple(ids) for ids in talk.ids.tolist()}) == len(talk.cache.flow.lengths) == 6


# sponsorship on top


@pytest.mark.parametrize(("name", "preset"), half(BASES, PRESETS))
def test_strength_0_is_the_method_itself(model, tokenizer, name, preset):
    outcomes = []
    for method in (name, TWIN + name):
        nothing = Sponsorship(strength=0.0)
        talk = talk_of(
            model, tokenizer, budget=16, method=method, preset=preset, sponsorship=nothing
        )
        talk.turn(new_tokens=8)
        outcomes.append((lanes(talk.cache), torch.stack(talk.logits)))
    assert outcomes[0][0] == outcomes[1][0]
    assert torch.equal(outcomes[0][1], outcomes[1][1])


@pytest.mark.parametrize("name", BASES)
def test_the_twin_keeps_the_value_in_every_layer_and_head(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=16, method=TWIN + name)
    talk.turn(new_tokens=12)  # more than the slots that nothing holds
    assert all(set(VALUE) <= set(lane) for lane in lanes(talk.cache))


def test_every_method_can_be_named_with_sponsorship(model, tokenizer):
    for name in (name for name, method in METHODS.items() if not method.trained):
        RetentionCache(model, tokenizer, Retention(budget=None, method=TWIN + name))
