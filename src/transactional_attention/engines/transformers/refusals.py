"""Calls of a model that a retention cache cannot serve exactly, refused before the first layer.

Each would else give other logits, or nothing, without a word.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ...errors import CacheStateError, InputError, UnsupportedError
from .session import ATTENTION_NAME


def check_call(decoder: Any, kwargs: dict[str, Any]) -> None:
    """What stands beside a retention cache in a forward.

    Raises:
        InputError: for ``use_cache=False``.
        UnsupportedError: for gradient checkpointing.
        CacheStateError: when the model attends by another function than that of the retention.
    """
    if kwargs.get("use_cache") is False:
        raise InputError(
            "use_cache=False beside a retention cache: generate() would feed it the whole text at "
            "every step; leave one of the two out"
        )
    if decoder.training and _checkpoints(decoder):
        raise UnsupportedError(
            "gradient checkpointing runs layers without their cache: call model.eval(), or "
            "model.gradient_checkpointing_disable()"
        )
    found = decoder.config._attn_implementation
    if found != ATTENTION_NAME:
        raise CacheStateError(
            f"set_attn_implementation({found!r}) took the retention's attention from the model: "
            "call ta.attach(model), or make the cache afterwards"
        )


def _checkpoints(decoder: Any) -> bool:
    return any(getattr(module, "gradient_checkpointing", False) for module in decoder.modules())


def check_outputs(decoder: Any, kwargs: dict[str, Any], *, ours: bool) -> None:
    """Refuse to hand out attention weights, which the retention's attention never has.

    Also to other caches, where the model would have given them by its own attention.
    """
    ours = ours or getattr(decoder, "_retention_previous", None) == "eager"
    asked = kwargs.get("output_attentions")
    if ours and (asked or (asked is None and getattr(decoder.config, "output_attentions", False))):
        raise UnsupportedError(
            "output_attentions=True: the retention's attention never makes the matrix of weights; "
            "leave it out, or ask a model without retention that was loaded with "
            "attn_implementation='eager'"
        )


def check_generation(config: Any) -> None:
    """Refuse another cache that ``generate`` is told to make where one is installed."""
    if config.cache_implementation is not None:
        raise UnsupportedError(
            f"cache_implementation={config.cache_implementation!r} asks for another cache than the "
            "retention that is installed: leave it out, and set "
            "model.generation_config.cache_implementation = None where it comes from there"
        )


def no_continuous_batching(*args: Any, **kwargs: Any) -> NoReturn:
    """In place of a model's ``init_continuous_batching`` while it is attached."""
    raise UnsupportedError(
        "continuous batching pages a cache of its own, which retention cannot bound: "
        "ta.detach(model) first, or use generate()"
    )
