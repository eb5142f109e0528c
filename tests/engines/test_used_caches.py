"""A used cache goes on with the text that it has read, and refuses another."""

import copy
import gc
import pickle
import weakref

import pytest
import torch
from transformers import pipeline

import transactional_attention as ta
from chat_templates import PLAIN, chat_tokenizer
from scenes import TEXTS, encode
from teacher_forced import tiny_llama

SIXTEEN = ta.Retention(budget=16)
OTHER = TEXTS[0].replace("7301", "7302") + " A longer text, so that something is left to read."


def used(model, tokenizer, texts=TEXTS[:1], **options):
    cache = ta.RetentionCache(model, tokenizer, ta.Retention(**{"budget": 16, **options}))
    ids, mask = encode(tokenizer, *texts)
    return cache, generated(model, cache, ids, attention_mask=mask)


def generated(model, cache, ids, **options):
    given = {"max_new_tokens": 5, "do_sample": False, **options}
    return model.generate(ids, past_key_values=cache, **given)


@pytest.mark.parametrize("options", [{}, {"method": "snapkv"}, {"positions": "compact"}])
def test_another_text_is_refused_by_its_first_token_that_differs(model, tokenizer, options):
    cache, _ = used(model, tokenizer, **options)
    other, _ = encode(tokenizer, OTHER)
    at = TEXTS[0].index("7301") + 3
    for read in (generated, ta.prefill):
        given = (model, cache, other) if read is generated else (model, other, cache)
        with pytest.raises(ta.CacheStateError, match=rf"token {at} is the first that differs") as e:
            read(*given)
        assert "730" not in str(e.value)


def test_a_reply_that_comes_back_otherwise_is_refused(model, tokenizer):
    cache, out = used(model, tokenizer)
    out[0, -3] = out[0, -3] ^ 1
    with pytest.raises(ta.CacheStateError, match=f"token {out.shape[1] - 3} is the first"):
        generated(model, cache, torch.cat([out, out], 1))


@pytest.mark.parametrize("count", [1, 5, None])
def test_fewer_tokens_than_were_read_say_what_to_pass(model, tokenizer, count):
    cache, out = used(model, tokenizer)
    ids = out[:, :count] if count else out[:, : cache.num_columns]
    with pytest.raises(ta.CacheStateError, match=r"pass the whole conversation.*inputs_after"):
        generated(model, cache, ids)


@pytest.mark.parametrize("texts", [TEXTS[:1], TEXTS])
def test_the_same_text_goes_on(model, tokenizer, texts):
    """Left-padded rows, generated tokens, and a mask that is made anew."""
    cache, out = used(model, tokenizer, texts)
    _, mask = encode(tokenizer, *texts)
    grown = torch.cat([mask, mask.new_ones(len(mask), out.shape[1] - mask.shape[1])], 1)
    again = generated(model, cache, out, attention_mask=grown)
    assert again.shape[1] == out.shape[1] + 5


def test_one_row_of_a_batch_that_differs_is_named(model, tokenizer):
    cache, out = used(model, tokenizer, TEXTS)
    _, mask = encode(tokenizer, *TEXTS)
    grown = torch.cat([mask, mask.new_ones(len(mask), out.shape[1] - mask.shape[1])], 1)
    out[1, -4] ^= 1
    with pytest.raises(ta.CacheStateError, match="row 1 of the prompt"):
        generated(model, cache, out, attention_mask=grown)


def test_new_tokens_alone_go_after_what_was_read(model, tokenizer):
    cache, out = used(model, tokenizer)
    first = copy.deepcopy(out)
    inputs = ta.inputs_after(cache, [*out[0, cache.num_columns :].tolist(), 40, 41])
    assert torch.equal(inputs["input_ids"][:, : out.shape[1]], first)
    generated(model, cache, inputs["input_ids"])
    assert cache.num_columns > out.shape[1]


def test_a_loaded_cache_knows_what_it_was_told(model, tokenizer, tmp_path):
    cache, out = used(model, tokenizer)
    cache.save(tmp_path / "saved")
    other, _ = encode(tokenizer, OTHER)
    loaded = ta.load_cache(tmp_path / "saved", model, tokenizer, input_ids=out)
    with pytest.raises(ta.CacheStateError, match="first that differs"):
        generated(model, loaded, other)
    blind = ta.load_cache(tmp_path / "saved", model, tokenizer)
    assert not ta.inputs_after(blind, [5])["input_ids"][0, :-1].any()
    generated(model, blind, ta.inputs_after(blind, [5])["input_ids"])


def test_copies_of_a_model_are_watched_for_themselves(model, tokenizer):
    used(model, tokenizer)
    other, _ = encode(tokenizer, OTHER)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        ta.detach(model)
        cache, _ = used(twin, tokenizer)
        with pytest.raises(ta.CacheStateError, match="first that differs"):
            generated(twin, cache, other)


def test_a_pipeline_that_is_asked_about_two_texts(tokenizer):
    tokenizer = chat_tokenizer("chatml")
    model = tiny_llama(vocab_size=len(tokenizer))
    ask = pipeline("text-generation", model=model, tokenizer=tokenizer)
    cache = ta.RetentionCache(model, tokenizer, SIXTEEN)
    options = dict(past_key_values=cache, max_new_tokens=4, do_sample=False)
    ask(PLAIN[:2], **options)
    with pytest.raises(ta.CacheStateError, match="first that differs"):
        ask([{**PLAIN[0], "content": "Be long, and longer than before."}, PLAIN[1]], **options)


@pytest.mark.parametrize("options", [{}, dict(memory=True, ledger="on-top"), dict(storage="int8")])
@pytest.mark.parametrize("positions", ["original", "compact"])
def test_a_cache_that_is_dropped_is_freed_at_once(model, tokenizer, positions, options):
    """Not when Python collects reference cycles, long after a dozen caches were made."""
    cache, _ = used(model, tokenizer, positions=positions, **options)
    copied = copy.deepcopy(cache)
    held = [weakref.ref(part) for one in (cache, copied) for part in (one, one.flow, *one.managed)]
    gc.disable()
    try:
        del cache, copied
        assert not any(part() is not None for part in held)
    finally:
        gc.enable()


def test_a_deep_copy_goes_on_by_itself(model, tokenizer):
    cache, out = used(model, tokenizer)
    other, before = copy.deepcopy(cache), cache.num_columns
    given = torch.cat([out, torch.tensor([[40, 41]])], 1)
    ids = generated(model, other, given)
    assert (cache.num_columns, other.num_columns) == (before, ids.shape[1] - 1)
    assert torch.equal(generated(model, cache, given), ids)
    assert other.tokenizer is tokenizer  # a vocabulary is not copied with every cache


def test_a_deep_copy_of_an_unused_or_broken_cache_is_one_too(model, tokenizer):
    cache = copy.deepcopy(ta.RetentionCache(model, tokenizer, SIXTEEN))
    generated(model, cache, encode(tokenizer, TEXTS[0])[0])
    hook = model.model.norm.register_forward_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model(torch.tensor([[40]]), past_key_values=cache)
    hook.remove()
    with pytest.raises(ta.CacheStateError, match="did not finish"):
        model(torch.tensor([[40]]), past_key_values=copy.deepcopy(cache))
