"""More layers for a trained network that computes the same at first, to start from."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import Tensor

from transactional_attention.errors import InputError

PREFIX = "model.layers."
# What a layer adds to the residual stream goes through these.
OUTPUTS = ("self_attn.o_proj.weight", "mlp.down_proj.weight")


def grown(weights: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Weights named as in LlamaForCausalLM with `layers` layers instead of fewer.

    New layers are spread over the upper part: copies of the one below them that add nothing (their
    output matrices are zero) until they are trained. Raises InputError for a network with more.
    """
    found = {name: weight for name, weight in weights.items() if not name.startswith(PREFIX)}
    inner = [name.removeprefix(f"{PREFIX}0.") for name in weights if name.startswith(f"{PREFIX}0.")]
    old = sum(name.endswith(OUTPUTS[0]) for name in weights)
    if not 0 < old <= layers:
        raise InputError(f"the initial weights have {old} layers, the network has {layers}")
    source = -1
    for number, new in enumerate(new_layers(old, layers)):
        source += not new
        for name in inner:
            weight = weights[f"{PREFIX}{source}.{name}"]
            dropped = new and name in OUTPUTS
            found[f"{PREFIX}{number}.{name}"] = torch.zeros_like(weight) if dropped else weight
    return found


def new_layers(old: int, layers: int) -> list[bool]:
    """Which of `layers` layers are new: a new one above each old one but the last, upper first."""
    added = [0] * old
    for count in range(layers - old):
        added[old - 1 - (count + 1) % old] += 1
    return [above > 0 for new in added for above in range(new + 1)]


def layers_of(model: Path) -> int:
    """Layers of the model in a folder; raises InputError when its configuration is missing."""
    try:
        return int(
            json.loads((model / "config.json").read_text(encoding="utf-8"))["num_hidden_layers"]
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{model.name} is no model folder: config.json cannot be read") from error
