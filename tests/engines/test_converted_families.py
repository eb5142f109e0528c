"""The embedded weights in the classes of other families: same kept positions, same answers.

It shows that the engine is independent of the family's code, nothing about other models.
"""

from __future__ import annotations

import pytest
import torch
import transformers

from ta_lab.cases.runner import CaseRunner
from ta_lab.generators.needle import needle_case
from transactional_attention import Retention
from transactional_attention.models.embedded import load_embedded

FAMILIES = ("Mistral", "Phi3", "Qwen2")


def fused(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Phi-3's names: one matrix for queries, keys and values, one for gate and up."""
    found: dict[str, torch.Tensor] = {}
    for name, weight in weights.items():
        for parts, joint in (
            (("q_proj", "k_proj", "v_proj"), "qkv_proj"),
            (("gate_proj", "up_proj"), "gate_up_proj"),
        ):
            if f".{parts[0]}." in name:
                names = [name.replace(parts[0], part) for part in parts]
                found[name.replace(parts[0], joint)] = torch.cat([weights[n] for n in names])
                break
            if any(f".{part}." in name for part in parts):
                break
        else:
            found[name] = weight
    return found


def converted(family: str, llama: transformers.LlamaForCausalLM) -> torch.nn.Module:
    """The model of ``family`` with exactly the weights of ``llama``."""
    old = llama.config
    names = (
        "vocab_size hidden_size intermediate_size num_hidden_layers num_attention_heads "
        "num_key_value_heads head_dim max_position_embeddings rms_norm_eps bos_token_id "
        "eos_token_id pad_token_id"
    )
    options = {name: getattr(old, name) for name in names.split()}
    if hasattr(old, "rope_theta"):
        options["rope_theta"] = old.rope_theta
    else:
        options["rope_parameters"] = dict(old.rope_parameters)
    if family != "Qwen2":
        options["sliding_window"] = None
    config = getattr(transformers, f"{family}Config")(
        **options, tie_word_embeddings=True, attn_implementation="sdpa"
    )
    model = getattr(transformers, f"{family}ForCausalLM")(config).eval()
    weights = llama.state_dict()
    if family == "Phi3":
        weights = fused(weights)
    if family == "Qwen2":  # its biases have no counterpart: zero
        zeros = {n: torch.zeros_like(w) for n, w in model.state_dict().items() if "bias" in n}
        weights = {**weights, **zeros}
    model.load_state_dict(weights)
    model.generation_config.eos_token_id = old.eos_token_id
    return model


@pytest.mark.parametrize("family", FAMILIES)
@torch.inference_mode()
def test_other_families_keep_and_answer_the_same(family: str):
    llama, tokenizer = load_embedded()
    other = converted(family, llama)
    retentions = (
        Retention(budget=32, method="ta-fast-semantic"),
        Retention(budget=32, method="streaming-llm"),
    )
    for seed in (1, 2):
        case = needle_case(tokenizer, context=700, depth=0.4, seed=seed)
        runs = [CaseRunner(model, tokenizer, case, "hidden") for model in (llama, other)]
        torch.testing.assert_close(runs[1].logits, runs[0].logits, rtol=1e-4, atol=1e-4)
        for retention in retentions:
            expected, found = (runner.run(retention) for runner in runs)
            assert found.kept == expected.kept
            assert found.answer == expected.answer
