"""No mask tensor where none is needed, no attention weights: fused kernels stay fused."""

from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import CausalBias, CausalVariant

from scenes import TEXTS, encode
from teacher_forced import tiny_llama
from transactional_attention import Retention, RetentionCache, prefill
from transactional_attention.engines.transformers import attention


@pytest.fixture
def calls(monkeypatch):
    """(mask, is_causal, queries) of every fused attention call of a managed layer."""
    entries = []

    def record(query, key, value, attn_mask=None, is_causal=False, **options):
        entries.append((attn_mask, is_causal, query.shape[2]))
        return F.scaled_dot_product_attention(
            query, key, value, attn_mask=attn_mask, is_causal=is_causal, **options
        )

    monkeypatch.setattr(attention, "F", SimpleNamespace(scaled_dot_product_attention=record))
    return entries


def answer(model, tokenizer, *texts, chunk=None, **options):
    """Prefill and three decode steps through a cache of 16."""
    ids, mask = encode(tokenizer, *texts)
    cache = RetentionCache(model, tokenizer, Retention(budget=16, **options))
    if chunk:
        prefill(model, ids, cache, chunk=chunk, attention_mask=mask)
    return model.generate(
        ids, attention_mask=mask, past_key_values=cache, max_new_tokens=4, do_sample=False
    )


def test_whole_prefill_is_plainly_causal(model, tokenizer, calls):
    answer(model, tokenizer, TEXTS[0])
    assert calls[:3] == [(None, True, len(TEXTS[0]))] * 3


@pytest.mark.parametrize("positions", ["original", "compact"])
@pytest.mark.parametrize("rows", [1, 2])
def test_decoding_needs_no_mask_where_no_padding_is_left(model, tokenizer, calls, rows, positions):
    answer(model, tokenizer, *TEXTS[:rows], positions=positions)
    assert calls[3:] == [(None, False, 1)] * 9


def test_a_chunk_is_causal_from_the_lower_right(model, tokenizer, calls):
    answer(model, tokenizer, TEXTS[0], chunk=32)
    second = calls[3:6]
    assert all(isinstance(mask, CausalBias) for mask, _, _ in second)
    assert {mask.variant for mask, _, _ in second} == {CausalVariant.LOWER_RIGHT}
    assert {causal for _, causal, _ in second} == {False}


def test_padding_takes_one_boolean_mask_for_all_layers(model, tokenizer, calls):
    answer(model, tokenizer, *TEXTS)
    masks = [mask for mask, _, _ in calls[:3]]
    assert masks[0].dtype == torch.bool
    assert masks[0].shape == (3, 1, len(TEXTS[0]), len(TEXTS[0]))
    assert masks[0] is masks[1] is masks[2]


def test_the_model_builds_no_mask_for_managed_layers(model, tokenizer):
    seen = []
    layer = model.model.layers[0].self_attn
    layer.register_forward_pre_hook(
        lambda module, args, kwargs: seen.append(kwargs["attention_mask"]), with_kwargs=True
    )
    answer(model, tokenizer, *TEXTS)
    assert seen == [None] * 4


def test_attention_weights_are_never_asked_for(model, tokenizer, monkeypatch):
    asked, weights = [], []

    def note(module, args, kwargs, output):
        asked.append(kwargs.get("output_attentions"))
        weights.append(output[1])

    def refuse(*args, **kwargs):
        raise AssertionError("eager attention computes weights")

    monkeypatch.setattr("transformers.models.llama.modeling_llama.eager_attention_forward", refuse)
    for layer in model.model.layers:
        layer.self_attn.register_forward_hook(note, with_kwargs=True)
    answer(model, tokenizer, *TEXTS, chunk=16)
    assert set(asked) <= {None, False}
    assert set(weights) == {None}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
@pytest.mark.parametrize("chunk", [None, 32])
def test_flash_attention_serves_prefill_chunks_and_decoding(tokenizer, chunk):
    model = tiny_llama(vocab_size=len(tokenizer)).to("cuda", torch.bfloat16)
    ids, _ = encode(tokenizer, TEXTS[0])
    cache = RetentionCache(model, tokenizer, Retention(budget=16))
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        if chunk:
            prefill(model, ids.cuda(), cache, chunk=chunk)
        model.generate(ids.cuda(), past_key_values=cache, max_new_tokens=4, do_sample=False)
    assert cache.ledger.between == 16
