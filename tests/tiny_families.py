"""Tiny random models of many families, sharpened, and prompts for them."""

import pytest
import torch
import transformers

from scenes import Conversation
from teacher_forced import sharpen
from transactional_attention import Retention, RetentionCache

COMMON = dict(
    vocab_size=97,
    hidden_size=32,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=256,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=None,
)
MIXED = dict(layer_types=["sliding_attention", "full_attention"], sliding_window=8, head_dim=8)
FAMILIES = {
    "llama": ("Llama", {}),
    "mistral": ("Mistral", dict(sliding_window=None)),
    "qwen2": ("Qwen2", {}),
    "qwen2-mixed": ("Qwen2", dict(MIXED, use_sliding_window=True)),
    "qwen3": ("Qwen3", dict(head_dim=16)),
    "phi3": ("Phi3", {}),
    "gemma2": ("Gemma2", dict(MIXED, query_pre_attn_scalar=8, attn_logit_softcapping=5.0)),
    "gemma3": ("Gemma3", dict(MIXED, query_pre_attn_scalar=8)),
    "gpt2": ("GPT2", dict(n_positions=256, n_embd=32, n_layer=2, n_head=4, n_inner=48)),
}
MORE_ROTARY = {
    "phi3-partial": ("Phi3", dict(partial_rotary_factor=0.5)),
    "phi": ("Phi", dict(partial_rotary_factor=0.5)),
    "gpt_neox": ("GPTNeoX", dict(rotary_pct=0.5)),
    "gemma": ("Gemma", dict(head_dim=16)),
    "mixtral": ("Mixtral", dict(num_local_experts=4, num_experts_per_tok=2)),
    "qwen3_moe": (
        "Qwen3Moe",
        dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, head_dim=16),
    ),
    "starcoder2": ("Starcoder2", {}),
    "olmo2": ("Olmo2", {}),
    "granite": ("Granite", {}),
}


def build(name, **changes):
    """A sharpened random model of a family; skips where transformers cannot make it."""
    if name == "olmo2" and transformers.__version__.startswith("5.4."):
        pytest.skip("OLMo2's configuration refuses its own default (transformers 5.4)")
    family, options = {**FAMILIES, **MORE_ROTARY}[name]
    text = family == "Gemma3"
    config = getattr(transformers, f"{family}{'Text' if text else ''}Config")
    head = "GPT2LMHeadModel" if family == "GPT2" else f"{family}ForCausalLM"
    torch.manual_seed(0)
    model = getattr(transformers, head)(config(**{**COMMON, **options, **changes}))
    return sharpen(model, 2.0)


def prompt(rows=3, columns=60):
    """Random ids, the second and third row left-padded."""
    torch.manual_seed(1)
    ids, mask = torch.randint(2, 97, (rows, columns)), torch.ones(rows, columns, dtype=torch.long)
    for row, padding in enumerate((0, 9, columns - 8)[:rows]):
        ids[row, :padding] = mask[row, :padding] = 0
    return ids, mask


def converse(model, *, rows=3, columns=60, chunk=None, turns=1, new_tokens=6, **options):
    """Turns over random prompts, through the control that keeps 16 tokens at random."""
    retention = Retention(**{"budget": 16, "method": "random", **options})
    talk = Conversation(model, RetentionCache(model, None, retention), *prompt(rows, columns))
    for turn in range(turns):
        if turn:
            talk.ask(torch.randint(2, 90, (rows, 5)))
        talk.turn(chunk=chunk, new_tokens=new_tokens)
    return talk
