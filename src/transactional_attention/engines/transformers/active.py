"""Which cache drives the forward that runs in this thread.

The decoder's hooks (``hooks.py``) name it before a forward and take it back afterwards. Attention
and mask functions ask ``active()``; other caches on the same model find nothing and are served as
if this library were not there.
"""

from __future__ import annotations

import threading
from typing import Any

from torch import Tensor, nn
from transformers.cache_utils import Cache

ModelInputs = tuple[Tensor | None, Tensor | None]  # ids [row, new], mask [row, column]
ATTENTION_NAME = "retention"
_thread = threading.local()


class DrivingCache(Cache):
    """A cache that may drive a forward: what the hooks ask of it.

    ``one_flow``: whether one flow decides for all its rows. ``memory``: what brings text back.
    ``attend``: what attends in place of its layers, as the laboratory's ``SeveralCaches`` does;
    None: the layers themselves.
    """

    one_flow = True
    memory: Any = None
    attend: Any = None

    def begin(
        self, decoder: nn.Module, ids: Tensor | None, mask: Tensor | None, positions: Tensor | None
    ) -> Tensor | None:
        """Read and decide before the first layer runs; the positions to use, None for those that
        were given."""
        raise NotImplementedError

    def end(self, *, finished: bool) -> None:
        """A forward has run, or has raised."""
        raise NotImplementedError


def active() -> Any:
    """The ``DrivingCache`` whose forward runs in this thread, or None."""
    return getattr(_thread, "cache", None)


def activate(cache: DrivingCache | None) -> None:
    """Let a cache drive the forward of this thread, or none."""
    _thread.cache = cache


def noted() -> ModelInputs | None:
    """What the module around the running decoder was called with, beside a retention cache."""
    return getattr(_thread, "noted", None)


def note_call(call: ModelInputs | None) -> None:
    """Let the decoder of this thread know of a call, or of none."""
    _thread.noted = call
