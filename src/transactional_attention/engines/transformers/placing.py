"""What caches ask of a model beside its decoder's hooks, set once a model.

Prompts of ``generate`` are compared with what a used cache has read. The rest is for positions.
Position ids are ranks in the cache. Sliding layers need true positions, and rope types that depend
on the length need its frequencies: then every attention module is handed its cosines and sines.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import TYPE_CHECKING, Any

from torch import nn

from ...errors import UnsupportedError
from .arguments import find_cache
from .continuing import check_generate
from .gating import attention_modules
from .layer import managed_layer
from .session import active, attach

if TYPE_CHECKING:
    from .cache import RetentionCache

PREPARE = "prepare_inputs_for_generation"
DROPS_CACHES = ("phi3", "phimoe", "phi4_multimodal")  # where longrope changes its factors
_lock = threading.Lock()


def place_tokens(model: Any, cache: RetentionCache) -> None:
    """Prepare a model for the positions of a cache."""
    decoder = attach(model)
    with _lock:
        mixed = len(cache.managed) < len(cache.layers)
        if cache.rotary is not None and (mixed or cache.rotary.full.varies):
            _hand_over(decoder)
        _watch_prompts(model, decoder)


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


def _watch_prompts(model: Any, decoder: nn.Module) -> None:
    """Let a used cache read on in its own text alone, and no model drop a retention cache."""
    if not isinstance(vars(model).get(PREPARE), _Prepare):
        setattr(model, PREPARE, _Prepare(model, vars(model).get(PREPARE)))
        _remember(decoder, vars(model)[PREPARE])


class _Prepare:
    """In place of a model's ``prepare_inputs_for_generation``; a handle like those of hooks.

    It does not keep its model alive, and goes along when that is copied or pickled. ``own``: what
    another library had put there.
    """

    def __init__(self, model: Any, own: Callable[..., Any] | None) -> None:
        self.model, self.own = weakref.ref(model), own
        update_wrapper(self, own or getattr(type(model), PREPARE))

    def __call__(self, input_ids: Any, *args: Any, **kwargs: Any) -> Any:
        from .cache import RetentionCache  # noqa: PLC0415  (the cache imports this module)

        model, cache = self.model(), find_cache(kwargs.values(), RetentionCache)
        original = self.own or partial(getattr(type(model), PREPARE), model)
        if cache is None:
            return original(input_ids, *args, **kwargs)
        check_generate(cache, input_ids, kwargs)
        if cache.decoder.config.model_type not in DROPS_CACHES:  # type: ignore[operator, union-attr]
            return original(input_ids, *args, **kwargs)
        return _prepare_keeping(model, original, cache, input_ids, *args, **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Prepare:
        return _Prepare(memo.get(id(self.model()), self.model()), self.own)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Prepare, (self.model(), self.own)

    def remove(self) -> None:
        """Give the model its own method back."""
        vars(model := self.model()).pop(PREPARE, None)
        if self.own is not None:
            setattr(model, PREPARE, self.own)


def _prepare_keeping(
    model: Any, original: Callable[..., Any], cache: RetentionCache, /, *args: Any, **kwargs: Any
) -> Any:
    """A model that drops caches when its rotation changes with the length.

    A compact cache turns all its keys at once and goes on; another one holds keys of the old kind,
    and would be left behind unused without a word.
    """
    if cache.rotary is not None:
        from transformers import GenerationMixin  # noqa: PLC0415  (slow)

        return GenerationMixin.prepare_inputs_for_generation(model, *args, **kwargs)
    found = original(*args, **kwargs)
    if find_cache(found.values(), type(cache)) is not cache:
        raise UnsupportedError(
            f"{type(model).__name__} changes its rotation at this length and drops the cache: "
            "use positions='compact'"
        )
    return found
