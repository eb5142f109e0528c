"""What a caller chooses is checked before any model runs: one clear error each."""

import pytest
import torch
from transformers import BertConfig, BertModel, T5Config, T5ForConditionalGeneration

import transactional_attention as ta
from transactional_attention import Retention, RetentionCache

# what a caller chooses


@pytest.mark.parametrize(
    ("option", "value"),
    [("preset", "best"), ("ledger", "loose"), ("positions", "new"), ("partition", "half")],
)
def test_a_choice_names_what_is_allowed(option, value):
    with pytest.raises(ta.InputError, match=f"{option} must be one of"):
        Retention(**{option: value})
    with pytest.raises(ta.InputError, match="'root' is none of"):
        Retention(protect_roles=("root",))


def test_the_unit_of_a_range_is_one_of_two():
    with pytest.raises(ta.InputError, match="unit must be one of chars, tokens, got 'token'"):
        Retention().protect(5, 9, unit="token")


def test_what_does_not_fit_the_model_is_named(model, tokenizer):
    with pytest.raises(ta.UnknownNameError, match="did you mean ta-fast-semantic"):
        RetentionCache(model, tokenizer, Retention(method="ta-fast-semantics"))
    with pytest.raises(ta.InputError, match="2 entries for 3 managed layers"):
        RetentionCache(model, tokenizer, Retention(budget=(16, 16)))
    with pytest.raises(ta.InputError, match="pass the model's tokenizer"):
        RetentionCache(model, None, Retention(budget=16))


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({}, 5),
        ({"preset": "paper"}, 3),
        ({"sinks": 10, "recent": 6}, 16),
        ({"method": "random"}, 5),
    ],
)
def test_a_budget_below_the_mandatory_tokens_is_refused(model, tokenizer, options, least):
    RetentionCache(model, tokenizer, Retention(budget=least, **options))
    with pytest.raises(ta.BudgetError, match=f"smaller than the {least} tokens"):
        RetentionCache(model, tokenizer, Retention(budget=least - 1, **options))


# models


def tiny_bert():
    sizes = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    return BertModel(BertConfig(vocab_size=50, **sizes))


def tiny_t5():
    sizes = dict(d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    return T5ForConditionalGeneration(T5Config(vocab_size=50, decoder_start_token_id=0, **sizes))


@pytest.mark.parametrize("make", [tiny_bert, tiny_t5, lambda: object()])
def test_models_without_a_decoder_cache_are_refused(make):
    with pytest.raises(ta.UnsupportedError, match="not a decoder-only language model"):
        RetentionCache(make(), None, Retention(budget=16, method="random"))


def test_a_protected_range_covers_every_returned_sequence(model):
    retention = Retention(16, "streaming-llm").protect(20, 26, unit="tokens")
    cache = RetentionCache(model, None, retention)
    ids = torch.randint(3, 200, (1, 60))
    model.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        past_key_values=cache,
        max_new_tokens=6,
        do_sample=True,
        num_return_sequences=3,
    )
    held = cache.flow.tables[16].positions
    assert all({20, 21, 22, 23, 24, 25} <= set(row) for row in held)


def test_attention_that_cannot_be_seen_cannot_be_read(model, monkeypatch):
    monkeypatch.setattr(type(model), "_supports_attention_backend", False)
    RetentionCache(model, None, Retention(16, "random"))
    with pytest.raises(ta.UnsupportedError, match="methods that read column sums cannot see it"):
        RetentionCache(model, None, Retention(16, "h2o"))
