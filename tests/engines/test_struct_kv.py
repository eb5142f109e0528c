"""StructKV's pass: the model's own layers on some of the tokens, and the cache that comes of it."""

import pytest
import torch
from transformers import DynamicCache

import tiny_families
from scenes import EXACT, TEXTS, VALUE, Conversation, encode, kept_positions, prefilled
from ta_lab.baselines.struct_kv import StructKV
from teacher_forced import tiny_llama
from transactional_attention import (
    InputError,
    Retention,
    Sponsorship,
    UnsupportedError,
)
from transactional_attention.engines.transformers.compression import compress
from transactional_attention.engines.transformers.passes import needed_by, run_pass

LAYERS, HEADS, PIVOT = 4, 2, 1
TEXT = TEXTS[0]
FAMILIES = ("llama", "mistral", "qwen2", "qwen3", "phi3")


def build(family, **options):
    return tiny_families.build(family, vocab_size=259, num_hidden_layers=LAYERS, **options)


def snapshot(model, tokenizer):
    return prefilled(model, tokenizer, observe=StructKV().observes)


@pytest.fixture
def llama(tokenizer):
    return tiny_llama(vocab_size=len(tokenizer), layers=LAYERS)


def cut(model, tokenizer, name, budget=16, **options):
    """As evaluation does it, with the pivot fixed so that two layers are pruned."""
    retention = Retention(budget, name, **options)
    scorer, source = StructKV(pivot=PIVOT), snapshot(model, tokenizer)
    scoring = run_pass(scorer, source, needed_by(scorer, retention, source))
    return compress(scoring.cache, retention, scoring.scores)


