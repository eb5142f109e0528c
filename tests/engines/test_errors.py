"""Every input that cannot be served gives one clear error, and what can go on does."""

import pytest
import torch

import transactional_attention as ta
from scenes import EXACT, TEXTS, Conversation, encode, generated
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill

SIXTEEN = Retention(budget=16)
COMPACT = Retention(budget=16, positions="compact")
NOTHING = torch.zeros(1, 0, dtype=torch.long)
SYSTEM = [[ta.SourceRange(ta.Span(0, 30), "system")]]


@pytest.fixture
def cache(model, tokenizer):
    return RetentionCache(model, tokenizer, SIXTEEN)


def ids_of(tokenizer):
    return encode(tokenizer, TEXTS[0])[0]


def step(model, cache):
    """One more token, as a loop of the caller's own feeds it."""
    return model(torch.tensor([[40]]), past_key_values=cache)


def masked(model, tokenizer, cache):
    ids = ids_of(tokenizer)
    mask = torch.ones(1, 1, ids.shape[1], ids.shape[1], dtype=torch.bool)
    model(ids, attention_mask=mask, past_key_values=cache)


REFUSED = {
    "prompt is empty": (
        ta.InputError,
        lambda m, t, c: m.get_decoder()(input_ids=NOTHING, past_key_values=c),
    ),
    "the prompt is empty": (ta.InputError, lambda m, t, c: prefill(m, NOTHING, c)),
    "pass input_ids": (
        ta.InputError,
        lambda m, t, c: m(inputs_embeds=torch.zeros(1, 4, 64), past_key_values=c),
    ),
    "2D attention mask": (ta.UnsupportedError, masked),
    "chunk must be at least 1": (ta.InputError, lambda m, t, c: prefill(m, ids_of(t), c, chunk=0)),
    "fit": (
        ta.InputError,
        lambda m, t, c: prefill(m, ids_of(t), c, attention_mask=torch.ones(1, 3)),
    ),
    "has not seen a token": (ta.CacheStateError, lambda m, t, c: c.report()),
    "cannot be rolled back": (ta.UnsupportedError, lambda m, t, c: c.crop(3)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused_leaves_the_cache_usable(model, tokenizer, cache, words):
    error, call = REFUSED[words]
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    with pytest.raises(error, match=words):
        call(model, tokenizer, cache)
    assert torch.equal(generated(model, tokenizer, cache), expected)


def test_a_row_of_padding_is_refused(model, tokenizer, cache):
    ids, mask = encode(tokenizer, *TEXTS[:2])
    mask[1] = 0
    with pytest.raises(ta.InputError, match="all padding"):
        model.generate(ids, attention_mask=mask, past_key_values=cache, max_new_tokens=2)


@pytest.mark.parametrize("way", ["prompt lookup", "an assistant"])
def test_decoding_that_rolls_back_is_refused(model, tokenizer, cache, way):
    options = dict(prompt_lookup_num_tokens=3, eos_token_id=2)
    if way == "an assistant":
        options = dict(assistant_model=tiny_llama(vocab_size=len(tokenizer)))
    with pytest.raises(ta.UnsupportedError, match="cannot be rolled back"):
        generated(model, tokenizer, cache, ["abc" * 8], max_new_tokens=12, **options)


LATER = {
    "--positions rolling": (ta.PositionsError, SIXTEEN, dict(positions=64)),
    "smaller chunks": (ta.PositionsError, COMPACT, dict(positions=64)),
    "name 1 rows, the batch has 2": (ta.InputError, SIXTEEN, dict(sources=[[]], rows=2)),
    "row 1 is protected, there are 1 rows": (
        ta.InputError,
        SIXTEEN.protect(0, 4, unit="tokens", row=1),
        {},
    ),
    "needs at least 22": (ta.BudgetError, SIXTEEN.protect(20, 40, unit="tokens"), {}),
    "needs the model's tokenizer": (
        ta.InputError,
        Retention(16, "random").protect(20, 30),
        dict(text=False),
    ),
    "30 protected tokens: it needs at least 32": (
        ta.BudgetError,
        Retention(16, protect_roles=("system",)),
        dict(sources=SYSTEM),
    ),
}


@pytest.mark.parametrize("words", LATER)
def test_what_a_prompt_shows_to_be_wrong_is_named_with_its_remedy(tokenizer, words):
    error, retention, about = LATER[words]
    model = tiny_llama(
        vocab_size=len(tokenizer), max_position_embeddings=about.get("positions", 4096)
    )
    read = tokenizer if about.get("text", True) else None
    cache = RetentionCache(model, read, retention, sources=about.get("sources"))
    with pytest.raises(error, match=words):
        generated(model, tokenizer, cache, TEXTS[: about.get("rows", 1)])


def test_the_budget_that_is_named_serves(model, tokenizer):
    retention = Retention(budget=22).protect(20, 40, unit="tokens")
    generated(model, tokenizer, RetentionCache(model, tokenizer, retention))


def test_an_optional_range_that_does_not_fit_is_reported(model, tokenizer):
    cache = RetentionCache(model, tokenizer, SIXTEEN.protect(20, 40, unit="tokens", required=False))
    generated(model, tokenizer, cache)
    assert [(r.start, r.end) for r in cache.report().refused if r.rule == "caller"] == [(20, 40)]


def test_compact_positions_serve_a_prompt_beyond_the_model(tokenizer):
    model = tiny_llama(vocab_size=len(tokenizer), max_position_embeddings=64)
    cache = RetentionCache(model, tokenizer, COMPACT)
    talk = Conversation(model, cache, *encode(tokenizer, TEXTS[0]))
    talk.turn(chunk=32)
    assert cache.num_columns > 64
    assert talk.error() < EXACT


def test_a_prompt_of_one_token_works(model, tokenizer, cache):
    talk = Conversation(model, cache, *encode(tokenizer, "x"))
    talk.turn(new_tokens=24)
    assert talk.error() < EXACT


# a cache and the model that drives it


def test_a_used_cache_wants_as_many_rows_and_its_hooks(model, tokenizer, cache):
    generated(model, tokenizer, cache)
    ids = torch.full((2, cache.num_columns + 3), 40)
    with pytest.raises(ta.CacheStateError, match="holds 1 rows, the input has 2"):
        model.generate(ids, past_key_values=cache, max_new_tokens=2)
    ta.detach(model)
    with pytest.raises(ta.CacheStateError, match="without its hooks"):
        step(model, cache)


@pytest.mark.parametrize("attached", [False, True])
def test_a_cache_belongs_to_one_model(model, tokenizer, cache, attached):
    other = tiny_llama(vocab_size=len(tokenizer))
    if attached:
        ta.attach(other)
    with pytest.raises(ta.CacheStateError, match=r"another model|without its hooks"):
        generated(other, tokenizer, cache)


# numbers and interrupted forwards


@pytest.mark.parametrize("when", ["at the cut", "in a step"])
def test_nan_keys_are_found_at_the_cut_and_with_debug_in_every_step(model, tokenizer, when):
    cache = RetentionCache(model, tokenizer, Retention(16, debug=when == "in a step"))
    if when == "in a step":
        prefill(model, ids_of(tokenizer), cache, keep_last=False)
    model.model.layers[1].self_attn.k_proj.weight.data[0, 0] = float("nan")
    with pytest.raises(ta.NumericsError, match="NaN or infinite keys"):
        step(model, cache) if when == "in a step" else generated(model, tokenizer, cache)
    with pytest.raises(ta.CacheStateError, match="keys are not finite"):
        step(model, cache)


def throw(*args):
    raise ZeroDivisionError("midway")


@pytest.mark.parametrize("module", ["layers.1.mlp", "layers.2.mlp", "norm", "layers.1"])
def test_a_forward_that_raised_ends_the_cache_and_no_other(model, tokenizer, cache, module):
    expected = generated(model, tokenizer, RetentionCache(model, tokenizer, SIXTEEN))
    hook = model.get_decoder().get_submodule(module).register_forward_hook(throw)
    with pytest.raises(ZeroDivisionError):
        generated(model, tokenizer, cache)
    hook.remove()
    with pytest.raises(ta.CacheStateError, match="an earlier forward did not finish"):
        step(model, cache)
    fresh = RetentionCache(model, tokenizer, SIXTEEN)
    assert torch.equal(generated(model, tokenizer, fresh), expected)
    cache.reset()
    assert torch.equal(generated(model, tokenizer, cache), expected)
