"""Hooks on attention modules: gates read their inputs, and compact positions replace angles.

Position ids of a compact cache are ranks. Sliding layers need true positions, and rope types that
depend on the length need its frequencies: then every module is handed its cosines and sines.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from ...config import Retention
from ...errors import UnsupportedError
from ...methods.registry import get_method
from .active import active
from .attach import attach, remember
from .decoder import attention_modules, find_decoder
from .layer import managed_layer


class Gate(Protocol):
    """What reads the hidden states of one layer."""

    @property
    def device(self) -> torch.device:
        """Where it computes."""

    def to(self, device: torch.device) -> "Gate":
        """The same on another device."""

    def __call__(self, hidden: Tensor) -> Tensor:
        """One number per token and kv head, [row, kv_head, token], of hidden states [row, token,
        hidden]."""


def give_gates(model: Any, gates: Mapping[int, Gate]) -> None:
    """Let these gates read a model's hidden states, whatever their method would find by itself: by
    the index of their layer, full-attention layers alone."""
    find_decoder(model)._retention_gates = dict(gates)  # type: ignore[assignment]


def open_gates(model: Any, method: str) -> None:
    """Let the gates of a method read a model's hidden states whenever a cache asks for it; done
    once a model. Raises InputError when there are none for its weights."""
    decoder: Any = attach(model)
    if getattr(decoder, "_retention_gates", None) is None:
        folder = getattr(model.config, "name_or_path", "") or ""
        give_gates(model, get_method(method).scorer(Retention()).gates_of(decoder, folder))
    hook_attention(decoder, read_gate)


def hook_attention(decoder: nn.Module, hook: Callable[[nn.Module, tuple, dict], Any]) -> None:
    """Call ``hook`` before each attention module, until the model is detached; done once."""
    modules = attention_modules(decoder)
    if not any(
        existing_hook is hook for m in modules for existing_hook in m._forward_pre_hooks.values()
    ):
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
    """Note what a gate makes of new tokens for a layer whose cache collects it; no waiting."""
    cache, layer, hidden = active(), managed_layer(module), input_of(args, kwargs)
    if cache is None or layer is None or layer.observer is None or not layer.observer.wanted.gates:
        return
    gates: dict[int, Gate] | None = getattr(cache.decoder, "_retention_gates", None)
    gate = None if gates is None else gates.get(module.layer_idx)  # type: ignore
    if gates is None or gate is None or hidden is None:
        return  # the observer refuses a layer without
    if gate.device != hidden.device:
        gate = gates[module.layer_idx] = gate.to(hidden.device)  # type: ignore
    layer.observer.arriving = gate(hidden)


def give_angles(
    module: nn.Module, args: tuple, kwargs: dict[str, Any]
) -> tuple[tuple, dict[str, Any]] | None:
    """Replace what the model gave an attention module to rotate with, unless positions stay."""
    cache = active()
    if cache is None or cache.positions.rotary is None:
        return None
    angles = kwargs.get("position_embeddings")
    if angles is None:
        raise UnsupportedError(
            f"{type(module).__name__} takes its rotation from elsewhere: use positions='original'"
        )
    sliding = managed_layer(module) is None
    given = cache.positions.rotary.given(angles[0], sliding=sliding)
    return args, {**kwargs, "position_embeddings": given}
