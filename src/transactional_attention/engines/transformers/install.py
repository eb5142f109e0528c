"""Plain ``generate()``: every call without a cache of its own gets a retention cache."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from ...chat_markers import check_roles
from ...config import Retention
from ...errors import CacheStateError
from .cache import RetentionCache
from .session import detach, is_attached

HOOK = "_prepare_cache_for_generation"


class Installed:
    """Handle of ``install``: ``uninstall()`` or leave the ``with`` block. ``cache``: the last."""

    def __init__(self, model: Any, tokenizer: Any, retention: Retention) -> None:
        if HOOK in vars(model):
            raise CacheStateError(
                "retention is installed on this model already: uninstall it first"
            )
        self.model, self.tokenizer, self.retention = model, tokenizer, retention
        self.cache: RetentionCache | None = None
        if retention.protect_roles:  # nobody can give sources here
            check_roles(tokenizer, retention.protect_roles)
        self._attached_before = is_attached(model)
        RetentionCache(model, tokenizer, retention)  # attaches, or refuses bad choices at once
        original = getattr(model, HOOK)

        def prepare(generation_config: Any, model_kwargs: dict, *args: Any, **kwargs: Any) -> Any:
            wanted = generation_config.use_cache is not False
            if wanted and model_kwargs.get("past_key_values") is None:
                self.cache = RetentionCache(model, tokenizer, retention)
                model_kwargs["past_key_values"] = self.cache
            return original(generation_config, model_kwargs, *args, **kwargs)

        setattr(model, HOOK, prepare)

    def uninstall(self) -> None:
        """Give the model back as it was."""
        if HOOK in vars(self.model):
            delattr(self.model, HOOK)
            if not self._attached_before:
                detach(self.model)

    def __enter__(self) -> Installed:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.uninstall()


def install(model: Any, tokenizer: Any, retention: Retention | None = None) -> Installed:
    """Give every ``model.generate()`` without a cache a fresh ``RetentionCache``.

    Works as a context manager. Each call starts a new sequence; keep a cache of your own for
    several turns.

    Raises:
        CacheStateError: when it is installed already.
        InputError: when roles are protected that the chat template does not mark apart.
        UnsupportedError, BudgetError: as ``RetentionCache`` does, at once and not in ``generate``.
    """
    return Installed(model, tokenizer, retention if retention is not None else Retention())
