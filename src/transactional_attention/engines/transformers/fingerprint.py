"""Which model a saved cache belongs to: what of it is compared.

A few numbers of every weight stand for all: another model, a fine-tuned one or another dtype
differs in them, and no more than these have to be read. Of the rotation the frequencies are
compared, since names and defaults of a configuration change between versions of transformers.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ...errors import CacheStateError
from .decoder import active_adapters, check_readable
from .frequencies import by_kind, has_frequencies

SAMPLES = 16  # numbers of a weight
FACTS = (
    "model_type",
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "sliding_window",
    "layer_types",
)
LENGTHS = (1, 1 << 20)  # of sequences: before and beyond all trained lengths
TOLERANCE = 1e-5  # relative; versions may compute in another order


def model_facts(decoder: nn.Module) -> dict[str, Any]:
    """What is compared of a model, as JSON has it."""
    config: Any = decoder.config
    weights, heads = sorted(decoder.named_parameters()), config.num_attention_heads
    facts = {name: getattr(config, name, None) for name in FACTS}
    kind = "full_attention" if facts["sliding_window"] is None else "sliding_attention"
    # some versions of transformers leave these to defaults and others write them out
    facts["num_key_value_heads"] = facts["num_key_value_heads"] or heads
    facts["head_dim"] = facts["head_dim"] or config.hidden_size // heads
    facts["layer_types"] = facts["layer_types"] or [kind] * config.num_hidden_layers
    facts["adapters"] = active_adapters(decoder)
    facts["rope"] = rotation_facts(decoder)
    facts["dtype"] = str(weights[0][1].dtype).removeprefix("torch.")
    facts["weights"] = _sampled(weights)
    return json.loads(json.dumps(facts, default=str))


@torch.no_grad()
def _sampled(weights: list[tuple[str, nn.Parameter]]) -> str:
    """Checksum of names, shapes and ``SAMPLES`` numbers of every weight."""
    digest = hashlib.sha256()
    check_readable(weights)
    for name, weight in weights:
        flat = weight.detach().reshape(-1)
        sample = flat[:: max(1, len(flat) // SAMPLES)][:SAMPLES].double().cpu()
        digest.update(f"{name} {tuple(weight.shape)}\n".encode())
        digest.update(sample.numpy().tobytes())
    return digest.hexdigest()


def check_same(saved: Mapping[str, Any], facts: Mapping[str, Any], path: object) -> None:
    """Refuse a model that the cache was not made with, naming what differs. Raises CacheStateError
    for another model."""
    for name in ("dtype", *FACTS):
        if saved[name] != facts[name]:
            raise CacheStateError(
                f"{path} was saved with another model: its {name} is {saved[name]}, "
                f"that of this model {facts[name]}"
            )
    before, now = saved["adapters"], facts["adapters"]
    if before != now:
        raise CacheStateError(
            f"{path} was saved with these adapters and factors: {before or 'none'}, this model "
            f"runs {now or 'none'}: enable the same ones"
        )
    if not same_rotation(saved["rope"], facts["rope"]):
        raise CacheStateError(
            f"{path} was saved with another model: it turns keys by other frequencies (rope)"
        )
    if saved["weights"] != facts["weights"]:
        raise CacheStateError(
            f"{path} was saved with other weights: load the model that the cache was made with"
        )


def rotation_facts(decoder: nn.Module) -> dict[str, Any]:
    """Frequencies of full-attention and of sliding layers; empty where no module tells them."""
    kinds = by_kind(decoder) if has_frequencies(decoder) else ()
    facts: dict[str, Any] = {}
    for name, frequencies in zip(("full", "sliding"), kinds):
        pairs = [frequencies.at(length) for length in LENGTHS[: 2 if frequencies.varies else 1]]
        facts[name] = {
            "frequencies": [frequency.float().tolist() for frequency, _ in pairs],
            "factors": [float(factor) for _, factor in pairs],
            "switch": frequencies.switch,
        }
    return facts


def same_rotation(one: Any, other: Any) -> bool:
    """Whether two plain structures are equal up to the last digits of their numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_rotation(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_rotation, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=TOLERANCE)
    return bool(one == other)
