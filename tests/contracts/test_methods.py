"""What every registered method owes, whatever it scores."""

import pytest
import torch

from scenes import EXACT, TEXTS, Conversation, encode, kept_positions, slots
from transactional_attention import METHODS, Retention, RetentionCache, prefill

BOUNDED = [name for name, method in METHODS.items() if not method.unlimited]


def talk_of(model, tokenizer, rows=1, **options):
    ids, mask = encode(tokenizer, *TEXTS[:rows])
    cache = RetentionCache(model, tokenizer, Retention(**options))
    return Conversation(model, cache, ids, mask)


def prefilled(model, tokenizer, chunk=512, **options):
    ids, mask = encode(tokenizer, *TEXTS)
    cache = RetentionCache(model, tokenizer, Retention(**options))
    return prefill(model, ids, cache, chunk=chunk, attention_mask=mask, keep_last=False)


@pytest.mark.parametrize("name", METHODS)
def test_equals_teacher_forcing(model, tokenizer, name):
    talk = talk_of(model, tokenizer, rows=3, budget=16, method=name)
    talk.turn(chunk=32)
    talk.ask(torch.randint(3, 250, (3, 5)))
    talk.turn()
    assert talk.error() < EXACT


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_holds_the_budget(model, tokenizer, name, preset):
    talk = talk_of(model, tokenizer, rows=3, budget=16, method=name, preset=preset)
    talk.turn(new_tokens=20)
    assert slots(talk.cache) == [16] * 3
    assert talk.cache.ledger.between == 16


@pytest.mark.parametrize("name", METHODS)
def test_a_budget_above_the_length_changes_nothing(model, tokenizer, name):
    cache = prefilled(model, tokenizer, budget=256, method=name)
    for row, text in enumerate(TEXTS):
        assert kept_positions(cache, row) == list(range(len(text)))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_keeps_what_the_caller_protects(model, tokenizer, name, preset):
    retention = Retention(budget=16, method=name, preset=preset).protect(7, 15, unit="tokens")
    ids, _ = encode(tokenizer, TEXTS[0])
    cache = RetentionCache(model, tokenizer, retention)
    model.generate(ids, past_key_values=cache, max_new_tokens=30, do_sample=False)
    assert set(range(7, 15)) <= set(kept_positions(cache))


@pytest.mark.parametrize("name", BOUNDED)
def test_the_same_seed_keeps_the_same_tokens(model, tokenizer, name):
    first, second = (
        [kept_positions(prefilled(model, tokenizer, budget=16, method=name, seed=5), row)]
        for row in (0, 0)
    )
    assert first == second


@pytest.mark.parametrize("name", BOUNDED)
def test_tokens_stay_in_order_after_a_cut(model, tokenizer, name):
    cache = prefilled(model, tokenizer, budget=16, method=name)
    for row in cache.flow.tables[16].positions:
        assert (row[1:] > row[:-1]).all()


@pytest.mark.parametrize("name", METHODS)
def test_the_report_accounts_for_every_kept_token(model, tokenizer, name):
    talk = talk_of(model, tokenizer, budget=16, method=name)
    talk.turn()
    report = talk.cache.report()
    covered = [p for item in report.kept for p in range(item.start, item.end)]
    assert covered == kept_positions(talk.cache)
    assert report.tokens_kept == len(covered)
    assert report.tokens_seen == talk.cache.num_columns
