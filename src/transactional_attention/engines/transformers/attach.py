"""Attach the decoder's hooks and the retention's attention to a model, and take them back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

from torch import nn

from ...errors import UnsupportedError
from .active import ATTENTION_NAME
from .decoder import find_decoder, unwrapped

_attach_lock = threading.Lock()


class Patch:
    """One method of one model, replaced until ``remove``: a handle like those of hooks."""

    def __init__(self, model: Any, name: str, method: Callable[..., Any]) -> None:
        self.model, self.name, self.before = model, name, vars(model).get(name)
        setattr(model, name, method)

    def remove(self) -> None:
        """Give the model its own method back."""
        vars(self.model).pop(self.name, None)
        if self.before is not None:
            setattr(self.model, self.name, self.before)


def is_attached(model: Any) -> bool:
    """Whether a model has the hooks."""
    return getattr(find_decoder(model), "_retention_handles", None) is not None


def attach(model: Any) -> nn.Module:
    """Register hooks and the attention function on a model, once; returns its decoder. Raises
    UnsupportedError for a model that attends without transformers' attention interface."""
    from .hooks import enter, forget, leave, note  # noqa: PLC0415  (slow: transformers' model code)

    model, decoder = unwrapped(model), find_decoder(model)
    with _attach_lock:
        config: Any = decoder.config  # of the text: towers for images keep their attention
        if config._attn_implementation != ATTENTION_NAME:
            previous = config._attn_implementation
            decoder.set_attn_implementation(ATTENTION_NAME)  # type: ignore[operator]
            if config._attn_implementation != ATTENTION_NAME:  # refused, with a warning
                raise UnsupportedError(
                    f"{type(model).__name__} has attention of its own, which does not go through "
                    "transformers' attention interface: no method can bound its cache"
                )
            decoder._retention_previous = previous
        if not is_attached(model):
            handles: tuple[Any, ...] = (
                decoder.register_forward_pre_hook(enter, with_kwargs=True),
                decoder.register_forward_hook(leave, always_call=True),
                Patch(model, "init_continuous_batching", no_continuous_batching),
            )
            outer = model.base_model
            if outer is not decoder:  # a module between the model and its decoder, or itself
                handles += (
                    outer.register_forward_pre_hook(note, with_kwargs=True),
                    outer.register_forward_hook(forget, always_call=True),
                )
            remember(decoder, *handles)
    return decoder


def remember(decoder: Any, *handles: Any) -> None:
    """Remove these handles too when the model is detached."""
    decoder._retention_handles = (*(getattr(decoder, "_retention_handles", None) or ()), *handles)


def detach(model: Any) -> None:
    """Remove hooks and give the model its own attention back. Caches made before stop working."""
    decoder: Any = find_decoder(model)
    with _attach_lock:
        for handle in getattr(decoder, "_retention_handles", None) or ():
            handle.remove()
        decoder._retention_handles = None
        previous = getattr(decoder, "_retention_previous", None)
        if previous is not None and decoder.config._attn_implementation == ATTENTION_NAME:
            decoder.set_attn_implementation(previous)


def no_continuous_batching(*args: Any, **kwargs: Any) -> NoReturn:
    """In place of a model's ``init_continuous_batching`` while it is attached."""
    raise UnsupportedError(
        "continuous batching pages a cache of its own, which retention cannot bound: "
        "ta.detach(model) first, or use generate()"
    )