@torch.no_grad()
def naive(model, ids, kept):
    """Keys, values and last hidden states of plain layers, the deep ones on ``kept`` alone."""
    decoder, cache = model.get_decoder(), DynamicCache(config=model.config)
    hidden = decoder.embed_tokens(ids)
    places = torch.arange(ids.shape[1])[None]
    for index, layer in enumerate(decoder.layers):
        if index == PIVOT + 1:
            hidden, places = hidden[:, kept], places[:, kept]
        hidden = layer(
            hidden,
            attention_mask=torch.full((hidden.shape[1],) * 2, -1e30).triu(1)[None, None],
            position_ids=places,
            past_key_values=cache,
            use_cache=True,
            position_embeddings=decoder.rotary_emb(hidden, position_ids=places),
        )
    return cache, decoder.norm(hidden)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_pruned_pass_equals_plain_layers_on_the_subset(tokenizer, family):
    model = build(family)
    source = snapshot(model, tokenizer)
    seen = {}
    norm = model.get_decoder().norm
    handle = norm.register_forward_hook(lambda _, args, output: seen.update(last=output))
    scoring = run_pass(StructKV(pivot=PIVOT), source)
    handle.remove()
    kept = torch.from_numpy(scoring.cache.managed[-1].table.positions[0])
    assert len(kept) == round(0.2 * len(TEXT)) + 8
    eager = build(family, attn_implementation="eager")
    ids = encode(tokenizer, TEXT)[0]
    cache, last = naive(eager, ids, kept)
    for ours, theirs in zip(scoring.cache.managed, cache.layers, strict=True):
        assert ours.keys.shape == theirs.keys.shape
        torch.testing.assert_close(ours.keys, theirs.keys, atol=EXACT, rtol=1e-4)
        torch.testing.assert_close(ours.values, theirs.values, atol=EXACT, rtol=1e-4)
    torch.testing.assert_close(seen["last"], last, atol=EXACT, rtol=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_with_all_tokens_structural_it_is_the_ordinary_prefill(tokenizer, family):
    model = build(family)
    source = snapshot(model, tokenizer)
    scoring = run_pass(StructKV(structural=1.0, pivot=PIVOT), source)
    for ours, theirs in zip(scoring.cache.managed, source.managed, strict=True):
        torch.testing.assert_close(ours.keys, theirs.keys)
        torch.testing.assert_close(ours.values, theirs.values)
    whole = Retention(256, "structkv")
    logits = []
    for cache in (
        compress(scoring.cache, whole, scoring.scores),
        compress(source, Retention(None, "full")),
    ):
        talk = Conversation(model, cache, *encode(tokenizer, TEXT))
        talk.ask(torch.full((1, 5), 40))
        talk.turn()
        logits.append(torch.stack(talk.logits, 1))
    torch.testing.assert_close(*logits, atol=EXACT, rtol=0)


def test_the_twin_carries_the_value_through_every_layer_and_keeps_it_whole(llama, tokenizer):
    lost = cut(llama, tokenizer, "structkv")
    twin = cut(llama, tokenizer, "ta+structkv")
    nothing = cut(llama, tokenizer, "ta+structkv", sponsorship=Sponsorship(strength=0.0))
    for layer in range(LAYERS):
        for head in range(HEADS):
            assert set(VALUE) <= set(kept_positions(twin, 0, layer, head))
        assert kept_positions(nothing, 0, layer) == kept_positions(lost, 0, layer)
        assert not set(VALUE) <= set(kept_positions(lost, 0, layer))
    source, plain = snapshot(llama, tokenizer), StructKV(pivot=PIVOT)
    assert not set(VALUE) <= set(run_pass(plain, source).cache.managed[-1].table.positions[0])


def test_the_source_is_not_changed_and_the_pass_repeats(llama, tokenizer):
    source = snapshot(llama, tokenizer)
    before = [layer.keys.clone() for layer in source.managed]
    first, second = (run_pass(StructKV(pivot=PIVOT), source) for _ in range(2))
    assert source.num_columns == len(TEXT)
    assert all(torch.equal(k, la.keys) for k, la in zip(before, source.managed, strict=True))
    assert all(torch.equal(*pair) for pair in zip(first.scores, second.scores, strict=True))
    assert first.tokens == len(TEXT)


def test_a_pruned_cache_is_cut_for_methods_with_a_table_a_layer_only(llama, tokenizer):
    scoring = run_pass(StructKV(pivot=PIVOT), snapshot(llama, tokenizer))
    with pytest.raises(InputError, match="different tokens"):
        compress(scoring.cache, Retention(16, "streaming-llm"))


def test_a_decoder_without_a_list_of_layers_is_refused(tokenizer):
    model = build("gpt2")
    with pytest.raises(UnsupportedError, match="no list of decoder layers"):
        run_pass(StructKV(pivot=PIVOT), snapshot(model, tokenizer))


def test_layers_that_are_handed_unknown_tensors_are_refused(llama, tokenizer):
    source = snapshot(llama, tokenizer)

    def add(layer, args, kwargs):
        return args, {**kwargs, "per_layer_inputs": torch.zeros(1, len(TEXT), 4)}

    handle = llama.model.layers[2].register_forward_pre_hook(add, with_kwargs=True)
    with pytest.raises(UnsupportedError, match="per_layer_inputs"):
        run_pass(StructKV(pivot=PIVOT), source)
    handle.remove()
    assert run_pass(StructKV(pivot=PIVOT), source).tokens == len(TEXT)  # nothing is left behind


def test_layers_that_do_not_attend_to_what_they_are_given_are_refused(llama, tokenizer):
    source = snapshot(llama, tokenizer)
    attention = llama.model.layers[3].self_attn
    forward = attention.forward
    attention.forward = lambda hidden_states, **kwargs: (torch.zeros_like(hidden_states), None)
    with pytest.raises(UnsupportedError, match="do not attend"):
        run_pass(StructKV(pivot=PIVOT), source)
    attention.forward = forward


def test_models_with_sliding_layers_are_refused(tokenizer):
    mixed = ["sliding_attention", "full_attention"] * 2
    source = snapshot(build("qwen2-mixed", layer_types=mixed), tokenizer)
    with pytest.raises(InputError, match="without sliding layers"):
        run_pass(StructKV(pivot=0), source)
