"""A model in parts: layers on several devices, or heads in several processes.

Every layer of a cache follows the device of its own keys. Under tensor parallel every process has a
cache of its kv heads; attention-free methods decide from text and positions, so all processes keep
the same tokens without a word to each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from ...errors import UnsupportedError


def num_processes(model: Any) -> int:
    """Processes that share the heads of a model (transformers' tensor parallel); 1 if none do."""
    return getattr(model, "_tp_size", None) or 1


def check_holds_all_heads(processes: int) -> None:
    """Refuse what a file is for: it has all kv heads of a model.

    Raises:
        UnsupportedError: when several processes share them.
    """
    if processes > 1:
        raise UnsupportedError(
            "with tensor parallel each process holds its own kv heads: such a cache can be neither "
            "saved nor loaded"
        )


def whole(weight: torch.Tensor) -> torch.Tensor:
    """A weight with the parts of all processes; each of them has to ask for it."""
    return weight.full_tensor() if _in_parts(weight) else weight  # type: ignore[attr-defined]


def _in_parts(weight: torch.Tensor) -> bool:
    """Whether it is a DTensor, asked so that builds of torch without ``distributed`` serve."""
    return hasattr(weight, "full_tensor")


def check_readable(weights: Iterable[tuple[str, torch.Tensor]]) -> None:
    """Refuse to take checksums of weights that are not here.

    Raises:
        UnsupportedError: when one is offloaded, or shared out to processes.
    """
    for name, weight in weights:
        if weight.is_meta or _in_parts(weight):
            raise UnsupportedError(
                f"the weight {name} is offloaded or in parts (device_map, tensor parallel), so the "
                "model cannot be told from another one: load it whole"
            )


def device_of_ids(model: Any) -> torch.device:
    """Where a model or its decoder takes token ids: with its input embeddings.

    ``model.device`` is that of its first weight: "meta" when that one is offloaded.
    """
    return device_of(model.get_input_embeddings())


def device_of(module: nn.Module) -> torch.device:
    """Where a module computes: on the device of its weights, offloaded ones where hooks bring them.

    Hooks are those of accelerate, which ``device_map`` puts on the modules that own weights.
    """
    device = next(module.parameters()).device
    if device.type != "meta":
        return device
    hooks = (getattr(part, "_hf_hook", None) for part in module.modules())
    found = (getattr(hook, "execution_device", None) for hook in hooks)
    return torch.device(next((place for place in found if place is not None), "cpu"))
