"""What a caller chooses is checked before any model runs, and what a cache cannot serve exactly is
refused before the first layer, with cause and remedy."""

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel, T5Config, T5ForConditionalGeneration

import transactional_attention as ta
from scenes import EXACT, TEXTS, Conversation, encode, generated
from tiny_families import build, prompt
from transactional_attention import Retention, RetentionCache

SIXTEEN = Retention(budget=16)


# beside a cache


def by_generate(model, ids, **options):
    return model.generate(ids, max_new_tokens=4, return_dict_in_generate=True, **options)


def by_forward(model, ids, **options):
    return model(ids, **options)


def by_decoder(model, ids, **options):
    return model.get_decoder()(input_ids=ids, **options)


@pytest.mark.parametrize("call", [by_generate, by_forward, by_decoder])
@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"use_cache": False}, "use_cache=False beside a retention cache"),
        ({"output_attentions": True}, "never makes the matrix of weights"),
    ],
)
def test_an_option_is_refused_and_the_cache_goes_on(model, tokenizer, call, option, message):
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    cache, (ids, _) = RetentionCache(model, tokenizer, SIXTEEN), encode(tokenizer, TEXTS[0])
    with pytest.raises(ta.RetentionError, match=message):
        call(model, ids, past_key_values=cache, **option)
    assert torch.equal(generated(model, tokenizer, cache), expected)


def test_weights_are_refused_to_other_caches_too_where_the_model_gave_them(model, tokenizer):
    ids, _ = encode(tokenizer, TEXTS[0])
    model.set_attn_implementation("eager")
    with (
        ta.install(model, tokenizer, SIXTEEN),
        pytest.raises(ta.UnsupportedError, match="matrix of weights"),
    ):
        model(ids, output_attentions=True)
    assert len(model(ids, output_attentions=True).attentions) == 3


def test_another_attention_behind_the_cache_is_named_and_attaching_again_helps(model, tokenizer):
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    model.set_attn_implementation("eager")
    with pytest.raises(ta.CacheStateError, match=r"set_attn_implementation\('eager'\) took"):
        generated(model, tokenizer, cache)
    ta.attach(model)
    assert torch.equal(generated(model, tokenizer, cache), expected)
    ta.detach(model)
    assert model.config._attn_implementation == "eager"


