"""Every input that cannot be served gives one clear error, and what can go on does."""

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, TEXTS, Conversation, encode
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill

SIXTEEN = Retention(budget=16)


@pytest.fixture
def cache(model, tokenizer):
    return RetentionCache(model, tokenizer, SIXTEEN)


def run(model, tokenizer, cache, *texts, **options):
    ids, mask = encode(tokenizer, *(texts or TEXTS[:1]))
    settings = {"max_new_tokens": 4, "do_sample": False, **options}
    return model.generate(ids, attention_mask=mask, past_key_values=cache, **settings)


def step(model, cache):
    """One more token, as a loop of the caller's own feeds it."""
    return model(torch.tensor([[40]]), past_key_values=cache)


# prompts


def test_an_empty_prompt_is_refused(model, cache):
    with pytest.raises(ta.InputError, match="prompt is empty"):
        model.get_decoder()(input_ids=torch.zeros(1, 0, dtype=torch.long), past_key_values=cache)


def test_an_empty_prompt_is_refused_by_prefill(model, cache):
    with pytest.raises(ta.InputError, match="prompt is empty"):
        prefill(model, torch.zeros(1, 0, dtype=torch.long), cache)


def test_a_row_of_padding_is_refused(model, tokenizer, cache):
    ids, mask = encode(tokenizer, *TEXTS[:2])
    mask[1] = 0
    with pytest.raises(ta.InputError, match="all padding"):
        model.generate(ids, attention_mask=mask, past_key_values=cache, max_new_tokens=2)


def test_a_long_prompt_names_the_remedy(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=64)
    with pytest.raises(ta.PositionsError, match="--positions compact"):
        run(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))


def test_a_compact_prompt_still_has_to_come_in_chunks(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=64)
    retention = Retention(budget=16, positions="compact")
    with pytest.raises(ta.PositionsError, match="smaller chunks"):
        run(model, tokenizer, RetentionCache(model, tokenizer, retention))


def test_compact_positions_serve_a_prompt_beyond_the_model(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=64)
    cache = RetentionCache(model, tokenizer, Retention(budget=16, positions="compact"))
    talk = Conversation(model, cache, *encode(tokenizer, TEXTS[0]))
    talk.turn(chunk=32)
    assert cache.num_columns > 64
    assert talk.error() < EXACT


def test_a_prompt_of_one_token_works(model, tokenizer, cache):
    talk = Conversation(model, cache, *encode(tokenizer, "x"))
    talk.turn(new_tokens=24)
    assert talk.error() < EXACT


def test_embeddings_carry_no_ids(model, cache):
    with pytest.raises(ta.InputError, match="pass input_ids"):
        model(inputs_embeds=torch.zeros(1, 4, 64), past_key_values=cache)


def test_a_4d_mask_is_refused(model, tokenizer, cache):
    ids, _ = encode(tokenizer, TEXTS[0])
    mask = torch.ones(1, 1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    with pytest.raises(ta.UnsupportedError, match="2D attention mask"):
        model(ids, attention_mask=mask, past_key_values=cache)


def test_a_refused_input_leaves_the_cache_usable(model, tokenizer, cache):
    expected = run(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    with pytest.raises(ta.InputError):
        model(inputs_embeds=torch.zeros(1, 4, 64), past_key_values=cache)
    assert torch.equal(run(model, tokenizer, cache), expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"chunk": 0}, "chunk must be at least 1"), ({"attention_mask": torch.ones(1, 3)}, "fit")],
)
def test_prefill_checks_its_arguments(model, tokenizer, cache, options, message):
    ids, _ = encode(tokenizer, TEXTS[0])
    with pytest.raises(ta.InputError, match=message):
        prefill(model, ids, cache, **options)


def test_prefill_wants_the_whole_conversation(model, tokenizer, cache):
    ids, _ = encode(tokenizer, TEXTS[0])
    prefill(model, ids, cache)
    with pytest.raises(ta.CacheStateError, match="pass the whole conversation"):
        prefill(model, ids[:, -4:], cache)


# sources and ranges of the caller


def test_sources_are_one_list_a_row(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN, sources=[[]])
    with pytest.raises(ta.InputError, match="name 1 rows, the batch has 2"):
        run(model, tokenizer, cache, *TEXTS[:2])


def test_a_protected_range_of_a_row_that_is_not_there_is_refused(model, tokenizer):
    retention = SIXTEEN.protect(0, 4, unit="tokens", row=1)
    with pytest.raises(ta.InputError, match="row 1 is protected, there are 1 rows"):
        run(model, tokenizer, RetentionCache(model, tokenizer, retention))


def test_a_protected_range_that_does_not_fit_names_a_budget_that_does(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN.protect(20, 40, unit="tokens"))
    with pytest.raises(ta.BudgetError, match="needs at least 22"):
        run(model, tokenizer, cache)
    retention = Retention(budget=22).protect(20, 40, unit="tokens")
    run(model, tokenizer, RetentionCache(model, tokenizer, retention))


