"""What one layer of a cache holds as named tensors, and back, on the layer's device."""

from __future__ import annotations

from typing import Any

import torch
from transformers.cache_utils import DynamicSlidingWindowLayer

from ...errors import UnsupportedError
from .layer import RetentionLayer
from .observe import PER_QUERY, PER_SLOT, Observer
from .precision import MixedStates, States, read

Tensors = dict[str, torch.Tensor]
MIXED = ("full", "bits", "scale", "places")
MOMENTS = ("count", "total", "squares")


def exported(layer: Any) -> tuple[Tensors, dict[str, Any]]:
    """Tensors of a layer, and what else is known of it.

    Raises:
        UnsupportedError: for a layer that is neither managed nor a sliding window.
    """
    if isinstance(layer, RetentionLayer):
        return _managed(layer)
    if type(layer) is not DynamicSlidingWindowLayer:
        raise UnsupportedError(
            f"a cache with layers of type {type(layer).__name__} cannot be saved: only full "
            "attention and sliding windows can"
        )
    keys, values = layer.keys, layer.values
    assert keys is not None and values is not None
    return {"keys": keys, "values": values}, {"seen": layer.cumulative_length}


def _managed(layer: RetentionLayer) -> tuple[Tensors, dict[str, Any]]:
    assert layer.keys is not None and layer.values is not None
    tensors: Tensors = {}
    forms: dict[str, str] = {}
    for name, states in (("keys", layer.keys), ("values", layer.values)):
        if isinstance(states, MixedStates):
            tensors |= {f"{name}.{part}": getattr(states, part) for part in MIXED}
            forms[name] = states.form
        else:
            tensors[name] = states
    if layer.measured is not None:
        tensors["measured"] = layer.measured
    if layer.observer is not None:
        tensors |= {f"observer.{name}": t for name, t in _observed(layer.observer).items()}
    return tensors, {"seen": layer.seen, "forms": forms}


def _observed(observer: Observer) -> Tensors:
    found = {name: getattr(observer, name) for name in (*PER_SLOT, *PER_QUERY)}
    if observer.moments is not None:
        found |= {f"moments.{name}": getattr(observer.moments, name) for name in MOMENTS}
    return {name: tensor for name, tensor in found.items() if tensor is not None}


def resume(layer: Any, tensors: Tensors, plain: dict[str, Any], device: torch.device) -> None:
    """Fill a fresh layer; the flow of a managed one must be in use (``RetentionCache.use``)."""
    own = {name: tensor.to(device) for name, tensor in tensors.items()}
    if not isinstance(layer, RetentionLayer):
        first, second = own["keys"], own["values"]
        layer.update(first[..., :0, :], second[..., :0, :])  # makes it ready, in any version
        layer.keys, layer.values, layer.cumulative_length = first, second, plain["seen"]
        return
    keys, values = (_states(own, name, plain["forms"].get(name)) for name in ("keys", "values"))
    layer.lazy_initialization(read(keys), read(values))
    layer.keys, layer.values, layer.seen = keys, values, plain["seen"]
    layer.measured = own.get("measured")
    for name, tensor in own.items():
        if name.startswith("observer."):
            _observe(layer.observer, name.removeprefix("observer."), tensor)


def _states(own: Tensors, name: str, form: Any) -> States:
    if form is None:
        return own[name]
    return MixedStates(**{part: own[f"{name}.{part}"] for part in MIXED}, form=form)


def _observe(observer: Observer | None, name: str, tensor: torch.Tensor) -> None:
    if observer is None:
        raise ValueError("a layer that observes nothing has observed something")
    if name.startswith("moments."):
        setattr(observer.moments, name.removeprefix("moments."), tensor)
    else:
        setattr(observer, name, tensor)
