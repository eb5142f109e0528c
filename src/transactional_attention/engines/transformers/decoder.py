"""What is asked of a model: its decoder, its adapters, and where its parts are.

Layers may lie on several devices, and heads in several processes. Every layer of a cache follows
the device of its own keys. Under tensor parallel every process has a cache of its kv heads;
attention-free methods decide from text and positions, so all processes keep the same tokens
without a word to each other. PEFT is known by its attributes: peft itself is never imported.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from ...errors import UnsupportedError


def unwrapped(model: Any) -> Any:
    """The transformers model inside a wrapper of PEFT; any other model as it is.

    transformers' own models carry adapters too (``add_adapter``), without a wrapper. Raises
    UnsupportedError for adapters that put virtual tokens before the prompt.
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
    adapters: dict[str, set[float]] = {}
    for module in decoder.modules():
        if getattr(module, "disable_adapters", True):  # not an adapter, or switched off
            continue
        scaling: Any = getattr(module, "scaling", {})
        for name in module.active_adapters:  # type: ignore[union-attr]
            factors = adapters.setdefault(name, set())
            factors |= {float(scaling[name])} if name in scaling else set()
    return {name: sorted(adapters[name]) for name in sorted(adapters)}


def find_decoder(model: Any) -> nn.Module:
    """The module that embeds tokens and owns the layers. Raises UnsupportedError for encoders,
    encoder-decoders and models that cannot generate, and for virtual tokens of PEFT."""
    model = unwrapped(model)
    name = type(model).__name__
    config = getattr(model, "config", None)
    if config is None or getattr(config, "is_encoder_decoder", False) or not model.can_generate():
        raise UnsupportedError(f"{name} is not a decoder-only language model with a KV cache")
    decoder = model.get_decoder() if hasattr(model, "get_decoder") else model.base_model
    decoder = model.base_model if decoder is model else decoder
    if getattr(decoder, "_retention_handles", None):  # looked at when it was attached
        return decoder
    attentions = [m for m in decoder.modules() if getattr(m, "layer_idx", None) is not None]
    if attentions and all(getattr(m, "is_causal", True) is False for m in attentions):
        raise UnsupportedError(f"{name} is an encoder: its attention is not causal")
    return decoder


def attention_modules(decoder: nn.Module) -> list[nn.Module]:
    """The modules that attend, one a layer."""
    return [
        module
        for module in decoder.modules()
        if getattr(module, "layer_idx", None) is not None and "Attention" in type(module).__name__
    ]


def layers_of(decoder: Any) -> nn.ModuleList:
    """The layers of a decoder, in order."""
    count = decoder.config.get_text_config(decoder=True).num_hidden_layers
    lists = (m for m in decoder.modules() if isinstance(m, nn.ModuleList) and len(m) == count)
    return next(lists)


def num_processes(model: Any) -> int:
    """Processes that share the heads of a model (transformers' tensor parallel); 1 if none do."""
    return getattr(model, "_tp_size", None) or 1


def check_holds_all_heads(processes: int) -> None:
    """Refuse what a file is for: it has all kv heads of a model. Raises UnsupportedError when
    several processes share them."""
    if processes > 1:
        raise UnsupportedError(
            "with tensor parallel each process holds its own kv heads: such a cache can be neither "
            "saved nor loaded"
        )


def whole(weight: Tensor) -> Tensor:
    """A weight with the parts of all processes; each of them has to ask for it."""
    return weight.full_tensor() if _in_parts(weight) else weight  # type: ignore[attr-defined]


def _in_parts(weight: Tensor) -> bool:
    """Whether it is a DTensor, asked so that builds of torch without ``distributed`` serve."""
    return hasattr(weight, "full_tensor")


def check_readable(weights: Iterable[tuple[str, Tensor]]) -> None:
    """Refuse to take checksums of weights that are not here. Raises UnsupportedError when one is
    offloaded, or shared out to processes."""
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


def works_ahead(model: Any) -> bool:
    """Whether a model computes on a device that the host need not wait for."""
    return device_of_ids(model).type != "cpu"


def end_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Tokens that end a reply, as the model's configuration and the tokenizer name them."""
    given = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    listed = given if isinstance(given, list) else [given]
    return frozenset(i for i in (*listed, tokenizer.eos_token_id) if i is not None)


def device_of(module: nn.Module) -> torch.device:
    """Where a module computes: on the device of its weights, offloaded ones where hooks bring them.

    Hooks are those of accelerate, which ``device_map`` puts on the modules that own weights.
    """
    device = next(module.parameters()).device
    if device.type != "meta":
        return device
    hooks = (getattr(part, "_hf_hook", None) for part in module.modules())
    devices = (getattr(hook, "execution_device", None) for hook in hooks)
    return torch.device(next((place for place in devices if place is not None), "cpu"))