def test_an_optional_range_that_does_not_fit_is_reported(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN.protect(20, 40, unit="tokens", required=False))
    run(model, tokenizer, cache)
    assert [(r.start, r.end) for r in cache.report().refused if r.rule == "caller"] == [(20, 40)]


def test_a_range_in_characters_needs_the_tokenizer(model, tokenizer):
    retention = Retention(budget=16, method="random").protect(20, 30)
    with pytest.raises(ta.InputError, match="needs the model's tokenizer"):
        run(model, tokenizer, RetentionCache(model, None, retention))


def test_roles_that_do_not_fit_name_the_budget_they_need(model, tokenizer):
    sources = [[ta.SourceRange(ta.Span(0, 30), "system")]]
    retention = Retention(budget=16, protect_roles=("system",))
    cache = RetentionCache(model, tokenizer, retention, sources=sources)
    with pytest.raises(ta.BudgetError, match="30 protected tokens: it needs at least 32"):
        run(model, tokenizer, cache)


def test_an_unknown_role_is_refused():
    with pytest.raises(ta.InputError, match="'root' is none of"):
        Retention(protect_roles=("root",))


# a cache and the model that drives it


@pytest.mark.parametrize("attached", [False, True])
def test_a_cache_belongs_to_one_model(model, tokenizer, cache, attached):
    other = tiny_llama(vocab_size=len(tokenizer))
    if attached:
        ta.attach(other)
    with pytest.raises(ta.CacheStateError, match=r"another model|without its hooks"):
        run(other, tokenizer, cache)


def test_a_cache_ends_with_its_hooks(model, tokenizer, cache):
    run(model, tokenizer, cache)
    ta.detach(model)
    with pytest.raises(ta.CacheStateError, match="without its hooks"):
        step(model, cache)


def test_the_number_of_rows_stays(model, tokenizer, cache):
    run(model, tokenizer, cache)
    ids = torch.full((2, cache.num_columns + 3), 40)
    with pytest.raises(ta.CacheStateError, match="holds 1 rows, the input has 2"):
        model.generate(ids, past_key_values=cache, max_new_tokens=2)


def test_a_report_needs_a_token(cache):
    with pytest.raises(ta.CacheStateError, match="has not seen a token"):
        cache.report()


def test_crop_is_refused(cache):
    with pytest.raises(ta.UnsupportedError, match="cannot be rolled back"):
        cache.crop(3)


def test_prompt_lookup_decoding_is_refused(model, tokenizer, cache):
    text = "abcabcabcabcabcabcabcabc"
    with pytest.raises(ta.UnsupportedError, match="cannot be rolled back"):
        run(model, tokenizer, cache, text, prompt_lookup_num_tokens=3, eos_token_id=2)


def test_assisted_decoding_is_refused(model, tokenizer, cache):
    assistant = tiny_llama(vocab_size=len(tokenizer))
    with pytest.raises(ta.UnsupportedError, match="cannot be rolled back"):
        run(model, tokenizer, cache, assistant_model=assistant, max_new_tokens=12)


# numbers and interrupted forwards


def poison_weights(model):
    model.model.layers[1].self_attn.k_proj.weight.data[0, 0] = float("nan")


def test_nan_keys_are_found_at_the_prefill_cut(model, tokenizer, cache):
    poison_weights(model)
    with pytest.raises(ta.NumericsError, match="NaN or infinite keys"):
        run(model, tokenizer, cache)
    with pytest.raises(ta.CacheStateError, match="keys are not finite"):
        step(model, cache)


def test_debug_finds_nan_keys_in_a_decode_step(model, tokenizer):
    cache = RetentionCache(model, tokenizer, Retention(budget=16, debug=True))
    ids, _ = encode(tokenizer, TEXTS[0])
    prefill(model, ids, cache, keep_last=False)
    poison_weights(model)
    with pytest.raises(ta.NumericsError):
        model(ids[:, -1:], past_key_values=cache)


def throw(*args):
    raise ZeroDivisionError("midway")


@pytest.mark.parametrize("module", ["layers.1.mlp", "layers.2.mlp", "norm"])
def test_a_forward_that_raised_ends_the_cache(model, tokenizer, cache, module):
    hook = model.get_decoder().get_submodule(module).register_forward_hook(throw)
    with pytest.raises(ZeroDivisionError):
        run(model, tokenizer, cache)
    hook.remove()
    with pytest.raises(ta.CacheStateError, match="an earlier forward did not finish"):
        step(model, cache)


def test_another_cache_goes_on_after_a_forward_that_raised(model, tokenizer, cache):
    expected = run(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    hook = model.model.layers[1].register_forward_hook(throw)
    with pytest.raises(ZeroDivisionError):
        run(model, tokenizer, cache)
    hook.remove()
    fresh = RetentionCache(model, tokenizer, SIXTEEN)
    assert torch.equal(run(model, tokenizer, fresh), expected)
    cache.reset()
    assert torch.equal(run(model, tokenizer, cache), expected)
