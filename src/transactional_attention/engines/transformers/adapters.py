"""PEFT's wrappers and adapters, known by their attributes: peft itself is never imported."""

from __future__ import annotations

from typing import Any

from torch import nn

from ...errors import UnsupportedError


def unwrapped(model: Any) -> Any:
    """The transformers model inside a wrapper of PEFT; any other model as it is.

    transformers' own models carry adapters too (``add_adapter``), without a wrapper.

    Raises:
        UnsupportedError: for adapters that put virtual tokens before the prompt.
    """
    configs = getattr(model, "peft_config", None)
    if configs is None or hasattr(type(model), "can_generate"):
        return model
    for config in configs.values():
        if config.is_prompt_learning:
            raise UnsupportedError(
                f"{type(config).__name__} puts virtual tokens before the prompt, which no text "
                "stands for: retention cannot place them; use adapters of weights (LoRA, IA3), or "
                "the model without it"
            )
    return model.base_model.model


def active_adapters(decoder: nn.Module) -> dict[str, list[float]]:
    """Adapters that take part in a forward, and the factors that their layers scale them with."""
    found: dict[str, set[float]] = {}
    for module in decoder.modules():
        if getattr(module, "disable_adapters", True):  # not an adapter, or switched off
            continue
        scaling: Any = getattr(module, "scaling", {})
        for name in module.active_adapters:  # type: ignore[union-attr]
            factors = found.setdefault(name, set())
            factors |= {float(scaling[name])} if name in scaling else set()
    return {name: sorted(found[name]) for name in sorted(found)}
