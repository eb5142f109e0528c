"""``device_map``: transformers places and offloads layers with accelerate, which kvpress brings."""

import pytest
import torch
from transformers import LlamaForCausalLM

pytest.importorskip("accelerate", reason="needs kvpress: run .ci/parity")

from scenes import encode
from tensor_parallel import SCENES, converse
from transactional_attention import Retention, RetentionCache, UnsupportedError, load_cache
from transactional_attention.engines.transformers.decoder import attention_modules, device_of

PARTS = ("model.embed_tokens", "model.layers.0", "model.layers.2", "model.norm", "lm_head")
READING = dict(budget=24, method="ta+snapkv")
OFFLOADED = {**dict.fromkeys((*PARTS, "model.rotary_emb"), "cpu"), "model.layers.1": "disk"}


@pytest.mark.parametrize("device_map", ["auto", OFFLOADED], ids=["auto", "offloaded"])
@pytest.mark.parametrize("scene", [SCENES["compact"], SCENES["int8"], READING], ids=str)
def test_a_model_in_parts_is_the_model(llama, tokenizer, tmp_path, device_map, scene):
    parts = LlamaForCausalLM.from_pretrained(
        tmp_path, device_map=device_map, offload_folder=tmp_path / "offloaded"
    )
    assert parts.model.layers[1].mlp.down_proj.weight.is_meta == (device_map != "auto")
    assert [device_of(module).type for module in attention_modules(parts.model)] == ["cpu"] * 3
    outcome, whole = (converse(m, tokenizer, scene) for m in (parts, llama))
    assert torch.equal(outcome["logits"], whole["logits"]) and outcome["kept"] == whole["kept"]
    cache = RetentionCache(parts, tokenizer, Retention(24))
    with torch.no_grad():
        parts(encode(tokenizer, "The door code is 7301.")[0], past_key_values=cache)
    if device_map == "auto":
        cache.save(tmp_path / "c")
        load_cache(tmp_path / "c", llama, tokenizer)
        return
    with pytest.raises(UnsupportedError, match=r"layers.1.*is offloaded"):
        cache.save(tmp_path / "c")
