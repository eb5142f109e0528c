"""Turn a trained network into a model folder: bfloat16 safetensors, configuration, tokenizer."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from transactional_attention.errors import InputError
from transactional_attention.models.embedded import folder as shipped

from .checkpoint import write_atomically
from .network import Layer, Network, NetworkSize

EMBEDDINGS = "model.embed_tokens.weight"
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


def llama_weights(network: Network) -> dict[str, Tensor]:
    """The float32 weights under the names that LlamaForCausalLM uses."""
    weights: dict[str, Tensor] = {
        EMBEDDINGS: network.embeddings,
        "model.norm.weight": network.norm,
    }
    for number, layer in enumerate(network.layers):
        assert isinstance(layer, Layer)
        prefix = f"model.layers.{number}."
        for name, weight in _layer_weights(layer, network.size).items():
            weights[f"{prefix}{name}.weight"] = weight
    return {name: weight.detach().cpu().clone().contiguous() for name, weight in weights.items()}


def _layer_weights(layer: Layer, size: NetworkSize) -> dict[str, Tensor]:
    width = size.head_width
    query, key, value = layer.query_key_value.split(
        [size.heads * width, size.kv_heads * width, size.kv_heads * width]
    )
    gate, up = layer.gate_up.chunk(2)
    return {
        "self_attn.q_proj": query,
        "self_attn.k_proj": key,
        "self_attn.v_proj": value,
        "self_attn.o_proj": layer.output,
        "mlp.gate_proj": gate,
        "mlp.up_proj": up,
        "mlp.down_proj": layer.down,
        "input_layernorm": layer.attention_norm,
        "post_attention_layernorm": layer.feed_forward_norm,
    }


def load_llama_weights(network: Network, weights: dict[str, Tensor]) -> None:
    """Copy weights named as in LlamaForCausalLM into a network of the same size.

    Raises InputError when a weight is missing or has another shape."""
    try:
        with torch.no_grad():
            network.embeddings.copy_(weights[EMBEDDINGS])
            network.norm.copy_(weights["model.norm.weight"])
            for number, layer in enumerate(network.layers):
                assert isinstance(layer, Layer)
                for name, part in _layer_weights(layer, network.size).items():
                    part.copy_(weights[f"model.layers.{number}.{name}.weight"])
    except (KeyError, RuntimeError) as error:
        raise InputError("the initial weights do not fit this network") from error


def llama_config(size: NetworkSize) -> dict[str, Any]:
    """config.json: that of the model that ships, with these sizes."""
    return json.loads((shipped() / "config.json").read_text(encoding="utf-8")) | {
        "head_dim": size.head_width,
        "hidden_size": size.hidden,
        "intermediate_size": size.feed_forward,
        "max_position_embeddings": size.positions,
        "num_attention_heads": size.heads,
        "num_hidden_layers": size.layers,
        "num_key_value_heads": size.kv_heads,
        "rms_norm_eps": size.epsilon,
        "rope_parameters": {"rope_theta": size.theta, "rope_type": "default"},
        "rope_theta": size.theta,
        "vocab_size": size.vocabulary,
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write indented JSON with a newline at its end."""
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    write_atomically(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def export_model(
    network: Network, tokenizer: Path, folder: Path, recipe: dict[str, Any] | None = None
) -> Path:
    """Write a folder that `from_pretrained` and `load_embedded` read; returns it.

    `tokenizer` is the folder of the tokenizer, `recipe` says how the weights were made. The card
    has the checksum, the size, the date and the recipe; `ta train evaluate --card` adds ceilings.
    Raises InputError when the disk is full."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: weight.bfloat16() for name, weight in llama_weights(network).items()}
    path = folder / "model.safetensors"
    write_atomically(path, lambda temporary: save_file(weights, temporary, {"format": "pt"}))
    path.chmod(0o644)  # safetensors makes files that only their owner can read
    write_json(folder / "config.json", llama_config(network.size))
    shutil.copyfile(shipped() / "generation_config.json", folder / "generation_config.json")
    for name in TOKENIZER_FILES:
        shutil.copyfile(tokenizer / name, folder / name)
    write_json(
        folder / "card.json",
        {
            "name": (recipe or {}).get("recipe", "main"),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "parameters": sum(weight.numel() for weight in weights.values()),
            "dtype": "bfloat16",
            "date": datetime.now(UTC).date().isoformat(),
            "recipe": recipe or {},
            "ceilings": {},
        },
    )
    return folder
