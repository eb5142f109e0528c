"""Hooks on attention modules: gates read their inputs, and compact positions replace angles.

Position ids of a compact cache are ranks. Sliding layers need true positions, and rope types that
depend on the length need its frequencies: then every module is handed its cosines and sines.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ...errors import UnsupportedError
from ...methods.gates import Gates, find_gates, read_gates
from ...models.embedded.derived import weights_sha256
from .active import active
from .attach import attach, remember
from .decoder import attention_modules, find_decoder
from .layer import managed_layer


def use_gates(model: Any, path: str | Path) -> None:
    """Give a model the gates of a file; ``Retention(method="trim-kv")`` then works on it.

    Not needed where the file lies as ``gates.safetensors`` in the model's folder. Raises InputError
    when the gates are of other weights, or the file is missing or damaged.
    """
    decoder = find_decoder(model)
    decoder._retention_gates = read_gates(Path(path), weights_sha256(decoder))  # type: ignore


def open_gates(model: Any) -> None:
    """Let a model's gates read its hidden states whenever a cache asks for it; done once a model.
    Raises InputError when there are none for its weights."""
    decoder: Any = attach(model)
    if getattr(decoder, "_retention_gates", None) is None:
        folder = getattr(model.config, "name_or_path", "") or ""
        decoder._retention_gates = find_gates(decoder, folder)
    hook_attention(decoder, read_gate)


def hook_attention(decoder: nn.Module, hook: Callable[[nn.Module, tuple, dict], Any]) -> None:
    """Call ``hook`` before each attention module, until the model is detached; done once."""
    modules = attention_modules(decoder)
    if not any(own is hook for m in modules for own in m._forward_pre_hooks.values()):
        remember(decoder, *watch_inputs(decoder, hook))


def watch_inputs(decoder: nn.Module, hook: Callable[[nn.Module, tuple, dict], Any]) -> list[Any]:
    """Call ``hook`` before each attention module, with its arguments; returns handles."""
    return [
        module.register_forward_pre_hook(hook, with_kwargs=True)
        for module in attention_modules(decoder)
    ]


def input_of(args: tuple, kwargs: dict[str, Any]) -> Tensor | None:
    """The hidden states [row, token, hidden] among an attention module's arguments."""
    return kwargs.get("hidden_states", args[0] if args else None)


@torch.no_grad()
def read_gate(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
    """Note the log betas of new tokens for a layer whose cache collects them; no waiting."""
    layer, hidden = managed_layer(module), input_of(args, kwargs)
    if layer is None or layer.observer is None or not layer.observer.wanted.gates:
        return
    gates: Gates | None = getattr(layer.owner.decoder, "_retention_gates", None)
    gate = None if gates is None else gates.get(module.layer_idx)  # type: ignore
    if gates is None or gate is None or hidden is None:
        return  # the observer refuses a layer without
    if gate.up.device != hidden.device:
        gate = gates[module.layer_idx] = gate.to(hidden.device)  # type: ignore
    layer.observer.arriving = gate(hidden)


def give_angles(
    module: nn.Module, args: tuple, kwargs: dict[str, Any]
) -> tuple[tuple, dict[str, Any]] | None:
    """Replace what the model gave an attention module to rotate with; compact caches only."""
    cache = active()
    if cache is None or cache.rotary is None:
        return None
    own = kwargs.get("position_embeddings")
    if own is None:
        raise UnsupportedError(
            f"{type(module).__name__} takes its rotation from elsewhere: use positions='original'"
        )
    sliding = managed_layer(module) is None
    given = cache.rotary.given(own[0], sliding=sliding)
    return args, {**kwargs, "position_embeddings": given}
