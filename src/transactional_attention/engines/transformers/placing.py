"""What compact positions ask of a model beside its position ids: hooks, set once a model.

Position ids are ranks in the cache. Sliding layers need true positions, and rope types that depend
on the length need its frequencies: then every attention module is handed its cosines and sines.
"""

from __future__ import annotations

import threading
from functools import wraps
from typing import TYPE_CHECKING, Any

from torch import nn

from ...errors import UnsupportedError
from .arguments import find_cache
from .gating import attention_modules
from .layer import managed_layer
from .session import Patch, active, attach

if TYPE_CHECKING:
    from .cache import RetentionCache

PREPARE = "prepare_inputs_for_generation"
DROPS_CACHES = ("phi3", "phimoe", "phi4_multimodal")  # where longrope changes its factors
_lock = threading.Lock()


def place_tokens(model: Any, cache: RetentionCache) -> None:
    """Prepare a model for the positions of a cache."""
    decoder = attach(model)
    config: Any = decoder.config
    with _lock:
        mixed = len(cache.managed) < len(cache.layers)
        if cache.rotary is not None and (mixed or cache.rotary.full.varies):
            _hand_over(decoder)
        if config.model_type in DROPS_CACHES:
            _keep_caches(model, decoder)


def _hand_over(decoder: nn.Module) -> None:
    modules = attention_modules(decoder)
    if not any(hook is give_angles for m in modules for hook in m._forward_pre_hooks.values()):
        handles = [m.register_forward_pre_hook(give_angles, with_kwargs=True) for m in modules]
        _remember(decoder, *handles)


def _remember(decoder: nn.Module, *handles: Any) -> None:
    decoder._retention_handles = (*decoder._retention_handles, *handles)  # type: ignore


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


def _keep_caches(model: Any, decoder: nn.Module) -> None:
    """Let no model drop a retention cache when its rotation changes with the length.

    A compact cache turns all its keys at once and goes on; another one holds keys of the old kind,
    and would be left behind unused without a word.
    """
    if PREPARE in vars(model):
        return
    original = getattr(model, PREPARE)

    @wraps(original)
    def prepare(input_ids: Any, *args: Any, **kwargs: Any) -> Any:
        from .cache import RetentionCache  # noqa: PLC0415  (the cache imports this module)

        cache = find_cache(kwargs.values(), RetentionCache)
        if cache is not None and cache.rotary is not None:
            from transformers import GenerationMixin  # noqa: PLC0415  (slow)

            return GenerationMixin.prepare_inputs_for_generation(model, input_ids, *args, **kwargs)
        found = original(input_ids, *args, **kwargs)
        if cache is not None and find_cache(found.values(), RetentionCache) is not cache:
            raise UnsupportedError(
                f"{type(model).__name__} changes its rotation at this length and drops the cache: "
                "use positions='compact'"
            )
        return found

    _remember(decoder, Patch(model, PREPARE, prepare))
