"""Gates of a model: opened once, they read what each attention module is called with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ...methods.gates import Gates, find_gates, read_gates
from ...models.embedded.derived import weights_sha256
from .layer import managed_layer
from .session import attach, find_decoder


def use_gates(model: Any, path: str | Path) -> None:
    """Give a model the gates of a file; ``Retention(method="trim-kv")`` then works on it.

    Not needed where the file lies as ``gates.safetensors`` in the model's folder.

    Raises:
        InputError: when the gates are of other weights, or the file is missing or damaged.
    """
    decoder = find_decoder(model)
    _give(decoder, read_gates(Path(path), weights_sha256(decoder)))


def open_gates(model: Any) -> None:
    """Let a model's gates read its hidden states whenever a cache asks for it; done once a model.

    Raises:
        InputError: when there are none for its weights.
    """
    decoder = attach(model)
    if gates_of(decoder) is None:
        _give(decoder, find_gates(decoder, getattr(model.config, "name_or_path", "") or ""))
    modules = attention_modules(decoder)
    if not any(hook is read_gate for m in modules for hook in m._forward_pre_hooks.values()):
        handles = watch_inputs(decoder, read_gate)
        decoder._retention_handles = (*decoder._retention_handles, *handles)  # type: ignore


def gates_of(decoder: nn.Module) -> Gates | None:
    """The gates that a decoder was given."""
    return getattr(decoder, "_retention_gates", None)


def _give(decoder: nn.Module, gates: Gates) -> None:
    decoder._retention_gates = gates  # type: ignore[assignment]


def attention_modules(decoder: nn.Module) -> list[nn.Module]:
    """The modules that attend, one a layer."""
    return [
        module
        for module in decoder.modules()
        if getattr(module, "layer_idx", None) is not None and "Attention" in type(module).__name__
    ]


def watch_inputs(decoder: nn.Module, hook: Callable[[nn.Module, tuple, dict], None]) -> list[Any]:
    """Call ``hook`` before each of them, with its arguments; returns handles."""
    return [
        module.register_forward_pre_hook(hook, with_kwargs=True)
        for module in attention_modules(decoder)
    ]


def input_of(args: tuple, kwargs: dict[str, Any]) -> torch.Tensor | None:
    """The hidden states [row, token, hidden] among an attention module's arguments."""
    return kwargs.get("hidden_states", args[0] if args else None)


@torch.no_grad()
def read_gate(module: nn.Module, args: tuple, kwargs: dict[str, Any]) -> None:
    """Note the log betas of new tokens for a layer whose cache collects them; no waiting."""
    layer, hidden = managed_layer(module), input_of(args, kwargs)
    if layer is None or layer.observer is None or not layer.observer.wanted.gates:
        return
    gates = gates_of(layer.owner.decoder)
    gate = None if gates is None else gates.layers.get(module.layer_idx)  # type: ignore
    if gates is None or gate is None or hidden is None:
        return  # the observer refuses a layer without
    if gate.up.device != hidden.device:
        gate = gates.layers[module.layer_idx] = gate.to(hidden.device)  # type: ignore
    layer.observer.arriving = gate(hidden)
