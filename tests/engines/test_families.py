"""Model families: full attention is managed, sliding windows stay native."""

import pytest
import torch
import transformers
from transformers import AutoModelForCausalLM, GPTJConfig, GPTJForCausalLM
from transformers.models.gptj import modeling_gptj

from scenes import EXACT, native_logits, slots
from teacher_forced import sharpen
from tiny_families import COMMON, FAMILIES, build, converse, prompt
from transactional_attention import Retention, RetentionCache, UnsupportedError
from transactional_attention.engines.transformers.attach import is_attached
from transactional_attention.engines.transformers.layer import counted

MANAGED = {"qwen2-mixed": 1, "gemma2": 1, "gemma3": 1}


@pytest.mark.parametrize("name", FAMILIES)
def test_unlimited_equals_the_native_cache(name):
    model = build(name)
    expected = native_logits(model, *prompt())
    talk = converse(model, budget=None)
    assert (expected - torch.stack(talk.logits, 1)).abs().max() < EXACT


@pytest.mark.parametrize("chunk", [None, 7])
@pytest.mark.parametrize("name", FAMILIES)
def test_budget_of_16_equals_teacher_forcing(name, chunk):
    talk = converse(build(name), chunk=chunk, turns=2)
    assert talk.error() < EXACT
    assert slots(talk.cache) == [16] * MANAGED.get(name, 2)


@pytest.mark.parametrize("name", ["gemma2", "gemma3", "qwen2-mixed"])
def test_sliding_layers_stay_native(name):
    cache = RetentionCache(build(name), None, Retention(budget=16, method="random"))
    assert cache.layers[0].is_sliding
    assert cache.layers[1:] == cache.managed
    assert str(counted(cache.layers)) == "1 of 2 layers managed, 1 slide"


def test_a_model_with_sliding_layers_alone_has_nothing_to_bound():
    config = transformers.MistralConfig(**COMMON, sliding_window=8)
    model = transformers.MistralForCausalLM(config)
    with pytest.raises(UnsupportedError, match="nothing to bound"):
        RetentionCache(model, None, Retention(budget=16, method="random"))


def test_a_model_from_disk_is_served_like_the_one_in_memory(tmp_path):
    model = build("llama")
    before = converse(model, turns=2)
    model.save_pretrained(tmp_path)
    loaded = AutoModelForCausalLM.from_pretrained(tmp_path)
    after = converse(loaded.eval(), turns=2)
    assert loaded.config._attn_implementation == "retention"
    torch.testing.assert_close(torch.stack(before.logits), torch.stack(after.logits))


def test_the_attention_of_this_library_is_not_written_to_disk(tmp_path):
    model = build("llama")
    RetentionCache(model, None, Retention(budget=16, method="random"))
    model.save_pretrained(tmp_path)
    assert "retention" not in (tmp_path / "config.json").read_text()


BLOOM = ("Bloom", dict(hidden_size=32, n_layer=2, n_head=4))
NEO = ("GPTNeo", dict(hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global"], 2]]))


@pytest.mark.parametrize(("family", "options"), [BLOOM, NEO], ids=["bloom", "gpt_neo"])
@pytest.mark.parametrize("method", ["snapkv", "keydiff", "kvzip", "streaming-llm", "full"])
def test_a_model_that_attends_by_itself_is_refused_for_every_method(family, options, method):
    config = getattr(transformers, f"{family}Config")(vocab_size=97, **options)
    model = getattr(transformers, f"{family}ForCausalLM")(config)
    retention = Retention(None if method == "full" else 16, method)
    named = f"{family}ForCausalLM .* no method can bound"
    with pytest.raises(UnsupportedError, match=named) as caught:
        RetentionCache(model, None, retention)
    assert "attention-free" not in str(caught.value) and not is_attached(model)
    ids = torch.randint(3, 97, (1, 9))
    assert model.generate(ids, max_new_tokens=2, do_sample=False, pad_token_id=0).shape[1] == 11


def test_gptj_is_exact_where_it_attends_through_the_interface_and_refused_before():
    """transformers 5.24 has moved it there."""
    options = dict(n_embd=32, n_layer=2, n_head=4, rotary_dim=4, n_positions=256)
    torch.manual_seed(0)
    model = sharpen(GPTJForCausalLM(GPTJConfig(**{**COMMON, **options})), 2.0)
    if hasattr(modeling_gptj, "ALL_ATTENTION_FUNCTIONS"):
        talk = converse(model, chunk=7, turns=2)
        assert talk.error() < EXACT and slots(talk.cache) == [16, 16]
    else:
        with pytest.raises(UnsupportedError, match=r"GPTJForCausalLM .* no method can bound"):
            converse(model)
