"""Plain ``generate()``: every call without a cache of its own gets a retention cache."""

import threading
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

import torch
from torch import nn

from ...config import Retention, retention_from
from ...errors import CacheStateError, UnsupportedError
from ...text.chat_markers import check_roles
from .arguments import NAME, cache_argument, find_cache, versions
from .attach import Patch, detach, is_attached
from .cache import RetentionCache
from .decoder import find_decoder, unwrapped

HOOK = "_prepare_cache_for_generation"


class Installed(AbstractContextManager["Installed"]):
    """Handle of ``install``: ``uninstall()`` or leave the ``with`` block. ``cache``: the last."""

    def __init__(self, model: Any, tokenizer: Any, retention: Retention) -> None:
        model = unwrapped(model)
        if HOOK in vars(model):
            raise CacheStateError(
                "retention is installed on this model already: uninstall it first"
            )
        if getattr(getattr(model, "generation_config", None), "use_cache", None) is False:
            raise UnsupportedError(
                "the model's config.json or generation_config.json says use_cache: false, so "
                "generate() takes no cache: set model.generation_config.use_cache = True"
            )
        self.model, self.tokenizer, self.retention = model, tokenizer, retention
        self.cache: RetentionCache | None = None
        if retention.protect_roles:  # nobody can give sources here
            check_roles(tokenizer, retention.protect_roles)
        self._attached_before = is_attached(model)
        RetentionCache(model, tokenizer, retention)  # attaches, or refuses bad choices at once
        self._thread = threading.local()
        look = torch.compiler.disable(self._look)
        self._handles: list[Any] = [
            Patch(model, HOOK, self._preparing(getattr(model, HOOK, None))),
            Patch(model, "generate", self._watched(model.generate)),
            find_decoder(model).register_forward_pre_hook(look, with_kwargs=True),
        ]

    def _preparing(self, original: Any) -> Any:
        """``original`` with a cache of ours where ``generate`` has none."""

        def prepare(generation_config: Any, model_kwargs: dict, *args: Any, **kwargs: Any) -> Any:
            wanted = generation_config.use_cache is not False
            if wanted and model_kwargs.get(NAME) is None:
                check_generation(generation_config)
                self.cache = RetentionCache(self.model, self.tokenizer, self.retention)
                model_kwargs |= cache_argument(self.cache)
            elif find_cache(model_kwargs.values(), RetentionCache) is None:
                self._thread.waits = False  # the caller chose otherwise
            return original(generation_config, model_kwargs, *args, **kwargs)

        return prepare

    def _watched(self, original: Any) -> Any:
        """``generate`` that fails when its first forward runs without a retention cache."""

        @wraps(original)
        def generate(*args: Any, **kwargs: Any) -> Any:
            self._thread.waits = True
            try:
                output = original(*args, **kwargs)
                self._look(None, (), {})  # the decoder may not have run at all
                return output
            finally:
                self._thread.waits = False

        return generate

    def _look(self, decoder: nn.Module | None, args: tuple, kwargs: dict) -> None:
        """The decoder's pre-hook; forwards that are not ``generate``'s own first one may pass."""
        waits, self._thread.waits = getattr(self._thread, "waits", False), False
        if waits and find_cache((*args, *kwargs.values()), RetentionCache) is None:
            raise CacheStateError(
                f"retention is installed, and generate() runs without its cache ({versions()}): "
                f"pass generate() a RetentionCache as {NAME}, or use a tested version"
            )

    def uninstall(self) -> None:
        """Give the model back as it was."""
        handles, self._handles = self._handles, []
        for handle in handles:
            handle.remove()
        if handles and not self._attached_before:
            detach(self.model)

    def __exit__(self, *error: object) -> None:
        self.uninstall()


def install(model: Any, tokenizer: Any, retention: Retention | int | None = None) -> Installed:
    """Give every ``model.generate()`` without a cache a fresh ``RetentionCache``.

    Works as a context manager. Each call starts a new sequence; keep a cache of your own for
    several turns. Raises CacheStateError when it is installed already; from ``generate()``, when
    its first forward runs without the cache, as a version of transformers that is not tested might;
    InputError when roles are protected that the chat template does not mark apart; UnsupportedError
    also later, for a ``cache_implementation`` beside it; UnsupportedError and BudgetError as
    ``RetentionCache`` does, at once and not in ``generate``.
    """
    return Installed(model, tokenizer, retention_from(retention))


def check_generation(config: Any) -> None:
    """Refuse another cache that ``generate`` is told to make where one is installed."""
    if config.cache_implementation is not None:
        raise UnsupportedError(
            f"cache_implementation={config.cache_implementation!r} asks for another cache than the "
            "retention that is installed: leave it out, and set "
            "model.generation_config.cache_implementation = None where it comes from there"
        )