def test_gradient_checkpointing_is_refused_in_training_alone(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    for module in model.modules():  # what gradient_checkpointing_enable() sets in every version
        if hasattr(module, "gradient_checkpointing"):
            module.gradient_checkpointing = True
    with pytest.raises(ta.UnsupportedError, match="gradient checkpointing"):
        generated(model.train(), tokenizer, cache)
    generated(model.eval(), tokenizer, cache)


def test_another_cache_is_refused_where_one_is_installed(model, tokenizer):
    message = "cache_implementation='static' asks for another cache"
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        with pytest.raises(ta.UnsupportedError, match=message):
            generated(model, tokenizer, None, cache_implementation="static")
        generated(model, tokenizer, None)
        assert installed.cache.ledger.between == 16


def test_continuous_batching_is_refused_until_the_model_is_detached(model, tokenizer):
    RetentionCache(model, tokenizer, SIXTEEN)
    with pytest.raises(ta.UnsupportedError, match=r"ta.detach\(model\) first"):
        model.generate_batch([[1, 5, 6]], max_new_tokens=2)
    ta.detach(model)
    assert "init_continuous_batching" not in vars(model)


# padding


def test_padding_on_the_right_is_refused(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN)
    ids, mask = (x.flip(1) for x in encode(tokenizer, *TEXTS[:2]))
    with pytest.raises(ta.InputError, match=r"row 1 .* padded on the right"):
        model.generate(ids, attention_mask=mask, past_key_values=cache, max_new_tokens=2)
    with pytest.raises(ta.InputError, match=r"row 1 .* padded on the right"):
        ta.prefill(model, ids, cache, attention_mask=mask, chunk=999, keep_last=False)


# positions that end


def outgrow(model, padding=0, tokens=60, new=8, **options):
    """A conversation that decodes beyond 64 positions, at the 65th."""
    ids, mask = prompt(1, tokens)
    pad = torch.zeros(1, padding, dtype=torch.long)
    ids, mask = torch.cat([pad, ids], 1), torch.cat([pad, mask], 1)
    cache = RetentionCache(model, None, Retention(budget=16, method="random", **options))
    talk = Conversation(model, cache, ids, mask)
    talk.turn(new_tokens=new, chunk=7)
    return talk


@pytest.mark.parametrize("name", ["llama", "gpt2", "gemma3", "phi"])
def test_decoding_ends_with_the_models_positions(name):
    model = build(name, max_position_embeddings=64)
    assert outgrow(model, new=5, padding=3).error() < EXACT  # the last token is not fed
    with pytest.raises(ta.PositionsError, match="65 tokens outgrow the model's 64") as error:
        outgrow(model, new=6, padding=3)
    assert ("positions='rolling'" in str(error.value)) == (name != "gpt2")
    if name != "gpt2":
        assert outgrow(model, new=12, positions="compact").error() < EXACT


def test_a_compact_answer_on_top_ends_there_too():
    model = build("llama", max_position_embeddings=64)
    with pytest.raises(ta.PositionsError, match="65 live tokens"):
        outgrow(model, new=60, positions="compact", ledger="on-top")
    strict = build("llama", max_position_embeddings=24)
    assert outgrow(strict, new=12, positions="compact").error() < EXACT


def test_positions_that_a_rope_type_adds_are_served():
    rope = {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 64}
    model = build("llama", max_position_embeddings=64, rope_scaling=rope)
    assert outgrow(model, new=8).error() < EXACT
    with pytest.raises(ta.PositionsError, match="outgrow the model's 128"):
        outgrow(model, tokens=126)


# a budget alone


@pytest.mark.parametrize("budget", [16, np.int64(16), torch.tensor(16), Retention(budget=16)])
def test_a_budget_alone_is_a_retention(model, tokenizer, budget):
    assert RetentionCache(model, tokenizer, budget).retention == SIXTEEN
    with ta.install(model, tokenizer, budget) as installed:
        assert installed.retention == SIXTEEN


def test_numbers_of_numpy_are_numbers(model, tokenizer, tmp_path):
    retention = Retention(budget=np.array([16, 17, 18]), sinks=np.int32(2), recent=np.int64(3))
    assert (retention.budget, retention.sinks, retention.recent) == ((16, 17, 18), 2, 3)
    assert {type(value) for value in (*retention.budget, retention.sinks)} == {int}
    cache = RetentionCache(model, tokenizer, retention)
    ta.prefill(model, encode(tokenizer, TEXTS[0])[0], cache, keep_last=False)
    cache.save(tmp_path / "cache")
    assert ta.load_cache(tmp_path / "cache", model, tokenizer).retention == retention


@pytest.mark.parametrize("wrong", ["64", b"64", 64.0, True, np.float64(64), {"budget": 64}, 0, -1])
def test_another_budget_is_refused_as_it_was_given(model, tokenizer, wrong):
    budget = wrong.item() if isinstance(wrong, np.generic) else wrong
    for make in (RetentionCache, ta.install):
        with pytest.raises(ta.InputError, match="whole number of tokens >= 1") as error:
            make(model, tokenizer, wrong)
        assert str(error.value).endswith(f"got {budget!r}")
        with pytest.raises(ta.InputError, match="whole number of tokens >= 1"):
            make(model, tokenizer, (16, wrong))
    if not isinstance(wrong, int) or wrong is True:
        with pytest.raises(ta.InputError, match="sinks must be a whole number"):
            Retention(sinks=wrong)


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
