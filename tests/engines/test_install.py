"""install(): every generate() without a cache of its own gets a retention cache."""

import pytest
import torch
import transformers
from transformers import DynamicCache

import transactional_attention as ta
from scenes import TEXTS, encode, generated
from transactional_attention.engines.transformers import install
from transactional_attention.engines.transformers.arguments import NAME, cache_argument

SIXTEEN = ta.Retention(budget=16)


def test_plain_generate_is_bounded_inside_the_block(model, tokenizer):
    expected = generated(
        model, tokenizer, past_key_values=ta.RetentionCache(model, tokenizer, SIXTEEN)
    )
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        found = generated(model, tokenizer)
        assert installed.cache.ledger.between == 16
    assert torch.equal(found, expected)


def test_the_block_leaves_the_model_as_it_was_after_an_error_too(model, tokenizer):
    before = generated(model, tokenizer)
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        assert not torch.equal(generated(model, tokenizer), before)
    with pytest.raises(ZeroDivisionError), ta.install(model, tokenizer, SIXTEEN) as installed:
        _ = 1 / 0
    installed.uninstall()  # once more does nothing
    assert model.config._attn_implementation == "sdpa"
    assert "_prepare_cache_for_generation" not in vars(model)
    assert torch.equal(generated(model, tokenizer), before)


def test_every_call_starts_a_new_sequence(model, tokenizer):
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        first, cache = generated(model, tokenizer), installed.cache
        assert torch.equal(generated(model, tokenizer), first)
        assert installed.cache is not cache


def test_a_cache_of_the_caller_goes_first_and_no_cache_means_none(model, tokenizer):
    before = generated(model, tokenizer)
    with ta.install(model, tokenizer, SIXTEEN) as installed:
        native = DynamicCache(config=model.config)
        assert torch.equal(generated(model, tokenizer, native), before)
        generated(model, tokenizer, use_cache=False)
        assert installed.cache is None


def overlooked(generation_config, model_kwargs, *args):
    """What a transformers does that has renamed its argument: a cache of its own, and not ours."""
    model_kwargs[NAME] = DynamicCache()


@pytest.mark.parametrize("gone", ["overlooked", "renamed"])
def test_a_generation_without_its_cache_says_so_and_nothing_else_does(
    model, tokenizer, monkeypatch, gone
):
    if gone == "overlooked":
        monkeypatch.setattr(type(model), install.HOOK, staticmethod(overlooked))
    else:
        monkeypatch.setattr(install, "HOOK", "_prepare_cache_some_day")
    with ta.install(model, tokenizer, SIXTEEN):
        with pytest.raises(ta.CacheStateError, match=f"is {transformers.__version__}, tested are"):
            generated(model, tokenizer)
        ids, _ = encode(tokenizer, TEXTS[0])
        assert model(ids).logits.isfinite().all()  # no generation, and no promise
    assert not {"generate", install.HOOK} & vars(model).keys()


def test_the_remedies_are_to_pass_a_cache_or_none(model, tokenizer, monkeypatch):
    monkeypatch.setattr(install, "HOOK", "_prepare_cache_some_day")
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    with ta.install(model, tokenizer, SIXTEEN):
        generated(model, tokenizer, **cache_argument(cache))
    assert cache.ledger.between == 16


def test_a_call_that_fails_early_leaves_later_forwards_alone(model, tokenizer):
    with ta.install(model, tokenizer, SIXTEEN):
        with pytest.raises(ValueError, match="stop strings"):
            generated(model, tokenizer, stop_strings="x")
        assert model(encode(tokenizer, TEXTS[0])[0]).logits.isfinite().all()


def test_installing_twice_is_refused_and_the_first_goes_on(model, tokenizer):
    with ta.install(model, tokenizer, SIXTEEN) as outer:
        with pytest.raises(ta.CacheStateError, match="installed on this model already"):
            ta.install(model, tokenizer, SIXTEEN)
        generated(model, tokenizer)
        assert outer.cache.ledger.between == 16


def test_a_cache_made_before_outlives_the_block(model, tokenizer):
    """The block gives the model back as it was: attached."""
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    with ta.install(model, tokenizer, SIXTEEN):
        generated(model, tokenizer)
    generated(model, tokenizer, past_key_values=cache)
    assert cache.ledger.between == 16


def test_bad_choices_fail_at_once_and_leave_the_model_alone(model, tokenizer):
    with pytest.raises(ta.BudgetError, match="smaller than the 5 tokens"):
        ta.install(model, tokenizer, ta.Retention(budget=3))
    assert model.config._attn_implementation == "sdpa"
