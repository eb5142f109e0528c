"""Classes for images and text, with text alone: exact, and images are refused by name."""

import pytest
import torch
import transformers
from transformers import DynamicCache

import transactional_attention as ta
from scenes import EXACT, native_logits, slots
from teacher_forced import sharpen
from tiny_families import COMMON, MIXED, converse, prompt
from transactional_attention import Retention, RetentionCache

IMAGE = 96  # the token that stands for one
TOWER = dict(
    hidden_size=16,
    intermediate_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    image_size=16,
    patch_size=8,
)


def gemma3():
    text = dict(COMMON, **MIXED, query_pre_attn_scalar=8)
    names = dict(image_token_index=IMAGE, boi_token_index=94, eoi_token_index=95)
    return transformers.Gemma3Config(
        text_config=text, vision_config=TOWER, mm_tokens_per_image=4, **names
    )


def llava():
    text, tower = transformers.LlamaConfig(**COMMON), transformers.CLIPVisionConfig(**TOWER)
    configs = dict(text_config=text, vision_config=tower)
    return transformers.LlavaConfig(**configs, image_token_index=IMAGE)


def qwen2_vl():
    rope = {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10_000.0}
    version5 = int(transformers.__version__.split(".")[0]) >= 5
    text = dict(COMMON, **{"rope_parameters" if version5 else "rope_scaling": rope})
    tower = dict(depth=1, embed_dim=16, num_heads=2, hidden_size=32, patch_size=8)
    names = dict(image_token_id=IMAGE, video_token_id=95)
    return transformers.Qwen2VLConfig(text_config=text, vision_config=tower, **names)


CONFIGS = {"Gemma3": gemma3, "Llava": llava, "Qwen2VL": qwen2_vl}


def build(name):
    torch.manual_seed(0)
    family = getattr(transformers, f"{name}ForConditionalGeneration")
    return sharpen(family(CONFIGS[name]()), 2.0)


@pytest.mark.parametrize("name", CONFIGS)
def test_unlimited_equals_the_native_cache(name):
    model = build(name)
    expected = native_logits(model, *prompt())
    talk = converse(model, budget=None)
    assert (expected - torch.stack(talk.logits, 1)).abs().max() < EXACT


@pytest.mark.parametrize("chunk", [None, 7])
@pytest.mark.parametrize("name", CONFIGS)
def test_budget_of_16_equals_teacher_forcing(name, chunk):
    model = build(name)
    converse(model, turns=2)  # leaves offsets of three rows in the model
    talk = converse(model, chunk=chunk, rows=1, turns=2)
    assert talk.error() < EXACT
    assert set(slots(talk.cache)) == {16}
    assert converse(model, chunk=chunk, turns=2).error() < EXACT


@pytest.mark.parametrize("name", ["Gemma3", "Llava"])
def test_compact_positions_equal_teacher_forcing(name):
    assert converse(build(name), chunk=7, turns=2, positions="compact").error() < EXACT


def test_compact_positions_are_refused_where_positions_have_three_parts():
    with pytest.raises(ta.UnsupportedError, match="use positions='original'"):
        converse(build("Qwen2VL"), positions="compact")


@pytest.mark.parametrize("name", CONFIGS)
def test_images_are_refused_by_name(name):
    model, (ids, _) = build(name), prompt(1)
    cache = RetentionCache(model, None, Retention(budget=16, method="random"))
    for images in (torch.zeros(1, 3, 16, 16), [torch.zeros(3, 16, 16)]):
        with pytest.raises(ta.UnsupportedError, match=r"pixel_values: .* text alone"):
            model(ids, pixel_values=images, past_key_values=cache)
    model(ids, past_key_values=cache)
    assert cache.num_columns == ids.shape[1]


@torch.no_grad()
def test_images_reach_other_caches_as_ever():
    model = build("Llava")
    ids = torch.cat([torch.full((1, 4), IMAGE), prompt(1)[0]], 1)
    images = torch.randn(1, 3, 16, 16)
    before = model(ids, pixel_values=images).logits
    RetentionCache(model, None, Retention(budget=16, method="random"))
    after = model(ids, pixel_values=images, past_key_values=DynamicCache()).logits
    assert torch.equal(before, after)
    ta.detach(model)
    assert torch.equal(before, model(ids, pixel_values=images).logits)


def test_it_is_installed_saved_and_loaded(tmp_path):
    model, (ids, mask) = build("Gemma3"), prompt()
    retention = Retention(budget=16, method="random")
    with ta.install(model, None, retention) as installed:
        model.generate(ids, attention_mask=mask, max_new_tokens=4, do_sample=False)
        assert installed.cache.ledger.between == 16
    cache = ta.prefill(
        model, ids, RetentionCache(model, None, retention), attention_mask=mask, keep_last=False
    )
    cache.save(tmp_path / "cache")
    loaded = ta.load_cache(tmp_path / "cache", model)
    logits = [model(ids[:, -1:], past_key_values=c).logits for c in (cache, loaded)]
    assert torch.equal(*logits)
